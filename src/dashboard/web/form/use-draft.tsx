import { createContext, type RefObject, useContext, useEffect, useRef, useState } from "react";
import { useLocation, useSearchParams } from "wouter";
import { useSession } from "../app/session.tsx";
import { rich } from "../languages/rich.tsx";
import { texts } from "../languages/texts.ts";
import { Time } from "../ui/time.tsx";

/** The draft that the form around a component restores. */
export const RestoredDraft = createContext<Draft | undefined>(undefined);

/** The values of a hidden field in the draft that is restored; undefined if it does not change them. */
export function useRestoredValues(name: string): string[] | undefined {
  return useContext(RestoredDraft)?.fields[name]?.now;
}

/** How many rows the draft that is restored has; undefined if it does not change them. */
export function useRestoredRows(name: string): number | undefined {
  const draft = useContext(RestoredDraft);
  return draft?.fields[name] && draft.rows[name];
}

/** Which draft belongs to the form of this address: another person or key does not see it. A copy of a monitor has a draft of its own, and so has what was found. */
export function useDraftKey(): string {
  const [path] = useLocation();
  const [params] = useSearchParams();
  const session = useSession();
  const reader = session?.personId ?? session?.keyId;
  return [reader, path, params.get("from"), params.get("found")].filter(Boolean).join(" ");
}

/**
 * Keeps what is entered into a form until it is saved, also if the reader leaves it, and restores it.
 *
 * @param isKept whether the form has a draft
 * @returns `forget` deletes the draft; what is entered afterwards is a new one
 */
export function useDraft(form: RefObject<HTMLFormElement | null>, isKept: boolean) {
  const key = useDraftKey();
  const [restored] = useState(() => (isKept ? readDraft(key) : undefined));
  const controls = useRef<DraftControls>(null);
  useEffect(() => {
    const element = form.current;
    if (!isKept || !element) return undefined;
    controls.current = new DraftControls(restored);
    let isTouched = false;
    let isFilling = false;
    let written = contentOf(restored);
    const update = () => {
      if (isFilling || !controls.current) return;
      isFilling = true;
      controls.current.fill(element, isTouched);
      isFilling = false;
      const draft = controls.current.read(element, Date.now());
      if (contentOf(draft) !== written) writeDraft(key, draft);
      written = contentOf(draft);
    };
    // Before the handlers of components, whose controls appear at once. A button of a list moves controls to other names, and a
    // click by `fill` is followed by a trusted event.
    const touch = ({ isTrusted, type, target }: Event) => {
      const isChange = type === "input" || (target as Element).closest("[data-list] button") !== null;
      isTouched ||= isTrusted && isChange && !isFilling;
    };
    const observer = new MutationObserver(update);
    observer.observe(element, { childList: true, subtree: true, attributeFilter: ["name"] });
    for (const type of ["input", "click"]) element.addEventListener(type, touch, true);
    element.addEventListener("input", update);
    update();
    return () => {
      observer.disconnect();
      for (const type of ["input", "click"]) element.removeEventListener(type, touch, true);
      element.removeEventListener("input", update);
    };
  }, [form, key, isKept, restored]);
  const forget = () => {
    if (!isKept) return;
    controls.current = null;
    writeDraft(key, undefined);
    // After the saved values are rendered.
    requestAnimationFrame(() => {
      controls.current = new DraftControls(undefined);
      if (form.current) controls.current.fill(form.current, true);
    });
  };
  return { restored, forget };
}

/** Without its time. */
function contentOf(draft: Draft | undefined): string | undefined {
  return draft && JSON.stringify({ ...draft, at: 0 });
}

/** Says that the form is not as it is stored. To discard the draft, the page is loaded again: the form is as if nothing was entered. */
export function RestoredNotice({ draft, onDiscard }: { draft: Draft; onDiscard: () => void }) {
  const discard = () => {
    onDiscard();
    location.reload();
  };
  return (
    <p className="form-restored" role="status">
      <span>
        {rich(texts.form.draft.restored, {
          time: <Time at={new Date(draft.at).toISOString()} only="minute" />,
        })}
        {draft.lacksSecrets && ` ${texts.form.draft.lacksSecrets}`}
      </span>
      <button type="button" className="button-small" onClick={discard}>
        {texts.form.draft.discard}
      </button>
    </p>
  );
}

/* The controls of a form as a draft has them. Controls appear and disappear while the reader chooses types. */

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

const isCheckable = (control: Control) => control.type === "checkbox" || control.type === "radio";
export const isSecret = (control: Control) =>
  control.type === "password" || control.dataset.secret !== undefined;

/** No script may choose a file again. */
function controlsOf(form: HTMLFormElement): Map<string, Control[]> {
  const named = form.querySelectorAll<Control>("input[name]:not([type=file]), select[name], textarea[name]");
  return Map.groupBy(named, ({ name }) => name);
}

/** The values of the controls with one name: of boxes those that are checked. A secret is empty. */
function valuesOf(controls: readonly Control[]): string[] {
  return controls.flatMap((control) => {
    if (isCheckable(control)) return (control as HTMLInputElement).checked ? control.value : [];
    return isSecret(control) ? "" : control.value;
  });
}

/** The lists whose members the reader adds and removes, by name: of rows, how many there are. */
function listsOf(form: HTMLFormElement): Record<string, number> {
  const lists = [...form.querySelectorAll<HTMLElement>("[data-list]")];
  return Object.fromEntries(
    lists.map((list) => [list.dataset.list, list.querySelectorAll(":scope > .row").length]),
  );
}

function isEnteredSecret(control: Control): boolean {
  return isSecret(control) && control.value !== (control as HTMLInputElement).defaultValue;
}

/** Follows a form: the values that it has at first, and the values of a draft for the controls that appear. */
class DraftControls {
  readonly #before = new Map<string, string[]>();
  /** The name under which each control was filled. */
  readonly #filled = new WeakMap<Control, string>();
  readonly #restored: Draft | undefined;

  constructor(restored: Draft | undefined) {
    this.#restored = restored;
    for (const [name, { before }] of Object.entries(restored?.fields ?? {})) this.#before.set(name, before);
  }

  /** Fills the controls that have appeared. @param isTouched whether the reader may have added and removed rows */
  fill(form: HTMLFormElement, isTouched: boolean): void {
    for (const [name, controls] of controlsOf(form)) {
      const isAdded = (control: Control) => isTouched && control.closest("[data-list]") !== null;
      const before = this.#before.get(name);
      if (!before) this.#before.set(name, controls.some(isAdded) ? [] : valuesOf(controls));
      const field = this.#restored?.fields[name];
      for (const [at, control] of controls.entries()) {
        if (!field || this.#filled.get(control) === name) continue;
        if (isAdded(control) || fillControl(control, field, at)) this.#filled.set(control, name);
      }
    }
    for (const name of Object.keys(listsOf(form))) if (!this.#before.has(name)) this.#before.set(name, []);
  }

  /** The draft of the present values; undefined if none differs. @param at milliseconds since 1970 */
  read(form: HTMLFormElement, at: number): Draft | undefined {
    const [present, rows] = [controlsOf(form), listsOf(form)];
    const fields: Record<string, DraftField> = {};
    for (const [name, before] of this.#before) {
      const now = valuesOf(present.get(name) ?? []);
      // The fields of another type are not shown now.
      const kept = this.#restored?.fields[name];
      if (!present.has(name) && !(name in rows)) {
        if (kept) fields[name] = kept;
      } else if (now.join("\0") !== before.join("\0")) fields[name] = { before, now };
    }
    if (Object.keys(fields).length === 0) return undefined;
    const lacksSecrets =
      this.#restored?.lacksSecrets === true || [...present.values()].flat().some(isEnteredSecret);
    return { at, fields, rows, lacksSecrets };
  }
}

/** @returns false if the control does not have the value yet, as a list of options that is still loaded */
function fillControl(control: Control, { before, now }: DraftField, at: number): boolean {
  if (control.type === "hidden" || isSecret(control)) return true;
  if (isCheckable(control)) {
    const isWanted = now.includes(control.value);
    const isChanged = isWanted !== before.includes(control.value);
    if (
      isChanged &&
      (control as HTMLInputElement).checked !== isWanted &&
      (isWanted || control.type !== "radio")
    )
      control.click();
    else return true;
  } else {
    const value = now[at];
    if (value === undefined || value === before[at]) return true;
    control.value = value;
    if (control instanceof HTMLSelectElement && control.value !== value) return false;
    for (const type of ["input", "change"]) control.dispatchEvent(new Event(type, { bubbles: true }));
  }
  const details = control.closest("details");
  if (details) details.open = true;
  return true;
}

/* Entries of readers that are not saved, in this browser, by the key of their session and the address of the form. */

/** The values of the controls with one name, in their order. @property before the values when the form was opened */
interface DraftField {
  before: string[];
  now: string[];
}

export interface Draft {
  /** When it was last changed, in milliseconds since 1970. */
  at: number;
  /** The fields that were changed, by name. */
  fields: Record<string, DraftField>;
  /** How many rows each list of rows has, by name. */
  rows: Record<string, number>;
  /** Whether a secret was entered, which is not kept. */
  lacksSecrets: boolean;
}

/** By the ID of a person or an API key and the path of a form, with a space between them. */
type Drafts = Record<string, Draft>;

/** `forgetDrafts` deletes it. */
const KEY = "drafts";

const WEEK = 7 * 24 * 3600 * 1000;

/** The drafts in a stored text, without drafts of more than a week ago. @param now milliseconds since 1970 */
export function parseDrafts(text: string | null, now: number): Drafts {
  try {
    const drafts: Drafts = JSON.parse(text ?? "{}");
    return Object.fromEntries(Object.entries(drafts).filter(([, { at }]) => now - at < WEEK));
  } catch {
    return {};
  }
}

export function readDraft(key: string): Draft | undefined {
  return readDrafts()[key];
}

/** @param draft undefined to delete it */
function writeDraft(key: string, draft: Draft | undefined): void {
  const { [key]: _, ...others } = readDrafts();
  // A browser may block the storage of sites, and a full storage keeps what it has.
  try {
    localStorage.setItem(KEY, JSON.stringify(draft ? { ...others, [key]: draft } : others));
  } catch {}
}

/** A browser that blocks the storage of sites throws when it is read. */
function readDrafts(): Drafts {
  try {
    return parseDrafts(localStorage.getItem(KEY), Date.now());
  } catch {
    return {};
  }
}
