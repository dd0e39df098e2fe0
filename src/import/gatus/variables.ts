import { literal, placeholder } from "../../domain/configuration/placeholder.ts";
import { type Environment, resolved } from "../output-config.ts";

/*
 * Gatus replaces `$NAME` and `${NAME}` in its file by variables of the environment, and `$$` by `$`. In a configuration
 * document only `${NAME}` is a placeholder.
 */

const TOKEN = /\$\$|\$\{([A-Za-z_]\w*)\}|\$([A-Za-z_]\w*)|\uE000(\w+)\uE001/g;

/**
 * A text of YAML in which `${NAME}` can be anywhere: Gatus replaces variables before it parses the text, so that the braces need
 * no quotes there. `writtenValue` knows the marks.
 */
export function withMarkedVariables(yaml: string): string {
  return yaml.replaceAll(/[\uE000\uE001]/g, "").replaceAll(TOKEN, (token, braced) => {
    return braced === undefined ? token : `\uE000${braced}\uE001`;
  });
}

/** The texts of a value of Gatus as a document writes them; keys stay as they are. */
export function writtenValue(value: unknown): unknown {
  if (typeof value === "string") return written(value.toWellFormed());
  if (Array.isArray(value)) return value.map(writtenValue);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, writtenValue(one)]));
}

function written(text: string): string {
  let result = "";
  let plain = "";
  let end = 0;
  for (const { 0: token, 1: braced, 2: bare, 3: marked, index } of text.matchAll(TOKEN)) {
    const name = braced ?? bare ?? marked;
    plain += text.slice(end, index) + (name === undefined ? "$" : "");
    end = index + token.length;
    if (name === undefined) continue;
    result += literal(plain) + placeholder(name);
    plain = "";
  }
  return result + literal(plain + text.slice(end));
}

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

const UNITS: Record<string, number> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3,
  μs: 1e-3,
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
};

const PART = /(\d+\.?\d*|\.\d+)(ns|us|µs|μs|ms|s|m|h)/g;

/** A duration as Go writes it, such as `1h30m` or `1.5s`. @returns milliseconds; undefined for any other text */
export function parseGoDuration(text: string): number | undefined {
  if (text === "0") return 0;
  if (text === "" || text.replaceAll(PART, "") !== "") return undefined;
  return text
    .matchAll(PART)
    .reduce((sum, [, count, unit = ""]) => sum + Number(count) * (UNITS[unit] ?? 0), 0);
}
