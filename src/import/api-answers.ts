import { type ReportOmission, textOf } from "./imported.ts";

/* Answers of an API of another product, which a user has saved in a file. */

/** The values of a text with one JSON value after another, as a shell writes them by `>>`; undefined for any other text. */
export function jsonValues(text: string): unknown[] | undefined {
  try {
    return partsOf(text).map((part) => JSON.parse(part));
  } catch {
    return undefined;
  }
}

/** The objects and lists of a text, and what is behind the last one. */
function partsOf(text: string): string[] {
  const parts: string[] = [];
  let [start, depth, isText] = [0, 0, false];
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (isText && character === "\\") at++;
    else if (character === '"') isText = !isText;
    else if (!isText && (character === "{" || character === "[")) depth++;
    else if (!isText && (character === "}" || character === "]") && --depth === 0) {
      parts.push(text.slice(start, at + 1));
      start = at + 1;
    }
  }
  const rest = text.slice(start);
  return rest.trim() === "" ? parts : [...parts, rest];
}

/** A number that may be written as a text. */
export function numberOf(value: unknown): number | undefined {
  const text = typeof value === "boolean" ? "" : (textOf(value)?.trim() ?? "");
  return text !== "" && Number.isFinite(Number(text)) ? Number(text) : undefined;
}

/** Whether a field of an answer says anything. */
export function isSet(value: unknown): boolean {
  if (value === undefined || value === null || value === "") return false;
  return typeof value !== "object" || Object.keys(value).length > 0;
}

/** Reports the fields of an entry that say something and are not known. */
export function omitUnknown(
  entry: Record<string, unknown>,
  known: ReadonlySet<string>,
  omit: ReportOmission,
): void {
  for (const [field, value] of Object.entries(entry))
    if (!known.has(field) && isSet(value)) omit(field, "stillup does not know this field");
}
