import { expect, test } from "bun:test";
import { restOf, sentenceOf } from "../../../src/dashboard/web/overview/overview.tsx";
import { headlineOf, type StandingCounts } from "../../../src/domain/monitors/standing.ts";

const NONE: StandingCounts = {
  ...{ down: 0, warning: 0, waiting: 0, acknowledged: 0, maintenance: 0, healthy: 0, paused: 0 },
};

test.each<[Partial<StandingCounts>, string, string]>([
  [{ down: 1, healthy: 1 }, "1 of 2 is down", ""],
  [{ down: 2 }, "2 of 2 are down", ""],
  [{ warning: 1, healthy: 1 }, "1 of 2 has a warning", ""],
  [{ warning: 2, healthy: 1500 }, "2 of 1,502 have a warning", ""],
  [{ healthy: 2 }, "All monitors are healthy", ""],
  [{ healthy: 1, waiting: 1 }, "1 healthy, 1 waiting", ""],
  [{ waiting: 1 }, "Waiting for first results", ""],
  [{ paused: 1 }, "All monitors are paused", ""],
  [
    { down: 1, maintenance: 2, acknowledged: 1, healthy: 1 },
    "1 of 5 is down",
    "2 in maintenance · 1 acknowledged",
  ],
  [{ maintenance: 1, healthy: 1 }, "1 healthy", "1 in maintenance"],
  [{ acknowledged: 1 }, "Nothing else needs you", "1 acknowledged"],
])("behavior 16.367: the headline of %j is %j, and the rest %j", (some, sentence, rest) => {
  const counts = { ...NONE, ...some };
  expect(sentenceOf(headlineOf(counts).headline, counts)).toBe(sentence);
  expect(restOf(counts)).toBe(rest);
});
