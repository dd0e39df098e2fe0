import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import fc from "fast-check";
import { BitReader, BitWriter } from "../../../src/domain/results/segments/bits.ts";
import { DURATIONS, emptyColumns, type ResultColumns } from "../../../src/domain/results/segments/columns.ts";
import { readRice, writeRice } from "../../../src/domain/results/segments/rice.ts";
import { decodeSegment, encodeSegment, MAX_RESULTS } from "../../../src/domain/results/segments/segment.ts";
import { tempDir } from "../../support/temp-dir.ts";

const START = Date.UTC(2027, 5, 1, 12);
const DAY = 24 * 60 * 60 * 1000;

interface Result {
  /** Numbers since the previous result. */
  distance: number;
  at: number;
  status: number;
  detail: number;
  /** By duration; null without it. */
  durations: (number | null)[];
}

const hundredths = fc.oneof(
  fc.nat(100_000),
  fc.constantFrom(0, 1, 2 ** 31, 2 ** 32 + 1, Number.MAX_SAFE_INTEGER / 8),
);
const result: fc.Arbitrary<Result> = fc.record({
  distance: fc.oneof(fc.integer({ min: 1, max: 5000 }), fc.integer({ min: 1, max: 2 ** 40 })),
  at: fc.integer({ min: -DAY, max: DAY }),
  status: fc.nat(15),
  detail: fc.oneof(fc.constantFrom(0, 7), fc.nat(2 ** 40)),
  durations: fc.tuple(...DURATIONS.map(() => fc.option(hundredths.map(Math.floor)))),
});
const segments = fc.array(result, { minLength: 1, maxLength: 200 });

function columnsOf(results: readonly Result[]): ResultColumns {
  const columns = emptyColumns(results.length);
  let pk = 0;
  for (const [at, { distance, at: time, status, detail, durations }] of results.entries()) {
    columns.pks[at] = pk += distance;
    columns.times[at] = START + time;
    columns.statuses[at] = status;
    columns.details[at] = detail;
    for (const [bit, value] of durations.entries()) {
      if (value === null) continue;
      columns.parts[at] = (columns.parts[at] ?? 0) | (1 << bit);
      (columns.durations[bit] as Float64Array)[at] = value;
    }
  }
  return columns;
}

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
      { numRuns: 300 },
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

test("the decoder of docs/result-segments.md decodes it", async () => {
  const page = await Bun.file(join(import.meta.dir, "../../../docs/result-segments.md")).text();
  const code = /```js\n(.*?)```/s.exec(page)?.[1] ?? "";
  using dir = tempDir();
  const file = join(dir.path, "decoder.js");
  await Bun.write(file, code);
  const { decodeSegment: decodeRow } = await import(file);
  fc.assert(
    fc.property(segments, (results) => {
      const columns = columnsOf(results);
      const { count, firstPk, firstAt, data } = encodeSegment(columns);
      expect(decodeRow({ count, first_pk: firstPk, first_at: firstAt, data })).toEqual(rowsOf(columns));
    }),
  );
  expect(code.split("\n").length).toBeLessThan(60);
});

/** The names of the durations on that page. */
const NAMES = ["resolve", "connect", "tls", "first_byte", "latency"];

function rowsOf({ count, pks, times, statuses, parts, details, durations }: ResultColumns) {
  return Array.from({ length: count }, (_, at) => ({
    pk: pks[at],
    created_at: times[at],
    status: statuses[at],
    parts: parts[at],
    detail: details[at],
    ...Object.fromEntries(
      NAMES.flatMap((name, bit) => (((parts[at] ?? 0) >> bit) & 1 ? [[name, durations[bit]?.[at]]] : [])),
    ),
  }));
}
