import type { Draft, DraftField } from "./drafts.ts";

/* The controls of a form as a draft has them. Controls appear and disappear while the reader chooses types. */

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

const isCheckable = (control: Control) => control.type === "checkbox" || control.type === "radio";
const isSecret = (control: Control) => control.type === "password" || control.dataset.secret !== undefined;

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
export class DraftControls {
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
    for (const name of Object.keys(listsOf(form))) if (!this.#before.has(name)) this.#before.set(name, []);
    for (const [name, controls] of controlsOf(form)) {
      const before = this.#before.get(name);
      if (!before) this.#before.set(name, valuesOf(controls));
      const field = this.#restored?.fields[name];
      for (const [at, control] of controls.entries()) {
        if (!field || this.#filled.get(control) === name) continue;
        const isDone = (isTouched && control.closest("[data-list]")) || fillControl(control, field, at);
        if (isDone) this.#filled.set(control, name);
      }
    }
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
