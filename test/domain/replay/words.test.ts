import { expect, test } from "bun:test";
import type { SummarizedOutcome } from "../../../src/domain/replay/figures.ts";
import type { Figure } from "../../../src/domain/replay/outcome.ts";
import { outcomeInWords } from "../../../src/domain/replay/words.ts";

const NONE: SummarizedOutcome = {
  present: { outages: 0, notifications: 0, downSeconds: 0 },
  changed: { outages: 0, notifications: 0, downSeconds: 0 },
  later: { medianSeconds: 0, maxSeconds: 0 },
  missed: [],
  gone: [],
};

/** @param messages present and changed @param outages present and changed */
function outcome(
  messages: [number, Figure],
  outages: [number, Figure] = [0, 0],
  others: Partial<SummarizedOutcome> = {},
): SummarizedOutcome {
  return {
    ...NONE,
    present: { ...NONE.present, notifications: messages[0], outages: outages[0] },
    changed: { ...NONE.changed, notifications: messages[1], outages: outages[1] },
    ...others,
  };
}

const later = (medianSeconds: Figure, maxSeconds: Figure = medianSeconds) => ({
  later: { medianSeconds, maxSeconds },
});

test.each<[string, SummarizedOutcome]>([
  ["3 messages instead of 41 in 30 days; the 3 outages 38 s later", outcome([41, 3], [20, 3], later(38))],
  ["1 message instead of 2 in 30 days; the 1 outage 1 min 5 s later", outcome([2, 1], [1, 1], later(65))],
  ["0 messages instead of 1 in 30 days", outcome([1, 0], [1, 0])],
  ["1 message instead of 0 in 30 days", outcome([0, 1], [1, 1])],
  [
    "3 to 5 messages instead of 41 in 30 days; the 2 to 3 outages 38 s to 1 min later",
    outcome([41, { min: 3, max: 5 }], [20, { min: 2, max: 3 }], later({ min: 38, max: 60 })),
  ],
  [
    "3 messages instead of 41 in 30 days; the 3 outages 38 s later, at most 10 min later",
    outcome([41, 3], [20, 3], later(38, 600)),
  ],
  [
    "3 messages instead of 41 in 30 days; the 3 outages at most 10 min later",
    outcome([41, 3], [20, 3], later(0, 600)),
  ],
  ["41 messages instead of 3 in 30 days; the 3 outages 38 s earlier", outcome([3, 41], [3, 20], later(-38))],
  [
    "41 messages instead of 3 in 30 days; the 3 outages 38 s earlier to 5 s later",
    outcome([3, 41], [3, 20], later({ min: -38, max: 5 })),
  ],
  [
    "4 messages instead of 3 in 30 days; the 2 outages 0 s to 38 s earlier",
    outcome([3, 4], [3, 2], later({ min: -38, max: 0 })),
  ],
  ["6 messages as before in 30 days; the 3 outages 5 min later", outcome([6, 6], [3, 3], later(300))],
  ["0 messages as before in 30 days; 1 outage instead of 4", outcome([0, 0], [4, 1])],
  [
    "4 messages instead of 6 in 30 days; 1 outage without a message",
    outcome([6, 4], [3, 3], { missed: [{}] as never }),
  ],
  [
    "4 messages instead of 6 in 30 days; the 2 outages 38 s later; 1 outage without a message",
    outcome([6, 4], [3, 3], { missed: [{}] as never, ...later(38) }),
  ],
  ["nothing would differ in 30 days: 6 messages", outcome([6, 6], [3, 3])],
  ["nothing would differ in 30 days: 0 messages", NONE],
  [
    "nothing would differ in 30 days: 6 messages",
    outcome([6, { min: 6, max: 6 }], [3, { min: 3, max: 3 }], later({ min: 0, max: 0 })),
  ],
  ["5 to 6 messages instead of 6 in 30 days", outcome([6, { min: 5, max: 6 }], [3, 3])],
])("behavior 25.42: an outcome reads %j", (sentence, given) => {
  expect(outcomeInWords(given, 30)).toBe(sentence);
});

test("behavior 25.42: one day is not several", () => {
  expect(outcomeInWords(NONE, 1)).toBe("nothing would differ in 1 day: 0 messages");
});
