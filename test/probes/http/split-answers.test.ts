import { expect, test } from "bun:test";
import fc from "fast-check";
import { Connection } from "../../../src/probes/connections/connection.ts";
import { AnswerReader } from "../../../src/probes/http/answer-reader.ts";
import { ProbeError } from "../../../src/probes/probe-error.ts";
import { walks } from "../../support/long.ts";
import { answer, chunked } from "../../support/servers/http-answers.ts";

class SilentConnection extends Connection {
  write(): void {}
}

/** The steps that a check sees of an answer, or why it failed. */
async function seenOf(pieces: string[], { hasBody = true } = {}): Promise<string[]> {
  const connection = new SilentConnection("192.0.2.1");
  const reader = new AnswerReader(connection, { hasBody, isQuoted: () => false });
  const steps = [() => reader.statusCode(), () => reader.head(), () => reader.body()];
  const seen = (async () => {
    const results: string[] = [];
    for (const step of steps) {
      const result = await step().catch((error: ProbeError) => error);
      if (result instanceof Error && !(result instanceof ProbeError)) throw result;
      results.push(result instanceof Error ? `${result.reason}: ${result.message}` : textOf(result));
    }
    return results;
  })();
  for (const piece of pieces.filter((one) => one !== "")) {
    connection.receive(Buffer.from(piece, "latin1"));
    // The reader takes the piece before the next one arrives.
    await new Promise((resolve) => setImmediate(resolve));
  }
  connection.finish();
  return await seen;
}

function textOf(result: unknown): string {
  const { bytes, isCut } = result as { bytes?: Uint8Array; isCut?: boolean };
  return bytes ? `${Buffer.from(bytes).toString("latin1")} ${isCut}` : JSON.stringify(result);
}

const interim = fc.constantFrom(
  "HTTP/1.1 100 Continue\r\n\r\n",
  "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n\r\n",
  "HTTP/1.1 101 Switching Protocols\nUpgrade: x\nConnection: Upgrade\n\n",
);
const statusLine = fc.constantFrom(
  "HTTP/1.1 200 OK\r\n",
  "HTTP/1.0 500\n",
  "HTTP/1.1 204 No Content\r\n",
  "SSH-2.0-x\r\n",
);
const header = fc.constantFrom(
  "Server: x\r\n",
  "X-Folded: a\r\n\t b \r\n",
  "X-Empty:\n",
  "Not a header\r\n",
  "Content-Length: 5\r\n",
  "Content-Length: 6\r\n",
  "Transfer-Encoding: chunked\r\n",
  "Transfer-Encoding: gzip\r\n",
);
const body = fc.oneof(
  fc.string({ unit: "binary-ascii" }),
  fc.array(fc.string({ minLength: 1, unit: "binary-ascii" })).map((parts) => chunked(...parts)),
  fc.constant("5;a=b\r\nhello\r\n00\r\nX-Trailer: 1\r\n\r\nmore"),
);
const response = fc
  .tuple(fc.array(interim, { maxLength: 2 }), statusLine, fc.array(header, { maxLength: 4 }), body)
  .map(([before, line, headers, sent]) => `${before.join("")}${line}${headers.join("")}\r\n${sent}`);

/** Replaces some characters at a place, which is a share of the whole. */
const edit = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  removed: fc.constantFrom(0, 0, 1, 3, 10_000),
  added: fc.constantFrom("", "\r", "\n", "\r\n", " ", "\t", ":", ";", "0", "-", "f", "\0", "\xff"),
});

const edited = fc.tuple(response, fc.array(edit, { maxLength: 2 })).map(([text, edits]) =>
  edits.reduce((changed, { at, removed, added }) => {
    const place = Math.floor(at * changed.length);
    return changed.slice(0, place) + added + changed.slice(place + removed);
  }, text),
);

/** Where an answer is split: at shares of the whole, or between all bytes. */
const cuts = fc.oneof(
  fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 8 }),
  fc.constant("all" as const),
);

function split(text: string, at: number[] | "all"): string[] {
  if (at === "all") return [...text];
  const places = [
    0,
    ...at.map((share) => Math.floor(share * text.length)).sort((a, b) => a - b),
    text.length,
  ];
  return places.slice(1).map((end, index) => text.slice(places[index], end));
}

test("an answer gives the same result, however its bytes are split", async () => {
  const outcomes = new Set<string | undefined>();
  const property = fc.asyncProperty(edited, cuts, fc.boolean(), async (text, at, hasBody) => {
    const whole = await seenOf([text], { hasBody });
    expect(await seenOf(split(text, at), { hasBody })).toEqual(whole);
    outcomes.add(/^[a-z_]+(?=:)/.exec(whole.at(-1) ?? "")?.[0] ?? "read");
  });
  await fc.assert(property, { numRuns: walks(3000), seed: 1 });
  expect([...outcomes].sort()).toEqual(["bad_body", "closed", "not_http", "read"]);
}, 300_000);

const KIB = 1024;
const STATUS = "HTTP/1.1 200 OK\r\n";
/** Headers that end after some bytes of an answer. */
const headOf = (bytes: number) => `${STATUS}X: ${"x".repeat(bytes - STATUS.length - 7)}\r\n\r\n`;
const CHUNKED = answer("200 OK", ["Transfer-Encoding: chunked"]).toString();
/** Chunks of one byte, of which each takes as many bytes more. */
const overhead = (each: number, count: number) => `1;${"x".repeat(each - 6)}\r\nx\r\n`.repeat(count);
/** By how much 256 bytes of a body raise the bound of its framing. */
const ALLOWED = 256 / 16;

test.each([
  [
    "first line",
    `HTTP/1.1 200 ${"x".repeat(8 * KIB - 13)}\n\n`,
    `HTTP/1.1 200 ${"x".repeat(8 * KIB - 12)}\n\n`,
  ],
  ["head", headOf(64 * KIB), headOf(64 * KIB + 1)],
  [
    "size of a chunk",
    `${CHUNKED}1\r\nx\r\n1;${"x".repeat(64 * KIB - 6)}\r\nx\r\n0\r\n\r\n`,
    `${CHUNKED}1\r\nx\r\n1;${"x".repeat(64 * KIB - 5)}\r\nx\r\n0\r\n\r\n`,
  ],
  [
    "framing of a body",
    `${CHUNKED}${overhead(1024, 255)}${overhead(1024 + ALLOWED - CHUNKED.length - 5, 1)}0\r\n\r\n`,
    `${CHUNKED}${overhead(1024, 255)}${overhead(1024 + ALLOWED - CHUNKED.length - 4, 1)}0\r\n\r\n`,
  ],
])("behavior 10.22: the bound of the %s is the same, however its bytes are split", async (_, most, more) => {
  const splits = (text: string) => [[text], text.match(/.{1,1000}/gs) ?? [], text.match(/.{1,37}/gs) ?? []];
  for (const pieces of splits(most)) expect((await seenOf(pieces)).at(-1)).toEndWith(" false");
  const [whole = [], ...others] = await Promise.all(splits(more).map((pieces) => seenOf(pieces)));
  expect(whole.at(-1)).toMatch(/^(not_http|bad_body): /);
  for (const other of others) expect(other).toEqual(whole);
});
