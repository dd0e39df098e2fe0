import { describe, expect, test } from "bun:test";
import { type PendingDelivery, planDigest, takesDigests } from "../../../src/domain/alerts/notify.ts";

/** Deliveries that were never tried. */
function fresh(...pks: number[]): PendingDelivery[] {
  return pks.map((pk) => ({ pk, attempts: 0, digestPk: null, hasCause: false }));
}

function inDigest(digestPk: number, attempts: number, ...pks: number[]): PendingDelivery[] {
  return pks.map((pk) => ({ pk, attempts, digestPk, hasCause: false }));
}

const tried: PendingDelivery = { pk: 1, attempts: 1, digestPk: null, hasCause: false };

describe("behavior 14.63: what is sent as one message", () => {
  test.each([
    ["nothing if nothing waits", [], [], false],
    ["one alone", fresh(1), [1], false],
    ["one alone, also if three wait", fresh(1, 2, 3), [1], false],
    ["four", fresh(1, 2, 3, 4), [1, 2, 3, 4], true],
    ["not what follows a retry of one alone", [tried, ...fresh(2, 3, 4, 5)], [1], false],
    [
      "not what is after another message",
      [...fresh(1, 2), ...inDigest(3, 1, 3, 4), ...fresh(5, 6)],
      [1],
      false,
    ],
    [
      "only what is before another message",
      [...fresh(1, 2, 3, 4), ...inDigest(5, 1, 5, 6), ...fresh(7)],
      [1, 2, 3, 4],
      true,
    ],
    ["not what was tried alone", [...fresh(1, 2, 3), { ...tried, pk: 4 }, ...fresh(5)], [1], false],
  ])("%s", (_, waiting, pks, isNew) => {
    expect(planDigest(waiting)).toEqual({ pks, isNew });
  });

  test("at most 5,000 notifications", () => {
    const waiting = fresh(...Array.from({ length: 5001 }, (_, at) => at + 1));
    expect(planDigest(waiting).pks).toHaveLength(5000);
  });

  test("never for a webhook", () => {
    expect(takesDigests({ type: "WEBHOOK" })).toBeFalse();
    for (const type of ["SLACK", "DISCORD", "TEAMS", "EMAIL"] as const)
      expect(takesDigests({ type })).toBeTrue();
  });
});

const withCause = (...pks: number[]) => fresh(...pks).map((one) => ({ ...one, hasCause: true }));

describe("behavior 22.26: of outages that share a cause with others", () => {
  test.each([
    ["two are one message", withCause(1, 2), [1, 2], true],
    ["one is alone", withCause(1), [1], false],
    ["what follows is not part of it", [...withCause(1, 2), ...fresh(3)], [1, 2], true],
    ["what precedes them is alone", [...fresh(1), ...withCause(2, 3)], [1], false],
    ["what follows is part of a storm", [...withCause(1, 2), ...fresh(3, 4)], [1, 2, 3, 4], true],
  ])("%s", (_, waiting, pks, isNew) => {
    expect(planDigest(waiting)).toEqual({ pks, isNew });
  });
});

describe("behavior 14.64: a retry", () => {
  test("has the same ones, and nothing that came later", () => {
    const waiting = [...inDigest(1, 1, 1, 2, 3, 4), ...fresh(5, 6, 7, 8)];
    expect(planDigest(waiting)).toEqual({ pks: [1, 2, 3, 4], isNew: false });
  });

  test("has what is left of them, also if it is one", () => {
    expect(planDigest([...inDigest(1, 1, 3), ...fresh(5, 6, 7, 8)])).toEqual({ pks: [3], isNew: false });
  });

  test("has the same ones if the first attempt did not count", () => {
    expect(planDigest([...inDigest(1, 0, 1, 2), ...fresh(5)])).toEqual({ pks: [1, 2], isNew: false });
  });
});
