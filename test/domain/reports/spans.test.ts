import { expect, test } from "bun:test";
import fc from "fast-check";
import { lengthOf, type Span, union, within, without } from "../../../src/domain/reports/monthly-report.ts";

const spanOf = (from: number, to: number): Span => ({ from, to });

const spans = fc.array(
  fc.tuple(fc.nat(50), fc.nat(50)).map(([from, length]) => spanOf(from, from + length)),
  { maxLength: 8 },
);

/** The moments of some spans, as a model. */
function momentsOf(some: readonly Span[]): Set<number> {
  return new Set(some.flatMap(({ from, to }) => Array.from({ length: to - from }, (_, at) => from + at)));
}

test("spans are united, clipped and cut like the sets of their moments", () => {
  fc.assert(
    fc.property(spans, spans, fc.nat(60), fc.nat(60), (some, others, from, length) => {
      const [a, b] = [momentsOf(some), momentsOf(others)];
      const limits = spanOf(from, from + length);
      expect(momentsOf(union(some))).toEqual(a);
      expect(momentsOf(without(some, others))).toEqual(a.difference(b));
      expect(momentsOf(within(some, limits))).toEqual(a.intersection(momentsOf([limits])));
      expect(lengthOf(some)).toBe(a.size);
    }),
  );
});

test("united spans are in order and do not touch", () => {
  expect(union([spanOf(5, 6), spanOf(1, 2), spanOf(2, 4), spanOf(3, 3)])).toEqual([
    spanOf(1, 4),
    spanOf(5, 6),
  ]);
});
