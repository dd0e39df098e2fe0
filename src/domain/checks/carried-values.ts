import { isJson, parseJsonPath } from "./json-document.ts";

/* Values that a step of a check takes from its answer, and that later steps send (behavior 26.80 to 26.87). */

/** Where a value is taken from. */
export interface Source {
  from: "json" | "header" | "cookie";
  /** The path, or the name of the header or cookie. */
  name: string;
}

/** @param text such as `$.token`, `header:X-Token` or `cookie:sid` @returns undefined for any other text */
export function parseSource(text: string): Source | undefined {
  if (text.startsWith("$")) return parseJsonPath(text) && { from: "json", name: text };
  const [, header] = /^header:([!#$%&'*+.^_`|~\w-]+)$/.exec(text) ?? [];
  if (header !== undefined) return { from: "header", name: header };
  const [, cookie] = /^cookie:([^\s;=,"\p{Cc}]+)$/u.exec(text) ?? [];
  return cookie === undefined ? undefined : { from: "cookie", name: cookie };
}

const PLACEHOLDER = /\{\{([A-Za-z_][A-Za-z0-9_]*)\}\}/g;

/** The names that a text has as `{{NAME}}`. */
export function namesIn(text: string): string[] {
  return [...text.matchAll(PLACEHOLDER)].map(([, name = ""]) => name);
}

export type Values = Readonly<Record<string, string>>;

/** A text with the values in place of their names. */
function filled(text: string, values: Values, written: (value: string) => string): string {
  return text.replaceAll(PLACEHOLDER, (_, name: string) => written(values[name] ?? ""));
}

/**
 * @param url whose origin has no names
 * @returns the failure if a value is `.` or `..` between two slashes, with which the server would choose another path
 */
export function filledUrl(url: string, values: Values): { url: string } | { failure: string } {
  const complete = filled(url, values, inUrl);
  if (dotsIn(complete) === dotsIn(url)) return { url: complete };
  return { failure: "a value that is . or .. can't be sent as a part of the path of the URL" };
}

/** How many parts of the path are `.` or `..`, also encoded (WHATWG URL, 4.1). */
function dotsIn(url: string): number {
  const [path = ""] = url.split(/[?#]/, 1);
  return path.split(/[/\\]/).filter((part) => /^(?:\.|%2e){1,2}$/i.test(part)).length;
}

/**
 * The values are in headers as they are.
 *
 * @returns the failure if a value has a control character, which would end the header
 */
export function filledHeaders(
  headers: Record<string, string>,
  values: Values,
): { headers: Record<string, string> } | { failure: string } {
  for (const [header, text] of Object.entries(headers)) {
    const wrong = namesIn(text).find((name) => /\p{Cc}/u.test(values[name] ?? ""));
    if (wrong !== undefined)
      return {
        failure: `the value of ${wrong} has a control character: it can't be sent in the header ${header}`,
      };
  }
  const entries = Object.entries(headers).map(([name, text]) => [
    name,
    filled(text, values, (value) => value),
  ]);
  return { headers: Object.fromEntries(entries) };
}

/** A body as its type says: the type that its headers name, or the form that it has. */
export function filledBody(body: string, headers: Record<string, string>, values: Values): string {
  const kind = kindOfBody(body, headers);
  if (kind === "json") return filled(body, values, (value) => JSON.stringify(value).slice(1, -1));
  return filled(body, values, kind === "form" ? inUrl : (value) => value);
}

function inUrl(value: string): string {
  return encodeURIComponent(value.toWellFormed());
}

/** Pairs such as `user=ana&token={{TOKEN}}`. */
const FORM = /^[^\s=&]+=[^\s&]*(&[^\s=&]+=[^\s&]*)*$/;

function kindOfBody(body: string, headers: Record<string, string>): "json" | "form" | "text" {
  const [, type] = Object.entries(headers).find(([name]) => name.toLowerCase() === "content-type") ?? [];
  if (type === undefined) {
    // As a number and as a text, a 0 fits.
    const sample = body.replaceAll(PLACEHOLDER, "0");
    if (/^\s*[[{"]/.test(sample) && isJson(sample)) return "json";
    return FORM.test(body) ? "form" : "text";
  }
  const [media = ""] = type.toLowerCase().split(";");
  if (/[/+]json$/.test(media.trim())) return "json";
  return media.trim() === "application/x-www-form-urlencoded" ? "form" : "text";
}
