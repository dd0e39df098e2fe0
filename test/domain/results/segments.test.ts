import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { BitReader, BitWriter, readRice, writeRice } from "../../../src/domain/results/segments/rice.ts";
import {
  decodeSegment,
  encodeSegment,
  MAX_RESULTS,
  type ResultColumns,
} from "../../../src/domain/results/segments/segment.ts";
import { walks } from "../../support/long.ts";
import { columnsOf, segments } from "../../support/store/segments.ts";

/** A check of a near site each minute that starts some milliseconds late. */
function steadyChecks(count: number): ResultColumns {
  return columnsOf(
    Array.from({ length: count }, (_, place) => {
      const latency = 3000 + ((place * 7919) % 400);
      const start = place * 60_000 + ((place * 31) % 4);
      return {
        distance: 1000 + (place % 3),
        at: start + Math.round(latency / 100),
        status: 1,
        detail: 5,
        durations: [50 + (place % 9), 700 + (place % 40), 900 + (place % 60), 1100 + (place % 90), latency],
      };
    }),
  );
}

describe("a segment", () => {
  test("has all results exactly", () => {
    fc.assert(
      fc.property(segments, (results) => {
        const columns = columnsOf(results);
        expect(decodeSegment(encodeSegment(columns))).toEqual(columns);
      }),
      { numRuns: walks(300) },
    );
  });

  test("has the most results that fit", () => {
    const columns = steadyChecks(MAX_RESULTS);
    expect(decodeSegment(encodeSegment(columns))).toEqual(columns);
  });

  test("has at most 7 bytes for each steady HTTPS check", () => {
    const { data } = encodeSegment(steadyChecks(60));
    expect(data.length / 60).toBeLessThan(7);
  });

  test("that is damaged is refused, or read with the same count", () => {
    const count = 60;
    const segment = encodeSegment(steadyChecks(count));
    fc.assert(
      fc.property(fc.nat(segment.data.length - 1), fc.integer({ min: 1, max: 255 }), (place, change) => {
        const data = segment.data.slice();
        data[place] = (data[place] ?? 0) ^ change;
        expect(countOf({ ...segment, data })).toBeOneOf([count, "refused"]);
      }),
    );
    for (let length = 0; length < segment.data.length; length++)
      expect(countOf({ ...segment, data: segment.data.slice(0, length) })).toBe("refused");
    expect(countOf({ ...segment, data: new Uint8Array([...segment.data, 0]) })).toBe("refused");
    expect(countOf({ ...segment, count: 0 })).toBe("refused");
    expect(countOf({ ...segment, count: MAX_RESULTS + 1 })).toBe("refused");
  });
});

function countOf(segment: ReturnType<typeof encodeSegment>): number | "refused" {
  try {
    return decodeSegment(segment).count;
  } catch (error) {
    expect(error).toBeInstanceOf(RangeError);
    return "refused";
  }
}

test("Rice codes have each whole number exactly", () => {
  const number = fc.oneof(
    fc.integer({ min: -1000, max: 1000 }),
    fc.integer(),
    fc.maxSafeInteger().map((value) => Math.trunc(value / 8)),
  );
  fc.assert(
    fc.property(fc.array(number, { maxLength: 200 }), (numbers) => {
      const out = new BitWriter();
      writeRice(out, Float64Array.from(numbers));
      const bits = new BitReader(out.finish());
      expect([...readRice(bits, numbers.length)]).toEqual(numbers.map((value) => value + 0));
      bits.assertEnd();
    }),
  );
});
