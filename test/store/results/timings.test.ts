import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { packTimings, unpackTimings } from "../../../src/store/results/timings.ts";

const hundredths = fc.integer({ min: 0, max: 2_000_000 }).map((value) => value / 100);
const some = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });

describe("packed timings", () => {
  test("are unpacked with a precision of a hundredth of a millisecond", () => {
    const phases = fc.record({ resolve: some(hundredths), connect: some(hundredths), tls: some(hundredths) });
    fc.assert(
      fc.property(fc.option(hundredths), phases, (latencyMs, given) => {
        const known = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
        expect(unpackTimings(packTimings({ latencyMs, phases: known }))).toEqual({
          latencyMs,
          phases: known,
        });
      }),
    );
  });

  test("compute the time to the first byte from the latency and the other phases", () => {
    const timings = { latencyMs: 41.5, phases: { resolve: 0.25, connect: 13.06, tls: 15, firstByte: 13.17 } };
    expect(unpackTimings(packTimings(timings)).phases.firstByte).toBeCloseTo(13.19, 6);
  });

  test("keep a time to the first byte without a latency", () => {
    const timings = { latencyMs: null, phases: { firstByte: 3.5 } };
    expect(unpackTimings(packTimings(timings))).toEqual(timings);
  });

  test("take six bytes for a typical check", () => {
    expect(
      packTimings({ latencyMs: 41.5, phases: { resolve: 0.25, connect: 13.06, firstByte: 28.19 } }),
    ).toHaveLength(6);
  });

  test("keep the run that a check-in ended, in twelve bytes", () => {
    const run = { number: 412, startedAt: Date.UTC(2026, 10, 21, 3), durationMs: 492_495 };
    const packed = packTimings({ latencyMs: null, phases: {}, run });
    expect(packed).toHaveLength(12);
    expect(unpackTimings(packed)).toEqual({ latencyMs: null, phases: {}, run });
  });

  test("are null if nothing was measured", () => {
    expect(packTimings({ latencyMs: null, phases: {} })).toBeNull();
    expect(unpackTimings(null)).toEqual({ latencyMs: null, phases: {} });
  });
});
