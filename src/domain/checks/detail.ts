import type { Detail } from "./observation.ts";

/** A detail contains texts of the target. These limits bound the size of one stored detail. */
const MAX_ENTRIES = 20;
const MAX_ENTRY_LENGTH = 255;
const MAX_TEXT_LENGTH = 1024;
const MAX_BYTES = 16 * 1024;

const encoder = new TextEncoder();

/**
 * Cuts a detail to at most 16 KiB: texts are truncated, lists end after 20 entries, and `omitted` counts the other
 * entries by field. If that is still too large, the limits are halved until it fits.
 */
export function boundDetail(detail: Detail): Detail {
  const { omitted, ...fields } = detail;
  const counts = omittedIn(fields, omitted as Counts | undefined);
  for (let scale = 1; ; scale /= 2) {
    const bounded = boundFields(fields, scale);
    if (Object.keys(counts).length > 0) bounded.omitted = counts;
    if (isAtMost(JSON.stringify(bounded), MAX_BYTES) || scale * MAX_TEXT_LENGTH < 1) return bounded;
  }
}

/** A UTF-16 unit takes at most 3 bytes of UTF-8, so that most texts need not be encoded. */
function isAtMost(text: string, bytes: number): boolean {
  return text.length * 3 <= bytes || encoder.encode(text).length <= bytes;
}

type Counts = Record<string, number>;

/** @param known how many entries each list lacks already */
function omittedIn(fields: Detail, known: Counts = {}): Counts {
  const counts = { ...known };
  for (const [name, value] of Object.entries(fields)) {
    if (!Array.isArray(value) || value.length <= MAX_ENTRIES) continue;
    counts[name] = (counts[name] ?? 0) + value.length - MAX_ENTRIES;
  }
  return counts;
}

function boundFields(fields: object, scale: number): Detail {
  // A copy, because each check has a detail: it takes less time than `Object.fromEntries`.
  const bounded: Detail = { ...fields };
  for (const name of Object.keys(bounded)) bounded[name] = boundValue(bounded[name], scale);
  return bounded;
}

function boundValue(value: unknown, scale: number): unknown {
  if (typeof value === "string") return cut(value, MAX_TEXT_LENGTH * scale);
  if (Array.isArray(value)) return value.slice(0, MAX_ENTRIES).map((entry) => boundEntry(entry, scale));
  return isObject(value) ? boundFields(value, scale) : value;
}

function boundEntry(entry: unknown, scale: number): unknown {
  return isObject(entry) ? boundFields(entry, scale) : cut(String(entry), MAX_ENTRY_LENGTH * scale);
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** Cuts a text to at most `longest` UTF-16 units, with an ellipsis. No character is split. */
function cut(text: string, longest: number): string {
  if (text.length <= longest) return text;
  return `${text.slice(0, Math.max(0, Math.floor(longest) - 1)).replace(/[\ud800-\udbff]$/, "")}…`;
}
