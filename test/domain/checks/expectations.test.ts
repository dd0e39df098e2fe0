import { expect, test } from "bun:test";
import type { Expectations } from "../../../src/domain/checks/expectation-rules.ts";
import { type Answer, judgeAnswer } from "../../../src/domain/checks/expectations.ts";

const textBody = (text: string): NonNullable<Answer["body"]> => ({
  raw: () => Buffer.from(text).toString("latin1"),
  isUtf8: () => true,
  text: () => text,
  utf8: () => text,
  isCut: false,
});

const of = (expected: Expectations, { code = 200, body = "", headers = [] as [string, string][] } = {}) =>
  judgeAnswer(expected, { statusCode: code, headers, body: textBody(body) });

test.each<[Expectations["status"], number, string | null]>([
  [undefined, 200, null],
  [undefined, 299, null],
  [undefined, 503, "503 Service Unavailable, expected 2xx"],
  [undefined, 301, "301 Moved Permanently, expected 2xx"],
  [["2xx"], 599, "599, expected 2xx"],
  [[404], 404, null],
  [[404], 200, "200 OK, expected 404"],
  [["200-204"], 204, null],
  [["200-204"], 205, "205 Reset Content, expected 200-204"],
  [["200-204"], 199, "199, expected 200-204"],
  [["2xx", 304, "400-404"], 500, "500 Internal Server Error, expected 2xx, 304 or 400-404"],
  [["5xx"], 500, null],
  [undefined, 999, "999, expected 2xx"],
  [[999], 999, null],
  [["9xx"], 999, null],
  [["600-999"], 599, "599, expected 600-999"],
])("behavior 10.17: with status %p, an answer %d is: %p", (status, code, failure) => {
  expect(of(status ? { status } : {}, { code })).toBe(failure);
});

test.each<[Expectations, string, string | null]>([
  [{ contains: "Basket" }, "a Basket", null],
  [{ contains: "Basket" }, "a basket", 'the body lacks "Basket"'],
  [{ contains: ["a", "b"] }, "ab", null],
  [{ contains: ["a", "b"] }, "a", 'the body lacks "b"'],
  [{ lacks: "Error" }, "error", null],
  [{ lacks: ["x", "Error"] }, "an Error", 'the body contains "Error"'],
  [{ contains: "Grüße €" }, "viele Grüße € 5", null],
  [{ contains: "ü" }, "\u00c3", 'the body lacks "ü"'],
])("behavior 10.18: %j of the body %p is: %p", (expected, body, failure) => {
  expect(of(expected, { body })).toBe(failure);
});

const document = JSON.stringify({
  state: "bad",
  queue: { depth: 140 },
  list: [{ x: 1 }],
  ok: false,
  none: null,
  empty: "",
});

test.each<[string, NonNullable<Expectations["json"]>[string], string | null]>([
  ["$.queue.depth", 140, null],
  ["$.queue.depth", { max: 100 }, "$.queue.depth is 140, expected at most 100"],
  ["$.queue.depth", { min: 141 }, "$.queue.depth is 140, expected at least 141"],
  ["$.queue.depth", { min: 140, max: 140 }, null],
  ["$.queue.depth", "140", '$.queue.depth is 140, expected "140"'],
  ["$.queue.depth", 100, "$.queue.depth is 140, expected 100"],
  ["$.state", "ok", '$.state is a string other than "ok"'],
  ["$.state", "bad", null],
  ["$.state", 1, "$.state is a string, expected 1"],
  ["$.state", { max: 1 }, "$.state is a string, expected at most 1"],
  ["$.state", { min: 0, max: 1 }, "$.state is a string, expected at least 0 and at most 1"],
  ["$.empty", "", null],
  ["$.ok", true, "$.ok is false, expected true"],
  ["$.ok", false, null],
  ["$.ok", 0, "$.ok is false, expected 0"],
  ["$.none", null, null],
  ["$.none", { exists: true }, null],
  ["$.none", "x", '$.none is null, expected "x"'],
  ["$.queue", "x", '$.queue is an object, expected "x"'],
  ["$.list", null, "$.list is an array, expected null"],
  ["$.list[0]['x']", 1, null],
  ["$.list[-1].x", 1, null],
  ["$.absent", "x", '$.absent is missing, expected "x"'],
  ["$.absent", null, "$.absent is missing, expected null"],
  ["$.absent", { max: 1 }, "$.absent is missing, expected at most 1"],
  ["$.absent", { exists: true }, "$.absent is missing, expected any value"],
  ["$.absent", { exists: false }, null],
  ["$.state", { exists: false }, "$.state is a string, expected no value"],
  ["$.constructor", { exists: false }, null],
  ["$['__proto__']", { exists: false }, null],
  ["$.state.length", { exists: false }, null],
])("behavior 10.19, 10.23: the value at %s, expected %j, is: %p", (path, expected, failure) => {
  expect(of({ json: { [path]: expected } }, { body: document })).toBe(failure);
});

test.each<[unknown, string | null]>([
  ["7", null],
  ["-0", null],
  ["7.50", null],
  ["75e-1", null],
  ["1E+1", null],
  ["11", "$.a is 11, expected at most 10"],
  ["-1", "$.a is -1, expected at least 0"],
  ["1e999", "$.a is Infinity, expected at most 10"],
  ["5 ", "a string"],
  [" 5", "a string"],
  ["5\n", "a string"],
  ["+5", "a string"],
  ["05", "a string"],
  [".5", "a string"],
  ["5.", "a string"],
  ["0x5", "a string"],
  ["1_0", "a string"],
  ["5%", "a string"],
  ["٥", "a string"],
  ["", "a string"],
  ["Infinity", "a string"],
  ["NaN", "a string"],
  [[5], "an array"],
  [true, "true"],
  [null, "null"],
])("behavior 26.136: the text %j as a number from 0 to 10 is: %p", (value, failure) => {
  const kind =
    failure?.startsWith("$") || failure === null
      ? failure
      : `$.a is ${failure}, expected at least 0 and at most 10`;
  expect(of({ json: { "$.a": { min: 0, max: 10 } } }, { body: JSON.stringify({ a: value }) })).toBe(kind);
});

test("behavior 26.136: a text that is a number is equal to a text only", () => {
  const body = JSON.stringify({ a: "5" });
  expect(of({ json: { "$.a": 5 } }, { body })).toBe("$.a is a string, expected 5");
  expect(of({ json: { "$.a": "5" } }, { body })).toBeNull();
});

test.each<[string, NonNullable<Answer["body"]>, string]>([
  ["that is not JSON", textBody("<html>"), "the body is not JSON"],
  ["that is empty", textBody(""), "the body is not JSON"],
  ["that is not UTF-8", { ...textBody("1"), utf8: () => undefined }, "the body is not JSON"],
  ["that is too large", { ...textBody("1"), isCut: true }, "the body is larger than 1 MiB"],
])("behavior 10.19: a body %s fails every path, also of a value that must not exist", (_, body, failure) => {
  const expected: Expectations = { json: { "$.a": { exists: false } } };
  expect(judgeAnswer(expected, { statusCode: 200, body })).toBe(failure);
});

test.each<[[string, string][], string | null]>([
  [[["Content-Type", "application/json; charset=utf-8"]], null],
  [[["content-type", "text/html"]], 'the header CONTENT-TYPE lacks "json"'],
  [[], 'the header CONTENT-TYPE is missing, expected "json" in it'],
  [
    [
      ["Content-Type", "a"],
      ["Content-type", "json"],
    ],
    null,
  ],
])("behavior 10.20: the header of %j contains a text: %p", (headers, failure) => {
  expect(of({ headers: { "CONTENT-TYPE": "json" } }, { headers })).toBe(failure);
});

test("behavior 10.21: no text of a server appears in any message", () => {
  const secret = "s3cr3t-of-the-server";
  const body = JSON.stringify({ a: secret, b: { [secret]: [secret] }, c: [secret] });
  const kinds: Expectations["json"] = { "$.a": "x" };
  for (const expected of [
    { contains: "x-y" },
    { json: kinds },
    { json: { "$.a": 1 } },
    { json: { "$.b": 1 } },
    { json: { "$.c": null } },
    { headers: { Server: "nginx" } },
  ] satisfies Expectations[]) {
    const message = of(expected, { body, headers: [["Server", secret]] });
    expect(message).toBeString();
    expect(message).not.toContain(secret);
  }
});
