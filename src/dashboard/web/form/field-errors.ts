/** One sentence for each invalid field. Under the empty name: an error that belongs to no field of the form. */
export type FieldErrors = Record<string, string>;

/**
 * Assigns each sentence of the API to the field that it begins with, such as `config.port must be …` or
 * `name is required`. If a field has several, the first one wins.
 */
export function errorsByField(sentences: string[], fields: string[]): FieldErrors {
  const errors: FieldErrors = {};
  for (const sentence of sentences) {
    const [first = ""] = FIELD.exec(sentence) ?? [];
    const field =
      fields.find((one) => first === one || first.startsWith(`${one}.`) || first.startsWith(`${one}[`)) ?? "";
    errors[field] ??= field === "" ? sentence : withoutField(sentence, first, field);
  }
  return errors;
}

/** The name at the beginning of a sentence. A part in brackets may contain spaces: `config.expect.json["$['a b']"]`. */
const FIELD = /^(?:\["(?:[^"\\]|\\.)*"\]|[^ [])*/;

/** @param first the name in the sentence, which may be an entry of the field: then the error begins with its name */
function withoutField(sentence: string, first: string, field: string): string {
  const rest = sentence.slice(first.length).replace(/^ (of )?/, "");
  const entry = entryOf(first.slice(field.length));
  if (entry !== "") return `${entry} ${rest}.`;
  const asked = rest
    .replace(/^is required$/, "enter a value")
    .replace(/^must be (?=1 to \d+ characters$)/, field === "name" ? "enter a name of " : "enter ");
  return `${asked.charAt(0).toUpperCase()}${asked.slice(1)}.`;
}

/** The name of an entry, such as `$.a` for `["$.a"].min`. Empty for a position in a list. */
function entryOf(path: string): string {
  const [, quoted, plain = ""] = /^(?:\[("(?:[^"\\]|\\.)*")\]|\.([^.[]+))/.exec(path) ?? [];
  if (quoted !== undefined) return JSON.parse(quoted);
  return /^\d+$/.test(plain) ? "" : plain;
}

/** The actions of the reader in a form, and the errors that the form shows. */
interface FieldErrorState {
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
  /** The reader has changed a field; `errors` has the errors of all fields. */
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
