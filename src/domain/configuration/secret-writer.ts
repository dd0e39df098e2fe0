import { MASK } from "../schemas/mask.ts";
import { createVariableNames, literal, placeholder } from "./placeholder.ts";

/** Writes values as texts of a document: see `placeholder.ts`. */
export interface SecretWriter {
  /** A value without secrets. */
  plain<Value>(value: Value): Value;
  /**
   * A value with a placeholder for each secret.
   *
   * @param masked the same value with `•••` for each secret
   * @param owner what names a variable, besides the field: the type and the ref
   */
  masked<Value>(value: Value, masked: unknown, owner: string[]): Value;
  /** The variables of the placeholders that were written, in their order. */
  variables(): string[];
}

export function createSecretWriter(): SecretWriter {
  const nameOf = createVariableNames();
  const names: string[] = [];

  function write(value: unknown, masked: unknown, parts: string[]): unknown {
    if (masked === MASK && value !== undefined) {
      const name = nameOf(...parts);
      names.push(name);
      return placeholder(name);
    }
    if (typeof value === "string") return literal(value);
    if (Array.isArray(value)) return value.map((item) => write(item, undefined, parts));
    if (typeof value !== "object" || value === null) return value;
    const known = new Map(Object.entries((masked ?? {}) as object));
    const [type = "", ref = ""] = parts;
    return Object.fromEntries(
      Object.entries(value).map(([field, inner]) => [
        field,
        write(inner, known.get(field), [type, ref, field]),
      ]),
    );
  }

  return {
    plain: (value) => write(value, undefined, []) as typeof value,
    masked: (value, masked, owner) => write(value, masked, owner) as typeof value,
    variables: () => [...names],
  };
}
