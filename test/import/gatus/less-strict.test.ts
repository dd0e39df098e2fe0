import { expect, test } from "bun:test";
import type { Expectations } from "../../../src/domain/checks/expectation-rules.ts";
import { judgeAnswer } from "../../../src/domain/checks/expectations.ts";
import { endpoint } from "../../support/import/gatus.ts";
import { isMatch } from "../../support/import/pattern.ts";
import { walks } from "../../support/long.ts";
import { randomNumbers } from "../../support/people/random-numbers.ts";

/* The judgement of Gatus about a condition, written down from its documentation and its source, and not from the import. */

interface Seen {
  connected: boolean;
  status: number;
  /** Milliseconds. */
  time: number;
  body: string;
  rcode: string;
}

function isHealthyInGatus(conditions: string[], seen: Seen): boolean {
  return conditions.every((condition) => {
    const operator = ["==", "!=", "<=", ">=", ">", "<"].find((one) => condition.includes(` ${one} `));
    if (operator === undefined) return false;
    const [left = "", right = ""] = condition
      .split(` ${operator} `)
      .map((side) => resolve(side.trim(), seen));
    if (operator === "==") return areEqual(left, right);
    if (operator === "!=") return !areEqual(left, right);
    const [a, b] = [whole(left), whole(right)];
    if (operator === "<") return a < b;
    if (operator === "<=") return a <= b;
    return operator === ">" ? a > b : a >= b;
  });
}

function resolve(text: string, { connected, status, time, body, rcode }: Seen): string {
  const [, wrapper, inner = text] = /^(len|has)\((.*)\)$/.exec(text) ?? [];
  const values: Record<string, string> = {
    ...{ "[CONNECTED]": String(connected), "[STATUS]": String(status), "[RESPONSE_TIME]": String(time) },
    ...{ "[BODY]": body.trim(), "[DNS_RCODE]": rcode },
  };
  const path = /^\[BODY\][.[]/i.test(inner) ? inner.slice(6).replace(/^\./, "") : undefined;
  const value = path === undefined ? values[inner.toUpperCase()] : valueAt(path, body);
  const lengthOfJson = path === "" || inner.toUpperCase() !== "[BODY]" ? undefined : arrayLength(body);
  if (value === undefined && path === undefined) return text;
  if (wrapper === "has") return String(value !== undefined && (path !== undefined || value !== ""));
  if (value === undefined) return `${text} (INVALID)`;
  return wrapper === "len" ? String(lengthOfJson ?? Buffer.byteLength(value)) : value;
}

function arrayLength(body: string): number | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return Array.isArray(value) ? value.length : undefined;
  } catch {
    return undefined;
  }
}

function valueAt(path: string, body: string): string | undefined {
  try {
    let value: unknown = JSON.parse(body);
    for (const key of path.split(".")) value = (value as Record<string, unknown> | null)?.[key];
    if (value === undefined || value === null) return undefined;
    if (typeof value !== "number") return typeof value === "object" ? JSON.stringify(value) : String(value);
    const [digits, exponent] = value.toExponential().split("e");
    const size = Number(exponent);
    if (size >= -4 && size < 6) return String(value);
    return `${digits}e${size < 0 ? "-" : "+"}${String(Math.abs(size)).padStart(2, "0")}`;
  } catch {
    return undefined;
  }
}

function integer(text: string): number | undefined {
  if (/^-?[1-9]\d*$|^0$/.test(text)) return Number(text);
  if (/^0x[\da-f]+$/i.test(text)) return Number(text);
  return /^0[0-7]+$/.test(text) ? Number.parseInt(text, 8) : undefined;
}

function whole(text: string): number {
  const [, count, unit] = /^([\d.]+)(ms|s|m|h)$/.exec(text) ?? [];
  if (unit) return Math.trunc(Number(count) * { ms: 1, s: 1000, m: 60_000, h: 3_600_000 }[unit as "ms"]);
  return integer(text) ?? (/^-?[\d.]+(e[+-]?\d+)?$/.test(text) ? Math.trunc(Number(text)) : 0);
}

function areEqual(left: string, right: string): boolean {
  const [, name, inner = ""] = /^(pat|any)\((.*)\)$/s.exec(right) ?? [];
  if (name === "any") return inner.split(",").some((option) => option.trim() === left);
  if (name === "pat")
    return inner === "*" || new Bun.Glob(inner.replaceAll("/", "")).match(left.replaceAll("/", ""));
  const [a, b] = [integer(left), integer(right)];
  return a !== undefined && b !== undefined ? a === b : left === right;
}

/* Random endpoints and what they can answer. */

interface Random {
  pick<T>(list: readonly T[]): T;
}

function createRandom(seed: number): Random {
  const below = randomNumbers(seed);
  return { pick: (list) => list[below(list.length - 1)] as (typeof list)[number] };
}

const TEXTS = [
  "UP",
  "ok",
  "2.0",
  "2",
  "1e3",
  "007",
  "0x10",
  "1234567",
  "true",
  "null",
  "a/b",
  "",
  "-3",
  "2.5",
  "x y",
];
const NUMBERS = ["0", "1", "2", "-2", "2.5", "299", "500", "100ms", "1s", "1e3", "0x10", "010", "fast"];
const STATUSES = ["200", "204", "301", "404", "503", "999", "0", "2xx", "0310"];

function condition(random: Random): string {
  const pick = (list: readonly string[]) => random.pick(list);
  const compare = () => pick(["==", "!=", "<", "<=", ">", ">="]);
  const equal = () => pick(["==", "!="]);
  const path = pick([".a", ".b.c"]);
  const sides = pick(["status", "time", "path", "path", "text", "len", "has", "connected"]);
  if (sides === "status")
    return pick([
      `[STATUS] ${compare()} ${pick(STATUSES)}`,
      `${pick(STATUSES)} ${compare()} [STATUS]`,
      `[STATUS] ${equal()} any(${pick(STATUSES)}, ${pick(STATUSES)})`,
      `[STATUS] ${equal()} pat(${pick(["2*", "*", "20?", "4??", "9*"])})`,
    ]);
  if (sides === "time") return `[RESPONSE_TIME] ${compare()} ${pick(NUMBERS)}`;
  if (sides === "path")
    return pick([
      `[BODY]${path} ${equal()} ${pick(TEXTS)}`,
      `[BODY]${path} ${compare()} ${pick(NUMBERS)}`,
      `[BODY]${path} ${equal()} pat(${pick(["*", "*UP*", "2*"])})`,
      `[BODY]${path} ${equal()} any(${pick(TEXTS)}, ${pick(TEXTS)})`,
    ]);
  if (sides === "text")
    return pick([
      `[BODY] ${equal()} ${pick(TEXTS)}`,
      `[BODY] ${equal()} pat(${pick(["*", "", "*UP*", "*a/b*", "UP*", "*a*U*", "?b", "[^a]*", "[[]*]"])})`,
      `[BODY] ${equal()} any(${pick(TEXTS)}, ${pick(TEXTS)})`,
    ]);
  if (sides === "len") return `len([BODY]${pick(["", path])}) ${compare()} ${pick(["0", "1", "2"])}`;
  if (sides === "has") return `has([BODY]${pick(["", path])}) ${equal()} ${pick(["true", "false"])}`;
  return `[CONNECTED] ${equal()} ${pick(["true", "false", "TRUE"])}`;
}

function answer(random: Random): Seen {
  const value = random.pick([
    ...[0, 1, 2, 2.5, -0.5, -2, -3, 3, 7, 16, 1000, 1234567, true, false, null],
    ...TEXTS,
  ]);
  const body = random.pick([
    ...["", "UP", "ok a/b", "ab", "[]", "[1,2]", JSON.stringify(value)],
    ...[JSON.stringify({ a: value }), JSON.stringify({ b: { c: value }, a: "UP" })],
  ]);
  return {
    ...{ connected: true, rcode: "", body, status: random.pick([200, 204, 301, 404, 503]) },
    time: random.pick([0, 50, 99, 100, 250, 299, 499, 900, 1500]),
  };
}

test("behavior 16.112: an import of random conditions is never healthy where Gatus is not, unless it says so", () => {
  const random = createRandom(20_261_128);
  const unhealthy: object[] = [];
  const counts = { taken: 0, listed: 0, refused: 0, judged: 0 };
  for (let at = 0; at < walks(800); at++) {
    const conditions = Array.from({ length: random.pick([1, 1, 2, 3]) }, () => condition(random));
    const { monitor, omitted } = endpoint(
      JSON.stringify({ name: "a", url: "https://a.example.com/", conditions }),
    );
    if (!monitor) counts.refused++;
    else if (omitted.length > 0) counts.listed++;
    else counts.taken++;
    if (!monitor || omitted.length > 0) continue;
    for (let seen = 0; seen < 100; seen++) {
      const one = answer(random);
      // A note says that null is a value here.
      if (one.body.includes("null") && conditions.some((text) => text.includes("has("))) continue;
      if (!isHealthyHere((monitor.config as { expect?: Expectations }).expect, one)) continue;
      counts.judged++;
      if (!isHealthyInGatus(conditions, one)) unhealthy.push({ conditions, ...one, config: monitor.config });
    }
  }
  expect(unhealthy.slice(0, 3)).toEqual([]);
  // Otherwise the test would prove nothing.
  expect(counts.taken).toBeGreaterThan(walks(150));
  expect(counts.judged).toBeGreaterThan(walks(2000));
});

function isHealthyHere(expectations: Expectations | undefined, seen: Seen): boolean {
  if (!expectations) return true;
  const { within = Number.POSITIVE_INFINITY, matches = [], ...others } = expectations;
  const { status, body, time } = seen;
  const text = {
    raw: () => Buffer.from(body).toString("latin1"),
    isUtf8: () => true,
    text: () => body,
    utf8: () => body,
    isCut: false,
  };
  const isMatched = [matches].flat().every((pattern) => isMatch(pattern, body));
  return time < within && isMatched && judgeAnswer(others, { statusCode: status, body: text }) === null;
}
