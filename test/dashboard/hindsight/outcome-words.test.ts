import { expect, test } from "bun:test";
import { outcomeWords } from "../../../src/dashboard/web/hindsight/outcome-words.ts";
import type { SummarizedOutcome } from "../../../src/domain/replay/figures.ts";
import type { Figure } from "../../../src/domain/replay/outcome.ts";
import { outcomeInWords } from "../../../src/domain/replay/words.ts";

const COUNTS: Figure[] = [0, 1, 3, { min: 0, max: 1 }, { min: 3, max: 5 }];
const DELAYS: Figure[] = [0, 38, -65, { min: -38, max: 5 }, { min: -38, max: 0 }, { min: 38, max: 60 }];

const outcomes = COUNTS.flatMap((notifications) =>
  COUNTS.flatMap((outages) =>
    DELAYS.flatMap((medianSeconds) =>
      [medianSeconds, 600].flatMap((maxSeconds) =>
        [[], [{}], [{}, {}]].map(
          (missed): SummarizedOutcome => ({
            present: { notifications: 3, outages: 3, downSeconds: 60 },
            changed: { notifications, outages, downSeconds: 60 },
            later: { medianSeconds, maxSeconds },
            ...{ missed, gone: [] },
          }),
        ),
      ),
    ),
  ),
);

test("behavior 25.42: in English, the page has the sentence of the command line", () => {
  expect(outcomes.map((outcome) => outcomeWords(outcome, 30))).toEqual(
    outcomes.map((outcome) => outcomeInWords(outcome, 30)),
  );
  const [first] = outcomes as [SummarizedOutcome];
  expect(outcomeWords(first, 1)).toBe(outcomeInWords(first, 1));
});

test("a large figure has separators between the thousands", () => {
  const [first] = outcomes as [SummarizedOutcome];
  const changed = { ...first.changed, notifications: 41_000 };
  expect(outcomeWords({ ...first, changed }, 30)).toStartWith("41,000 messages instead of 3 in 30 days");
});
