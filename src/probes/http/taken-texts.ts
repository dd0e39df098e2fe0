import type { Source } from "../../domain/checks/carried-values.ts";
import { type AnswerOfStep, takeValue } from "../../domain/checks/take-value.ts";
import { addSecrets } from "../../domain/evidence/secrets.ts";
import type { HttpConfig } from "./request.ts";
import type { Headers } from "./response-parser.ts";

/** A config of a step. @property takes what it takes of its answer, by name */
export type Taking = HttpConfig & { takes?: readonly (readonly [name: string, Source])[] };

/** The values that a step would take of an answer: as secret if it fails before it has taken them (behavior 26.87). */
export function valuesToTake(
  takes: NonNullable<Taking["takes"]>,
  headers: Headers,
  body: AnswerOfStep["body"],
): string[] {
  const cookie = (name: string) => cookieIn(headers, name);
  return takes.flatMap(([name, source]) => {
    const found = takeValue(name, source, { headers, body, cookie });
    return "value" in found ? [found.value] : [];
  });
}

function cookieIn(headers: Headers, wanted: string): string | undefined {
  for (const [name, line] of headers) {
    const [, cookie, value] = /^\s*([^=;]*?)\s*=\s*([^;]*)/.exec(line) ?? [];
    if (name.toLowerCase() === "set-cookie" && cookie === wanted) return value?.trimEnd();
  }
  return undefined;
}

/** Hides what a step would take of an answer in all texts about it. @param text of its body, as far as it is shown @returns the text to show */
export function withoutTakes(config: Taking, headers: Headers, text?: string): string | undefined {
  const { takes } = config;
  if (!takes) return text;
  const body = text === undefined ? undefined : { isCut: false, utf8: () => text };
  addSecrets(config, valuesToTake(takes, headers, body));
  const isOfBody = takes.some(([, { from }]) => from === "json");
  // Nothing can be found in JSON that was cut.
  return isOfBody && text !== undefined && isBrokenJson(text) ? "•••" : text;
}

function isBrokenJson(text: string): boolean {
  if (!/^\s*[[{"]/.test(text)) return false;
  try {
    JSON.parse(text);
    return false;
  } catch {
    return true;
  }
}
