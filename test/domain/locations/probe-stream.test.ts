import { expect, test } from "bun:test";
import fc from "fast-check";
import {
  addSequence,
  containsSequence,
  type SequenceRanges,
} from "../../../src/domain/locations/protocol.ts";

test("behavior 13.18: the ranges contain exactly what was added, ascending and with gaps between them", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 60 })), (sequences) => {
      const ranges = sequences.reduce(addSequence, [] as SequenceRanges);
      const known = new Set(sequences);
      for (let one = 0; one <= 61; one++) expect(containsSequence(ranges, one)).toBe(known.has(one));
      for (const [at, [from, to]] of ranges.entries()) {
        expect(from).toBeLessThanOrEqual(to);
        expect(from).toBeGreaterThan((ranges[at - 1]?.[1] ?? -1) + 1);
      }
    }),
  );
});

test("behavior 13.18: of more than 1,000 gaps, the oldest counts as sent", () => {
  let ranges: SequenceRanges = [];
  for (let sequence = 2; sequence <= 2002; sequence += 2) ranges = addSequence(ranges, sequence);
  expect(ranges).toHaveLength(1000);
  expect(ranges[0]).toEqual([2, 4]);
  expect([3, 5].map((sequence) => containsSequence(ranges, sequence))).toEqual([true, false]);
});
