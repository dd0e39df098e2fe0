import { describe, expect, test } from "bun:test";
import { afterBatch, isKeyShared, type ProbeStreams } from "../../../src/domain/locations/protocol.ts";

const MINUTE = 60_000;
const NOW = 1_800_000_000_000;

/** Batches of some streams, one letter each, a minute apart. @returns the minutes in which a replaced one returned */
function returnsIn(streams: string): number[] {
  let known: ProbeStreams = { stream: null, replacedStreams: [], streamReturnedAt: null };
  return [...streams].flatMap((stream, minute) => {
    known = afterBatch(known, stream, minute);
    expect(known.stream).toBe(stream);
    return known.streamReturnedAt === minute ? [minute] : [];
  });
}

describe("behavior 13.72: the key of a location is shared", () => {
  test.each([
    ["one probe", "aaaa", []],
    ["a probe that was installed again", "aabbb", []],
    ["a probe without a lasting disk", "abcdef", []],
    ["a replaced probe that sends again", "aabba", [4]],
    ["two probes in turn", "ababab", [2, 3, 4, 5]],
    ["two probes, several batches each", "aabbaabb", [4, 6]],
    ["three probes in turn", "abcabc", [3, 4, 5]],
    ["two probes, after one was installed again and again", "abcdefghbib", [8, 10]],
    ["a probe that was replaced by nine others", "abcdefghija", []],
  ])("%s: %s", (_, streams, returns) => expect(returnsIn(streams)).toEqual(returns));
});

test("behavior 13.73: the key counts as shared for 10 minutes, also if the clock was set back", () => {
  const streamReturnedAt = NOW;
  for (const [minutes, isShared] of [
    [0, true],
    [9.9, true],
    [10, false],
    [-9.9, true],
    [-10, false],
  ] as const)
    expect(isKeyShared({ streamReturnedAt }, NOW + minutes * MINUTE)).toBe(isShared);
  expect(isKeyShared({ streamReturnedAt: null }, NOW)).toBe(false);
});
