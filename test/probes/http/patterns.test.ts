import { afterEach, describe, expect, test } from "bun:test";
import { gzipSync } from "node:zlib";
import type { Expectations } from "../../../src/domain/checks/expectation-rules.ts";
import { faultInPatterns, type PatternFault } from "../../../src/probes/http/patterns.ts";
import { Lifetime } from "../../../src/probes/lifetime.ts";
import { observation } from "../../support/probes/observation.ts";
import { answer, startHttpServer } from "../../support/servers/http-answers.ts";

const servers: Disposable[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server[Symbol.dispose]();
});

async function check(
  sent: Uint8Array,
  expected: Expectations,
  options: Parameters<typeof observation>[2] = {},
) {
  const server = await startHttpServer(() => sent);
  servers.push(server);
  const url = `http://127.0.0.1:${server.port}/`;
  return observation("HTTP", { url, expect: expected }, options);
}

const html = (text: string | Uint8Array) => answer("200 OK", ["Content-Type: text/html"], text);

/** More than this takes a pattern that is made for it and this text. */
const MIB = 1024 * 1024;
let seed = 1;
const draw = () => {
  seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
  return seed >> 16;
};
const HOSTILE_TEXT = `c${Array.from({ length: MIB - 1 }, () => "ab"[draw() & 1]).join("")}`;
const HOSTILE = "(?i)a[ab]{900}c";

describe("behavior 26.133: a body matches", () => {
  test.each<[Expectations["matches"], boolean]>([
    ["v\\d+\\.\\d+", true],
    ["^v\\d", false],
    ["(?m)^v\\d", true],
    ["READY", false],
    ["(?i)READY", true],
    ["one.v1", false],
    ["(?s)one.v1", true],
    ["(?U)o.+e", true],
    ["\\Aone", true],
    ["ready\\z", true],
    ["\\p{Greek}", true],
    ["^.{4}$", false],
    [["one", "v1\\.2", "ready"], true],
    [["one", "v2", "v3"], false],
    ["\\Qv1.2\\E", true],
  ])("%j: %p", async (matches, isMet) => {
    const seen = await check(html("one\nv1.2 α\nready"), { matches: matches as string });
    expect(seen.outcome).toBe(isMet ? "reached" : "failed");
  });

  test("and if it does not, the message names the first pattern that is not met", async () => {
    const seen = await check(html("one"), { matches: ["o", "t.o", "three"] });
    expect(seen).toMatchObject({
      outcome: "failed",
      reason: "unexpected",
      detail: { statusCode: 200, message: 'the body does not match "t.o"' },
    });
  });

  test("in its own character set, and decoded", async () => {
    const head = ["Content-Type: text/html; charset=koi8-r", "Content-Encoding: gzip"];
    const sent = answer("200 OK", head, gzipSync(Buffer.from("\xef\xdb\xc9\xc2\xcb\xc1", "latin1")));
    expect(await check(sent, { matches: "^(?i)ошибка$" })).toMatchObject({ outcome: "reached" });
    expect(await check(sent, { matches: "Готово" })).toMatchObject({ outcome: "failed" });
    expect(await check(html(Buffer.from([0xff, 0x61])), { matches: "^\ufffda$" })).toMatchObject({
      outcome: "reached",
    });
  });

  test("only if the other expectations hold", async () => {
    expect(await check(html("one"), { lacks: "one", matches: "x" })).toMatchObject({
      detail: { message: 'the body contains "one"' },
    });
  });
});

test("behavior 26.135: a text that takes too long for a pattern is no failure of its target, and no other check waits", async () => {
  const lifetimes = [new Lifetime(), new Lifetime()];
  const hostile = lifetimes.map((lifetime) => check(html(HOSTILE_TEXT), { matches: HOSTILE }, { lifetime }));
  const others = [check(html("ready"), { contains: "ready" }), check(html("ready"), { matches: "dy$" })];
  expect(await Promise.all(others)).toMatchObject([{ outcome: "reached" }, { outcome: "reached" }]);
  const seen = await Promise.all(hostile);
  const tooLong = "Error: the patterns of expect.matches take too long for this text";
  expect(seen).toEqual([
    { outcome: "inconclusive", message: tooLong },
    { outcome: "inconclusive", message: tooLong },
  ]);
  expect(await check(html("ready"), { matches: "dy$" })).toMatchObject({ outcome: "reached" });
}, 60_000);

test("behavior 26.135: a check that is cancelled while it matches ends at once, and the next one matches", async () => {
  const lifetime = new Lifetime();
  const cancelled = check(html(HOSTILE_TEXT), { matches: HOSTILE }, { lifetime, timeout: 60_000 });
  const waiting = check(html("ready"), { matches: "dy$" });
  lifetime.close();
  expect(await cancelled).toMatchObject({ outcome: "inconclusive" });
  expect(await waiting).toMatchObject({ outcome: "reached" });
});

describe("behavior 26.134: a pattern is", () => {
  test("valid in the syntax of RE2 with its flags", async () => {
    expect(
      await faultInPatterns(["a", "(?i)a+?", "(?P<n>\\pL{1000})", "\\bx\\z", "[[:alpha:]]"]),
    ).toBeUndefined();
  });

  test.each<[string, PatternFault]>([
    ["(a", { code: "patternSyntax", why: "missing closing ): (a" }],
    ["a**", { code: "patternSyntax", why: "invalid nested repetition operator: **" }],
    ["(?=a)", { code: "patternSyntax", why: "invalid or unsupported Perl syntax: (?=" }],
    ["\\1", { code: "patternSyntax", why: "invalid escape sequence: \\1" }],
    ["a{1001}", { code: "patternSyntax", why: "invalid repeat count: {1001}" }],
    ["\\pL{1000}".repeat(100), { code: "patternTooLarge", size: 100_002, most: 10_000 }],
  ])("refused: %s", async (pattern, fault) => {
    expect(await faultInPatterns(["a", pattern, "("])).toEqual({ at: 1, fault });
  });
});
