import { type Environment, resolved } from "../variables.ts";
import { parseGoDuration } from "./go-duration.ts";

/** The number that a text of a condition is: durations in milliseconds. Undefined for any other text. */
export function numberIn(text: string, env: Environment): number | undefined {
  const value = resolved(text, env).trim();
  if (/^-?(0x[\da-f]+|\d+(\.\d+)?|\.\d+)$/i.test(value)) return Number(value);
  return parseGoDuration(value);
}

/** The milliseconds of a duration in a setting. Undefined for anything else. */
export function durationIn(value: unknown, env: Environment): number | undefined {
  return typeof value === "string" ? parseGoDuration(resolved(value, env).trim()) : undefined;
}

/** A setting that is true or false, which may be written as a text. */
export function booleanIn(value: unknown, env: Environment): boolean | undefined {
  if (typeof value === "boolean") return value;
  const text = typeof value === "string" ? resolved(value, env).toLowerCase() : "";
  if (["true", "yes", "on", "y"].includes(text)) return true;
  return ["false", "no", "off", "n"].includes(text) ? false : undefined;
}
