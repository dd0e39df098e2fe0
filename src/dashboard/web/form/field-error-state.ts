import type { FieldErrors } from "./field-errors.ts";

/** What the reader has done in a form, and the errors that the form shows. */
export interface FieldErrorState {
  /** Fields that the reader has changed. */
  edited: ReadonlySet<string>;
  /** Numeric fields that were valid once. A number that becomes invalid then is no longer an unfinished one. */
  wasValid: ReadonlySet<string>;
  /** Fields whose errors the form shows. */
  revealed: ReadonlySet<string>;
  shown: FieldErrors;
}

export type FieldErrorAction =
  /** The form got other fields. */
  | { type: "reset" }
  /** The reader has changed a field; `errors` are those of all fields. */
  | { type: "edit"; field: { name: string; kind: "numeric" | "checkbox" | "text" }; errors: FieldErrors }
  /** The focus has left a field that was edited. */
  | { type: "leave"; name: string; errors: FieldErrors }
  /** The reader wants to send the fields of these names. */
  | { type: "attempt"; names: string[]; errors: FieldErrors }
  /** The server has refused the values. */
  | { type: "reject"; errors: FieldErrors };

export const untouched: FieldErrorState = {
  edited: new Set(),
  wasValid: new Set(),
  revealed: new Set(),
  shown: {},
};

/**
 * A form shows the error of a field when the reader leaves it, makes a valid number invalid, changes a checkbox, or sends
 * the form. It hides the error as soon as the field is valid.
 */
export function nextState(state: FieldErrorState, action: FieldErrorAction): FieldErrorState {
  switch (action.type) {
    case "reset":
      return untouched;
    case "edit":
      return edit(state, action);
    case "leave":
      return show(state, including(state.revealed, action.name), action.errors);
    case "attempt":
      return { ...state, revealed: including(state.revealed, ...action.names), shown: action.errors };
    case "reject":
      return { ...state, shown: action.errors };
  }
}

function edit(
  state: FieldErrorState,
  { field, errors }: FieldErrorAction & { type: "edit" },
): FieldErrorState {
  const { name, kind } = field;
  const isValid = errors[name] === undefined;
  const wasValid = kind === "numeric" && isValid ? including(state.wasValid, name) : state.wasValid;
  const reveals = kind === "checkbox" || wasValid.has(name);
  const revealed = reveals ? including(state.revealed, name) : state.revealed;
  return show({ ...state, edited: including(state.edited, name), wasValid }, revealed, errors);
}

function show(state: FieldErrorState, revealed: ReadonlySet<string>, errors: FieldErrors): FieldErrorState {
  const shown = Object.fromEntries(Object.entries(errors).filter(([name]) => revealed.has(name)));
  return { ...state, revealed, shown };
}

function including(names: ReadonlySet<string>, ...added: string[]): ReadonlySet<string> {
  return new Set([...names, ...added]);
}
