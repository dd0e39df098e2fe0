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
  return `${rest.charAt(0).toUpperCase()}${rest.slice(1)}.`;
}

/** The name of an entry, such as `$.a` for `["$.a"].min`. Empty for a position in a list. */
function entryOf(path: string): string {
  const [, quoted, plain = ""] = /^(?:\[("(?:[^"\\]|\\.)*")\]|\.([^.[]+))/.exec(path) ?? [];
  if (quoted !== undefined) return JSON.parse(quoted);
  return /^\d+$/.test(plain) ? "" : plain;
}
