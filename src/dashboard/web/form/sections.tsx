import { type KeyboardEvent, type ReactNode, useLayoutEffect, useRef, useState } from "react";
import { language } from "../languages/locale.ts";
import { fill, listOf, texts } from "../languages/texts.ts";
import { useForm, useFormData } from "./form.tsx";
import { isSecret } from "./use-draft.tsx";

interface Props {
  summary: string;
  /** Whether it is open at first. */
  isOpen?: boolean;
  children: ReactNode;
}

/** Fields that most readers do not need. While it is closed, it says what is set in it; an error in it opens it. */
export function Disclosure({ summary, isOpen = false, children }: Props) {
  const element = useRef<HTMLDetailsElement>(null);
  const { errors } = useForm();
  const data = useFormData(element);
  const [said, setSaid] = useState("");
  // Also after a change of the kind, which brings other fields.
  useLayoutEffect(() => {
    if (data && element.current) setSaid(describeSection(fieldsIn(element.current)));
  }, [data, children]);
  useLayoutEffect(() => {
    const hasErrors = Object.keys(errors).length > 0;
    if (hasErrors && element.current?.querySelector("[aria-invalid=true]")) element.current.open = true;
  }, [errors]);
  // React sets `open` only when it changes, so that it stays as the reader leaves it.
  return (
    <details className="disclosure" ref={element} open={isOpen}>
      <summary>
        <span className="disclosure-name">{summary}</span> <span className="disclosure-said">{said}</span>
      </summary>
      <div className="form-fields">{children}</div>
    </details>
  );
}

/** A field as its section says it. @property set what it is set to; empty if it has its default */
export interface SectionField {
  label: string;
  set: string;
}

/** The values that are set in a section, or the labels of its fields if none is set. */
export function describeSection(fields: readonly SectionField[]): string {
  const set = fields.filter((field) => field.set !== "");
  if (set.length > 0) return set.map((field) => field.set).join(" · ");
  return listOf([...new Set(fields.map(({ label }) => label.replace(/ ?… ?/, " ")))], "unit");
}

/** A field with its value, such as `Follow 5 redirects` or `Method: POST`. */
export function sayField(label: string, value: string): string {
  if (value === "") return "";
  return label.includes("…")
    ? label.replace("…", () => value)
    : fill(texts.form.fieldIsSet, { label, value });
}

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** A field that the search finds. */
interface FoundField extends SectionField {
  /** In the API, such as `config.port`. */
  name: string;
  /** The name of its section; empty outside of one. */
  section: string;
  hint: string;
  control: HTMLElement;
}

/** The fields of a part of a form, each once: a list of rows or of monitors is one field. */
function fieldsIn(root: HTMLElement): FoundField[] {
  const found = root.querySelectorAll<HTMLElement>(
    "input:not([type=hidden], [type=search]), select, textarea, [data-list]",
  );
  return [...found]
    .filter((one) => !isOfList(one, root) && !one.closest("[hidden]"))
    .flatMap((one) => (one.dataset.list === undefined ? controlField(one as Control) : [listField(one)]));
}

/** Whether a list has a control, and not only as a part of a part of it: a section of a step says its own fields. */
function isOfList(control: HTMLElement, root: HTMLElement): boolean {
  const list = control.parentElement?.closest("[data-list]");
  return Boolean(list && root.contains(list));
}

function controlField(control: Control): FoundField[] {
  const row = control.closest(".row");
  const isFurther = row !== null && row.querySelector("input, select") !== control;
  const label = labelOf(control);
  if (isFurther || label === "") return [];
  return [{ ...placeOf(control), control, name: control.name, label, set: setIn(control, label, row) }];
}

function setIn(control: Control, label: string, row: Element | null): string {
  if (control.type === "checkbox" || control.type === "radio")
    return (control as HTMLInputElement).checked ? label : "";
  if (control instanceof HTMLSelectElement && row === null)
    return control.selectedIndex > 0 ? sayField(label, control.selectedOptions[0]?.text ?? "") : "";
  if (control.value.trim() === "") return "";
  if (isSecret(control)) return sayField(label, "•••");
  const unit = row?.querySelector("select")?.selectedOptions[0]?.text ?? "";
  return sayField(label, `${cut(control.value.trim()).replaceAll("\n", ", ")} ${unit}`.trim());
}

/** A certificate has a thousand characters. */
const MAX_SAID = 60;

function cut(text: string): string {
  return text.length > MAX_SAID ? `${text.slice(0, MAX_SAID)}…` : text;
}

function listField(list: HTMLElement): FoundField {
  const label = list.querySelector("legend")?.textContent ?? "";
  const rows = list.querySelectorAll(":scope > .row").length;
  const count = rows || list.querySelectorAll("input[type=hidden]").length;
  const control = list.querySelector<HTMLElement>("input:not([type=hidden]), button") ?? list;
  return {
    ...placeOf(list),
    control,
    name: list.dataset.list ?? "",
    label,
    set: count > 0 ? sayField(label, String(count)) : "",
  };
}

function labelOf(control: Control): string {
  const label = control.labels?.[0]?.textContent ?? control.getAttribute("aria-label") ?? "";
  return label.trim();
}

function placeOf(element: HTMLElement): Pick<FoundField, "section" | "hint"> {
  const section = element.closest("details")?.querySelector(".disclosure-name")?.textContent ?? "";
  const group = element.closest("fieldset");
  const described = [element, group].map((one) => one?.getAttribute("aria-describedby") ?? "").join(" ");
  const hints = described.split(" ").map((id) => document.getElementById(id)?.textContent ?? "");
  return { section, hint: [group?.querySelector("legend")?.textContent ?? "", ...hints].join(" ") };
}

type Synonyms = typeof texts.form.search.synonyms;

/** The fields, by their names, that readers of other products mean by other words. */
const MEANT: Record<keyof Synonyms, RegExp> = {
  contains: /expect\.contains$/,
  matches: /expect\.matches$/,
  same: /expect\.same$/,
  within: /expect\.within$/,
  anyCertificate: /verifyTls$/,
  clientCertificate: /clientCertificate/,
  certificate: /verifyTls$|clientCertificate|expir|warnDays|registration|servername$|tls$/,
  timeout: /timeout$/,
  signIn: /signIn$|basicAuth|digestAuth|oauth2|clientCertificate/,
  confirmation: /^confirmations$|^recoveries$/,
  channels: /^alertChannelIds$|^scheduleIds$|^after |^every /,
  dependsOn: /^dependsOn$/,
  locations: /^locations$|^downWhen$/,
};

type Searched = Pick<FoundField, "name" | "label" | "section" | "hint">;

/**
 * Whether a field is what a reader looks for: each word begins a word of the field. In other languages than English, it may be
 * inside of a word, because many have words that are compounds, or no spaces.
 */
export function matchesField(text: string, { name, label, section, hint }: Searched): boolean {
  const begin = language === "en" ? " " : "";
  const of = ` ${[label, section, hint].join(" ").toLowerCase()}`;
  const typed = text.toLowerCase().trim();
  const meant = (Object.keys(MEANT) as (keyof Synonyms)[]).find((one) =>
    texts.form.search.synonyms[one].split(/\s*,\s*/).some((word) => typed.includes(word)),
  );
  return (
    typed.split(/\s+/).every((word) => of.includes(begin + word)) ||
    (meant !== undefined && MEANT[meant].test(name))
  );
}

const MAX_FOUND = 6;

/** A search over the fields of the form around it, which opens the section of a field. */
export function FieldSearch() {
  const [text, setText] = useState("");
  const element = useRef<HTMLDivElement>(null);
  const form = element.current?.closest("form");
  const found =
    form && text.trim() !== ""
      ? fieldsIn(form)
          .filter((field) => matchesField(text, field))
          .slice(0, MAX_FOUND)
      : [];
  const open = (field: FoundField | undefined) => {
    if (!field) return;
    setText("");
    reveal(field.control);
  };
  return (
    <div className="field-search" ref={element}>
      <input
        type="search"
        aria-label={texts.form.search.label}
        placeholder={texts.form.search.placeholder}
        autoComplete="off"
        value={text}
        onInput={(event) => {
          // It is no field of the form.
          event.stopPropagation();
          setText(event.currentTarget.value);
        }}
        onKeyDown={(event: KeyboardEvent) => {
          if (event.key !== "Enter") return;
          event.preventDefault();
          open(found[0]);
        }}
      />
      {found.length > 0 && (
        <ul className="picker-found" aria-label={texts.form.search.found}>
          {found.map((field, at) => (
            <li key={at}>
              <button type="button" className="button-small" onClick={() => open(field)}>
                {field.label}
                {field.section && <span className="text-muted">{field.section}</span>}
              </button>
            </li>
          ))}
        </ul>
      )}
      {text.trim() !== "" && found.length === 0 && <p className="text-hint">{texts.form.search.none}</p>}
    </div>
  );
}

/** Opens the section of a field, and moves the focus to it. */
export function reveal(control: HTMLElement): void {
  control.closest("details")?.setAttribute("open", "");
  control.focus();
  control.scrollIntoView({ block: "center" });
}
