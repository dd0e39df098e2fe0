import { expect, test } from "bun:test";
import fc from "fast-check";
import { follow, objectsIn, untilAborted } from "../../src/discovery/follow.ts";
import { eventually } from "../support/eventually.ts";

/** A stream of the parts of a text. */
function streamOf(parts: readonly Uint8Array[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(part);
      controller.close();
    },
  });
}

async function objectsOf(parts: readonly (string | Uint8Array)[]): Promise<unknown[]> {
  const bytes = parts.map((part) => (typeof part === "string" ? new TextEncoder().encode(part) : part));
  return Array.fromAsync(objectsIn(streamOf(bytes)));
}

test("behavior 28.42, 28.48: the objects of a stream are the same, wherever its parts end", async () => {
  const objects = fc.array(fc.dictionary(fc.string(), fc.jsonValue()), { maxLength: 5 });
  const property = fc.asyncProperty(
    objects,
    fc.constantFrom("", "\n", " \r\n"),
    fc.integer({ min: 1, max: 9 }),
    async (given, between, size) => {
      const text = new TextEncoder().encode(given.map((one) => JSON.stringify(one)).join(between));
      const parts = Array.from({ length: Math.ceil(text.length / size) }, (_, at) =>
        text.slice(at * size, (at + 1) * size),
      );
      expect(await objectsOf(parts)).toEqual(given.map((one) => JSON.parse(JSON.stringify(one))));
    },
  );
  await fc.assert(property, { numRuns: 300 });
});

test("behavior 28.60: a stream of other text, and one whose object does not end, break", async () => {
  await expect(objectsOf(["<html>"])).rejects.toThrow("more than objects");
  await expect(objectsOf(["}"])).rejects.toThrow();
  await expect(objectsOf(["{]}"])).rejects.toThrow();
  const part = "a".repeat(1024 * 1024);
  await expect(objectsOf(['{"a":"', part, part, part, part, part])).rejects.toThrow("one that is too long");
});

test("behavior 28.42, 28.48: a stream is opened again after it ended, and later if it failed", async () => {
  let opened = 0;
  const following = follow(
    async () => {
      opened += 1;
      if (opened % 2 === 0) throw new Error("it broke");
    },
    { shortest: 1, longest: 2 },
  );
  await eventually(() => opened > 5);
  following.stop();
});

test("behavior 28.42, 28.48: what is followed ends while a stream is open, and while it waits", async () => {
  const signals: AbortSignal[] = [];
  const open = follow(
    (signal) => {
      signals.push(signal);
      return untilAborted(Promise.withResolvers<void>().promise, signal);
    },
    { shortest: 60_000, longest: 60_000 },
  );
  await eventually(() => signals.length === 1);
  open.stop();
  expect(signals[0]?.aborted).toBe(true);
});
