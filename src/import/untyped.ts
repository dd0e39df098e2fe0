/* Reading of values that another product wrote and whose types are not known. */

/** An object; empty for anything else. */
export function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}

/** The value of a JSON text; undefined for any other text. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** An array; empty for anything else. */
export function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Converts to text; removes unpaired surrogates. Undefined for an empty text, and for anything but texts, numbers and booleans. */
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

/** At most `max` characters of a text. */
export function cut(text: string, max: number): string {
  return [...text].slice(0, max).join("");
}

/** Decodes a part of a URL; a malformed one stays as it is. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A name in a JSONPath (RFC 9535), in quotes. */
export function quotedName(name: string): string {
  return `'${name.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}

/** A number that fits into limits: the nearest one. */
export function clamp(least: number, value: number, most: number): number {
  return Math.min(Math.max(least, value), most);
}
