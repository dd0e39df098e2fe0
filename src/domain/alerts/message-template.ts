import { fault } from "../faults/fault.ts";
import { truncate } from "../truncate.ts";

/** The placeholders of a template of a custom request (behavior 16.155). */
export const PLACEHOLDERS = [
  "monitor.name",
  "monitor.type",
  "status",
  "previousStatus",
  "reason",
  "why",
  "since",
  "link",
  "id",
  "text",
] as const;
export type Placeholder = (typeof PLACEHOLDERS)[number];

/** The values of the placeholders; an empty text for what a notification does not have. */
export type PlaceholderValues = Record<Placeholder, string>;

/** A part of a template: a text as it is, or a placeholder. */
type TemplatePart = { text: string } | { placeholder: Placeholder };

/** Anything in double braces, so that an unknown name is found. */
const MARK = /\{\{([^{}]*)\}\}/g;

/** @throws AppError `invalid` for an unknown placeholder @param at the path of the template in the request */
export function parseTemplate(template: string, at: string): TemplatePart[] {
  const parts: TemplatePart[] = [];
  let end = 0;
  for (const { 0: mark, 1: name = "", index } of template.matchAll(MARK)) {
    parts.push({ text: template.slice(end, index) }, { placeholder: known(name.trim(), at) });
    end = index + mark.length;
  }
  return [...parts, { text: template.slice(end) }];
}

function known(name: string, at: string): Placeholder {
  const placeholder = PLACEHOLDERS.find((one) => one === name);
  if (placeholder) return placeholder;
  const names = PLACEHOLDERS.map((one) => `{{${one}}}`).join(", ");
  throw fault("placeholders", { field: at, names });
}

/** A template with its placeholders replaced by escaped values. It was validated when it was saved. */
export function fillTemplate(
  template: string,
  values: PlaceholderValues,
  escapeValue: (value: string) => string,
): string {
  return parseTemplate(template, "the template")
    .map((part) => ("text" in part ? part.text : escapeValue(values[part.placeholder])))
    .join("");
}

/* Escapes of the values in a custom request (behavior 16.156): by where they are, so that a name changes nothing else. */

/**
 * The values for a template, cut so that all of them together have at most `limit` UTF-16 units before they are escaped (behavior
 * 16.158): a small template can repeat a long value thousands of times.
 */
export function boundedValues(values: PlaceholderValues, template: string, limit: number): PlaceholderValues {
  const marks = parseTemplate(template, "the template").filter((part) => "placeholder" in part);
  const longest = Math.floor(limit / Math.max(1, marks.length));
  const bounded = Object.entries(values).map(([name, value]) => [name, truncate(value, longest)]);
  return Object.fromEntries(bounded) as PlaceholderValues;
}

/** In a form, or in the path or the parameters of a URL. */
function escapeInUrl(value: string): string {
  return encodeURIComponent(value.toWellFormed());
}

/**
 * In the URL of a request. A segment `.` or `..` changes the path, also as `%2E`: other dots replace them in a value
 * that has nothing else.
 */
export function escapeInAddress(value: string): string {
  return escapeInUrl(/^\.{1,2}$/.test(value) ? value.replaceAll(".", "\u2024") : value);
}

/** The body of a custom request. */
export function fillBody(template: string, values: PlaceholderValues, contentType: string): string {
  const type = contentType.split(";")[0]?.trim().toLowerCase() ?? "";
  // Also lines of JSON, such as application/x-ndjson.
  if (/\/.*json/.test(type)) return fillJson(template, values);
  return fillTemplate(template, values, escapeFor(type));
}

function escapeFor(type: string): (value: string) => string {
  if (type === "application/x-www-form-urlencoded") return escapeInUrl;
  if (/^(application|text)\/xml$|\+xml$|^text\/html$/.test(type)) return escapeInMarkup;
  return onOneLine;
}

/** A text without an escape stays as it is, but adds no line. */
function onOneLine(value: string): string {
  return value.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]/gu, (character) => (character === "\t" ? character : " "));
}

/** In a string of the JSON, a value is escaped; outside of strings, it is a string itself. */
function fillJson(template: string, values: PlaceholderValues): string {
  // A body that is no JSON whatever its values are has no strings: its values are escaped as in one.
  let isInString = !isJson(template);
  const tracks = !isInString;
  return parseTemplate(template, "the template")
    .map((part) => {
      if ("placeholder" in part) return asJson(values[part.placeholder], isInString);
      if (tracks) isInString = endsInString(part.text, isInString);
      return part.text;
    })
    .join("");
}

/** Whether a template is JSON if each placeholder is a number. */
function isJson(template: string): boolean {
  const filled = parseTemplate(template, "the template").map((part) => ("text" in part ? part.text : "0"));
  try {
    JSON.parse(filled.join(""));
    return true;
  } catch {
    return false;
  }
}

function asJson(value: string, isInString: boolean): string {
  const quoted = JSON.stringify(value.toWellFormed());
  return isInString ? quoted.slice(1, -1) : quoted;
}

/** Whether a string of JSON is open after a text. */
function endsInString(text: string, isOpen: boolean): boolean {
  for (const [mark] of text.matchAll(/\\.|"/gs)) if (mark === '"') isOpen = !isOpen;
  return isOpen;
}

/** A parser changes tabs and line breaks that are not references. XML has no way to write the other control characters. */
function escapeInMarkup(value: string): string {
  return value
    .toWellFormed()
    .replaceAll(/[^\P{Cc}\t\n\r\x7f-\x9f]|[\ufffe\uffff]/gu, "\ufffd")
    .replaceAll(/[&<>"'\t\n\r]/g, (character) => `&#${character.charCodeAt(0)};`);
}
