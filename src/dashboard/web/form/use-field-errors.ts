import { type FocusEvent, type FormEvent, useReducer } from "react";
import { nextState, untouched } from "./field-error-state.ts";
import { errorsByField } from "./field-errors.ts";
import { type Control, fieldNames, incompleteFields, isControl } from "./form-elements.ts";
import { useAfterPress } from "./use-after-press.ts";

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
