import { partsOf, placeholder } from "../domain/configuration/placeholder.ts";

/* Variables in the texts of a configuration document. */

/** Whether a text of a document has a placeholder. */
export function hasVariable(text: string): boolean {
  return partsOf(text).some((part) => "name" in part);
}

/** The names of the variables in the texts of a value. */
export function variablesIn(value: unknown): string[] {
  if (typeof value === "string") return partsOf(value).flatMap((part) => ("name" in part ? [part.name] : []));
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(variablesIn);
}

export type Environment = Record<string, string | undefined>;

/** A text of a document with the values of its variables. A variable that is not set stays as it is. */
export function resolved(text: string, env: Environment): string {
  return partsOf(text)
    .map((part) => {
      if ("name" in part) return env[part.name] ?? placeholder(part.name);
      return "text" in part ? part.text : part.malformed;
    })
    .join("");
}

/** A value of a document, as `resolved`. */
export function resolvedValue<T>(value: T, env: Environment): T;
export function resolvedValue(value: unknown, env: Environment): unknown {
  if (typeof value === "string") return resolved(value, env);
  if (Array.isArray(value)) return value.map((one) => resolvedValue(one, env));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, resolvedValue(one, env)]));
}
