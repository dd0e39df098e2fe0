import type { Ledger, Violation } from "../ledger.ts";

/** Checks of one monitor from one place never overlap (behavior 1.9). */
export function judgeOverlaps({ checks }: Ledger): Violation[] {
  const groups = Map.groupBy(checks, ({ monitor, place = "" }) => `${monitor} ${place}`);
  return [...groups.values()].flatMap((group) => {
    const ordered = group.toSorted((a, b) => a.startedAt - b.startedAt);
    return ordered.flatMap(({ monitor, startedAt }, at): Violation[] => {
      const before = ordered[at - 1];
      if (!before || before.endedAt <= startedAt) return [];
      const text = `a check starts ${before.endedAt - startedAt} ms before the end of the previous one`;
      return [{ rule: "checks of one monitor never overlap", at: startedAt, monitor, text }];
    });
  });
}
