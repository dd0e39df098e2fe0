import { expect, test } from "bun:test";
import { join } from "node:path";
import fc from "fast-check";
import { encodeSegment, type ResultColumns } from "../../../src/domain/results/segments/segment.ts";
import {
  damageOf,
  readNumbers,
  readSegment,
  type SegmentRow,
  segmentOf,
} from "../../../src/store/results/segment-rows.ts";
import { columnsOf, segments } from "../../support/store/segments.ts";
import { tempDir } from "../../support/temp-dir.ts";

const MONITOR = 7;

test("behavior 6.12: no segment is read in which a bit of its data, or another column, is not as it was written", () => {
  const place = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
  const column = fc.constantFrom("monitorPk", "firstPk", "lastPk", "firstAt", "lastAt", "statuses");
  fc.assert(
    fc.property(segments, place, column, (results, at, name) => {
      const columns = columnsOf(results);
      const segment = segmentOf(MONITOR, columns);
      expect(readSegment(segment)).toEqual(columns);
      expect(damageOf(segment)).toBe(null);
      const data = segment.data.slice();
      const bit = Math.floor(at * data.length * 8);
      data[bit >> 3] = (data[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      for (const damaged of [
        { ...segment, data },
        { ...segment, [name]: segment[name] + 1 },
      ]) {
        expect(() => readSegment(damaged)).toThrow(RangeError);
        expect(() => readNumbers(damaged)).toThrow(RangeError);
        expect(damageOf(damaged)).not.toBe(null);
      }
    }),
    { numRuns: 300 },
  );
});

/** As a version before the first release wrote them. */
function unchecked(columns: ResultColumns): SegmentRow {
  const segment = segmentOf(MONITOR, columns);
  const { data } = encodeSegment(columns);
  data[0] = 1;
  return { ...segment, data };
}

test("behavior 6.12: a segment of a version without checksums is read, and a check compares its times and statuses with its row", () => {
  fc.assert(
    fc.property(segments, (results) => {
      const columns = columnsOf(results);
      const segment = unchecked(columns);
      expect(readSegment(segment)).toEqual(columns);
      expect([...readNumbers(segment).pks]).toEqual([...columns.pks]);
      expect(damageOf(segment)).toBe(null);
      const { statuses, lastAt, firstAt, lastPk } = segment;
      expect(damageOf({ ...segment, statuses: statuses ^ 1 })).toBe("their statuses are others");
      expect(damageOf({ ...segment, lastAt: lastAt + 1 })).toBe("their times are others");
      expect(damageOf({ ...segment, firstAt: firstAt + 1 })).toBe("their times are others");
      expect(damageOf({ ...segment, lastPk: lastPk + 1 })).toBe("they end with another result");
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
      for (const segment of [segmentOf(MONITOR, columns), unchecked(columns)])
        expect(decodeRow(rowOf(segment))).toEqual(rowsOf(columns));
      const damaged = rowOf(segmentOf(MONITOR, columns));
      damaged.statuses ^= 1;
      expect(() => decodeRow(damaged)).toThrow("a damaged segment");
    }),
  );
  expect(code.split("\n").length).toBeLessThan(70);
});

function rowOf({ monitorPk, firstPk, lastPk, firstAt, lastAt, statuses, count, data }: SegmentRow) {
  return {
    ...{ monitor_pk: monitorPk, first_pk: firstPk, last_pk: lastPk, first_at: firstAt, last_at: lastAt },
    ...{ statuses, count, data },
  };
}

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
