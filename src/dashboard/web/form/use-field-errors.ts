import { type FocusEvent, type FormEvent, useEffect, useReducer, useRef } from "react";
import { errorsByField, nextState, untouched } from "./field-errors.ts";

/** The errors that a form shows, and what updates them. @param check returns all errors of the values, as sentences of the API */
export function useFieldErrors(check: (data: FormData) => string[]) {
  const [state, dispatch] = useReducer(nextState, untouched);
  const afterPress = useAfterPress();
  const findErrors = (form: HTMLFormElement) =>
    errorsByField([...incompleteFields(form), ...check(new FormData(form))], fieldNames(form));
  return {
    errors: state.shown,
    onInput({ target, currentTarget: form }: FormEvent<HTMLFormElement>): void {
      if (!isControl(target)) return;
      // A radio button changes the type or the schedule, and so the fields.
      if (target.type === "radio") dispatch({ type: "reset" });
      else {
        const field = { name: target.name, kind: kindOf(target) };
        dispatch({ type: "edit", field, errors: findErrors(form) });
      }
    },
    onBlur({ target, relatedTarget, currentTarget: form }: FocusEvent<HTMLFormElement>): void {
      // A button shows the errors itself, or leaves the form.
      if (relatedTarget instanceof HTMLButtonElement || !isControl(target)) return;
      const { name } = target;
      if (state.edited.has(name))
        afterPress(() => dispatch({ type: "leave", name, errors: findErrors(form) }));
    },
    /** Shows all errors of the fields whose names begin with the prefix. @returns whether there are none */
    validate(form: HTMLFormElement, prefix: string): boolean {
      const hasPrefix = (name: string) => name.startsWith(prefix);
      const all = Object.entries(findErrors(form));
      const errors = Object.fromEntries(all.filter(([name]) => name === "" || hasPrefix(name)));
      dispatch({ type: "attempt", names: fieldNames(form).filter(hasPrefix), errors });
      return Object.keys(errors).length === 0;
    },
    /** Shows why the server refused the values. */
    reject(form: HTMLFormElement, reason: string): void {
      dispatch({ type: "reject", errors: errorsByField([reason], fieldNames(form)) });
    },
  };
}

function kindOf({ type, inputMode }: Control): "numeric" | "checkbox" | "text" {
  if (type === "checkbox") return "checkbox";
  return inputMode === "numeric" ? "numeric" : "text";
}

/**
 * Returns a function that runs an action which may move the layout. While a mouse button is down, the action waits for
 * the click: otherwise the click would miss its target.
 */
function useAfterPress(): (action: () => void) => void {
  const press = useRef<{ action?: () => void } | null>(null);
  useEffect(() => {
    const listening = new AbortController();
    const on = (event: "mousedown" | "mouseup", listener: () => void) =>
      addEventListener(event, listener, { capture: true, signal: listening.signal });
    on("mousedown", () => {
      press.current ??= {};
    });
    // The browser dispatches the click after mouseup, before the next timer.
    on("mouseup", () =>
      setTimeout(() => {
        press.current?.action?.();
        press.current = null;
      }),
    );
    return () => listening.abort();
  }, []);
  return (action) => {
    if (press.current) press.current.action = action;
    else action();
  };
}

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

function isControl(target: EventTarget): target is Control {
  return (
    target instanceof HTMLInputElement ||
    target instanceof HTMLSelectElement ||
    target instanceof HTMLTextAreaElement
  );
}

function fieldNames(form: HTMLFormElement): string[] {
  return [...form.elements].flatMap((one) => one.getAttribute("name") || []);
}

/** An error for each field that is incomplete, such as a date without its year. FormData shows these as empty. */
function incompleteFields(form: HTMLFormElement): string[] {
  const fields = [...form.elements].filter(isControl).filter(({ validity }) => validity.badInput);
  return fields.map(({ name }) => `${name} must be complete or empty`);
}

/** Moves the focus to the first field with an error, once the errors are rendered. */
export function focusFirstError(form: HTMLFormElement): void {
  requestAnimationFrame(() => form.querySelector<HTMLElement>("[aria-invalid=true]")?.focus());
}
