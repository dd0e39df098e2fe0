import { type ReactNode, useEffect, useRef, useState } from "react";
import type { Config } from "../../data/api.ts";
import { RadioList } from "../../form/choices.tsx";
import { exactText, Field, useFieldNotes } from "../../form/fields.tsx";
import { reportChange } from "../../form/form.tsx";
import { useRestoredValues } from "../../form/use-draft.tsx";
import { hidden, rich } from "../../languages/rich.tsx";
import { fill, texts } from "../../languages/texts.ts";
import { configOf } from "./config-values.ts";
import { completeUrl, splitUrl } from "./interval-field.tsx";
import { fieldOfStep, STEPS, stepsIn, withOneRequest, withSteps } from "./request-values.ts";

export interface Props {
  config: Config;
  /** The place of the config in the values of the form. Default: `config`. */
  at?: string;
  /** Whether the monitor is new, so that the fields offer what we recommend. */
  isNew: boolean;
  /** Shows another config, with steps or without them. */
  onConfig: (config: Config) => void;
}

/** @property children the fields of a step, from the stored one, which is empty for a new one */
interface RequestsProps extends Props {
  children: (step: { at: string; step: Config }) => ReactNode;
}

/** The URL of a website, or the steps of a check. */
export function RequestsField({ config, onConfig, children }: RequestsProps) {
  const element = useRef<HTMLDivElement>(null);
  const choose = (choice: string) => {
    const form = element.current?.closest("form");
    if (!form) return;
    const entered = configOf("HTTP", new FormData(form), config);
    onConfig(choice === "steps" ? withSteps(entered) : withOneRequest(entered));
  };
  const hasSteps = config.steps !== undefined;
  return (
    <div className="form-fields" ref={element}>
      <RadioList
        legend={texts.config.requests.title}
        name="requests"
        options={(["one", "steps"] as const).map((value) => ({ value, label: texts.config.requests[value] }))}
        value={hasSteps ? "steps" : "one"}
        onChange={choose}
        isInline
      />
      {hasSteps ? <Steps steps={stepsIn(config.steps)}>{children}</Steps> : <WebsiteField url={config.url} />}
    </div>
  );
}

const MIN_STEPS = 2;
const MAX_STEPS = 10;

/** @property from the position of its stored step; empty for a new one */
interface ShownStep {
  key: number;
  from: string;
}

/** The steps of a check, in their order. */
function Steps({ steps, children }: Pick<RequestsProps, "children"> & { steps: Config[] }) {
  const { list, add, move, remove, element } = useSteps(steps.length);
  const { describedBy, errorBelow, hintBelow } = useFieldNotes(STEPS, texts.config.steps.hint);
  return (
    <fieldset className="rows" data-list={STEPS} ref={element} {...describedBy}>
      <legend>{texts.config.steps.title}</legend>
      {list.map(({ key, from }, at) => (
        <fieldset className="layer" key={key}>
          <legend>{fill(texts.config.steps.step, { number: at + 1 })}</legend>
          <input type="hidden" name={STEPS} value={from} />
          {children({ at: fieldOfStep(at), step: steps[Number(from || -1)] ?? {} })}
          <StepButtons
            at={at}
            count={list.length}
            onMove={(by) => move(key, by)}
            onRemove={() => remove(key)}
          />
        </fieldset>
      ))}
      {errorBelow}
      {list.length < MAX_STEPS && (
        <button type="button" className="row-add" onClick={add}>
          {texts.config.steps.add}
        </button>
      )}
      {hintBelow}
    </fieldset>
  );
}

/** The steps that the reader adds, moves and removes. @param stored how many steps the config has */
function useSteps(stored: number) {
  const element = useRef<HTMLFieldSetElement>(null);
  const restored = useRestoredValues(STEPS);
  const [list, setList] = useState<ShownStep[]>(() => {
    const shown = restored?.length ? restored : Array.from({ length: stored }, (_, at) => String(at));
    return shown.map((from, key) => ({ key, from }));
  });
  const [changes, setChanges] = useState(0);
  /** The control that gets the focus after the change. */
  const focused = useRef<() => HTMLElement | null | undefined>(null);
  useEffect(() => {
    if (changes === 0) return;
    reportChange(element.current?.querySelector<HTMLElement>(`[name="${STEPS}"]`) ?? null);
    focused.current?.()?.focus();
  }, [changes]);
  const change = (to: ShownStep[], focus: () => HTMLElement | null | undefined) => {
    focused.current = focus;
    setList(to);
    setChanges(changes + 1);
  };
  const stepAt = (at: number) => element.current?.querySelectorAll<HTMLElement>(":scope > .layer")[at];
  return {
    element,
    list,
    add: () =>
      change([...list, { key: changes + 1000, from: "" }], () =>
        stepAt(list.length)?.querySelector<HTMLElement>("input:not([type=hidden])"),
      ),
    /** @param by -1 for up and 1 for down */
    move: (key: number, by: -1 | 1) => {
      const at = list.findIndex((one) => one.key === key);
      const to = at + by;
      const others = list.toSpliced(at, 1);
      change(others.toSpliced(to, 0, ...list.slice(at, at + 1)), () => {
        const buttons = stepAt(to)?.querySelectorAll<HTMLElement>(".step-buttons > :enabled");
        return buttons?.[by === 1 && to < others.length ? 1 : 0];
      });
    },
    remove: (key: number) =>
      change(
        list.filter((one) => one.key !== key),
        () => element.current?.querySelector<HTMLElement>(".row-add"),
      ),
  };
}

interface ButtonProps {
  at: number;
  /** How many steps there are. */
  count: number;
  onMove: (by: -1 | 1) => void;
  onRemove: () => void;
}

function StepButtons({ at, count, onMove, onRemove }: ButtonProps) {
  const { moveUp, moveDown, remove } = texts.config.steps;
  const step = { hidden, number: at + 1 };
  return (
    <div className="actions step-buttons">
      <button type="button" className="button-small" disabled={at === 0} onClick={() => onMove(-1)}>
        {rich(moveUp, step)}
      </button>
      <button type="button" className="button-small" disabled={at === count - 1} onClick={() => onMove(1)}>
        {rich(moveDown, step)}
      </button>
      {count > MIN_STEPS && (
        <button type="button" className="button-small" onClick={onRemove}>
          {rich(remove, step)}
        </button>
      )}
    </div>
  );
}

/** The URL of a website, which may be entered without `https://`. @property at the place of the request */
export function WebsiteField({ url = "", at = "config" }: { url: unknown; at?: string | undefined }) {
  return (
    <Field name={`${at}.url`} label={texts.config.url}>
      {(props) => (
        <input
          {...props}
          inputMode="url"
          defaultValue={String(url)}
          placeholder="https://example.com/"
          onBlur={({ target }) => showCompleted(target, at)}
          {...exactText}
        />
      )}
    </Field>
  );
}

/** Shows the URL as it is saved, before the form judges it. */
function showCompleted(input: HTMLInputElement, at: string): void {
  const entered = completeUrl(input.value.trim());
  const { url, user, password } = splitUrl(entered);
  if (at === "config" && (user !== "" || password !== "")) showUser(input, { url, user, password });
  else if (entered !== input.value) {
    input.value = entered;
    reportChange(input);
  }
}

/** Shows the user and the password of a URL in their own fields, which may have to be rendered first. */
function showUser(input: HTMLInputElement, { url, user, password }: ReturnType<typeof splitUrl>): void {
  input.form?.querySelector<HTMLInputElement>("[name=signIn][value=basic]")?.click();
  requestAnimationFrame(() => {
    input.value = url;
    fillField(input.form, "config.basicAuth.user", user);
    fillField(input.form, "config.basicAuth.password", password);
    reportChange(input);
  });
}

/** Fills a field in a part of the form that may be closed. */
function fillField(form: HTMLFormElement | null, name: string, value: string): void {
  const field = form?.elements.namedItem(name);
  if (!(field instanceof HTMLInputElement)) return;
  field.value = value;
  field.closest("details")?.setAttribute("open", "");
}
