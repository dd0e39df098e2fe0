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
    errors[field] ??= field === "" ? sentence : withoutField(sentence, first);
  }
  return errors;
}

/** The name at the beginning of a sentence. A part in brackets may contain spaces: `config.expect.json["$['a b']"]`. */
const FIELD = /^(?:\["(?:[^"\\]|\\.)*"\]|[^ [])*/;

function withoutField(sentence: string, field: string): string {
  const rest = sentence.slice(field.length).replace(/^ (of )?/, "");
  return `${rest.charAt(0).toUpperCase()}${rest.slice(1)}.`;
}
