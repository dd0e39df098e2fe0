/* Reading of values that another product wrote and whose types are not known. */

/** An object; empty for anything else. */
export function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}

/** An array; empty for anything else. */
export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A text, without halves of characters; numbers and booleans count as what they look like. Undefined for anything else, and for an empty text. */
export function textOf(value: unknown): string | undefined {
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  return typeof value === "string" && value !== "" ? value.toWellFormed() : undefined;
}

/** A whole number from `least` to `most`; undefined for anything else. */
export function integerOf(value: unknown, least: number, most: number): number | undefined {
  return Number.isInteger(value) && Number(value) >= least && Number(value) <= most
    ? Number(value)
    : undefined;
}

/** A number that fits into limits: the nearest one. */
export function clamp(least: number, value: number, most: number): number {
  return Math.min(Math.max(least, value), most);
}
