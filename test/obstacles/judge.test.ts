import { describe, expect, test } from "bun:test";
import { judge } from "../../scripts/obstacles/judge/judge.ts";
import type { Recorded, Run, Said, Span, Watched } from "../../scripts/obstacles/judge/run.ts";
import { down, silent, type Truth, UP } from "../../scripts/obstacles/scenario.ts";

/** Three stages of 10 s, each of which begins with a change that takes no time. */
const SPANS: Span[] = [0, 10_000, 20_000].map((at) => ({ begin: at, settled: at, end: at + 10_000 }));
const DOWN = down("port", "refused");
const MONITOR = { type: "TCP" as const, config: { interval: 2, timeout: 1 } };

let count = 0;
const said = (at: number, status: string, more: Partial<Said> = {}): Said => ({
  ...{ status, at, checkedAt: at, id: String(++count) },
  ...(status === "down" && { reason: "refused" }),
  ...more,
});

/** A result every 2 s, each with what was true. */
function resultsOf(truths: Truth[]): Recorded[] {
  return SPANS.flatMap(({ begin }, stage) => {
    const truth = truths[stage];
    if (!truth || truth.isUnseen) return [];
    const [reason] = truth.reasons ?? [];
    return [500, 2500, 4500, 6500, 8500].map((ms) => ({
      ...{ status: truth.status, createdAt: begin + ms },
      ...(reason && { reason }),
    }));
  });
}

/** The verdict on a monitor of a target that is up, down and up. It is truthful by default. */
function verdictOf(change: Partial<Watched> = {}, spans = SPANS) {
  const truths = change.truths ?? [UP, DOWN, UP];
  const truthful: Watched = {
    ...{ label: "it", monitor: MONITOR, truths, results: resultsOf(truths), final: "up", advice: [] },
    said: [said(11_000, "down"), said(21_500, "up")],
  };
  return judge({ scenario: "one", spans, watched: [{ ...truthful, ...change }] } satisfies Run);
}

const RIGHT = { falses: [], missed: [], late: [] };

test("a truthful monitor is right, and its detections are measured", () => {
  expect(verdictOf()).toMatchObject(RIGHT);
  expect(verdictOf().detections).toEqual([
    { took: 1000, expected: 2000 },
    { took: 1500, expected: 2000 },
  ]);
});

describe("it is false", () => {
  test.each<[string, Partial<Watched>, string]>([
    [
      "to say that a good target is down",
      { said: [said(5000, "down"), said(11_000, "down"), said(21_500, "up")] },
      "said down (refused) 5.00 s after the begin of stage 1",
    ],
    [
      "to name another reason",
      { said: [said(11_000, "down", { reason: "timeout" }), said(21_500, "up")] },
      "said down (timeout) 1.00 s after the begin of stage 2",
    ],
    [
      "to say it twice",
      { said: [said(11_000, "down"), said(13_000, "down"), said(21_500, "up")] },
      "said down (refused) twice 3.00 s after the begin of stage 2",
    ],
    [
      "to record it without a word",
      { results: [...resultsOf([UP, DOWN, UP]), { status: "down", reason: "reset", createdAt: 25_000 }] },
      "recorded down (reset) 5.00 s after the begin of stage 3",
    ],
    [
      "to record a single check that nothing explains",
      {
        results: [...resultsOf([UP, DOWN, UP]), { status: "up", seen: { status: "down" }, createdAt: 5000 }],
      },
      "recorded down 5.00 s after the begin of stage 1",
    ],
    [
      "to record anything while the target can't be seen",
      {
        truths: [UP, { ...UP, isUnseen: true }, UP],
        said: [],
        results: [...resultsOf([UP, { ...UP, isUnseen: true }, UP]), { status: "up", createdAt: 15_000 }],
      },
      "recorded up 5.00 s after the begin of stage 2",
    ],
    [
      "to give wrong advice",
      { truths: [UP, DOWN, { ...UP, advice: ["weak_key"] }], advice: [] },
      "advised nothing instead of weak_key",
    ],
  ])("%s", (_, change, line) => {
    expect(verdictOf(change).falses).toContain(line);
  });
});

test("what a check may see is no error while it waits for confirmation, and is one if it is said", () => {
  const truths: Truth[] = [UP, { ...UP, sees: ["down"] }, UP];
  const seen = { status: "up", seen: { status: "down", reason: "refused" }, createdAt: 15_000 };
  const results = [...resultsOf(truths), seen];
  expect(verdictOf({ truths, results, said: [] })).toMatchObject(RIGHT);
  expect(verdictOf({ truths, results, said: [said(15_000, "down")] }).falses).toHaveLength(1);
});

test("a check that meets the end of a listener may say that it was reset, and a later one may not", () => {
  const resetAt = (at: number) => ({
    said: [said(at, "down", { reason: "reset" }), said(21_500, "up")],
    results: [...resultsOf([UP, DOWN, UP]), { status: "down", reason: "reset", createdAt: at }],
  });
  expect(verdictOf(resetAt(10_010))).toMatchObject(RIGHT);
  for (const at of [5000, 10_500, 20_010]) {
    expect(verdictOf(resetAt(at)).falses).toContainEqual(expect.stringContaining("recorded down (reset)"));
  }
});

test("a target may be degraded while the stand-ins are late", () => {
  const slow = { ...resultsOf([UP])[0], status: "degraded", createdAt: 5000 };
  const truths = [UP, UP, UP];
  const watched = { label: "it", monitor: MONITOR, truths, final: "up", advice: [], said: [] };
  const falsesWith = (from: number) =>
    judge({
      ...{ scenario: "slow", spans: SPANS, stalls: [{ from, to: from + 100 }] },
      watched: [{ ...watched, results: [...resultsOf(truths), slow] }],
    }).falses;
  expect(falsesWith(4500)).toEqual([]);
  expect(falsesWith(3000)).toHaveLength(1);
});

test("the same notification may arrive twice, if it has the same ID", () => {
  const again = said(11_000, "down");
  expect(verdictOf({ said: [again, { ...again, at: 13_000 }, said(21_500, "up")] })).toMatchObject(RIGHT);
});

describe("it is missed", () => {
  test("if nothing is said", () => {
    const { missed, detections } = verdictOf({ said: [] });
    expect(missed).toEqual(["down of stage 2 was known not within 10.00 s, at the latest 3.00 s"]);
    expect(detections).toEqual([]);
  });

  test("if the recovery is not said", () => {
    expect(verdictOf({ said: [said(11_000, "down")] }).missed).toEqual([
      "up of stage 3 was known not within 10.00 s, at the latest 3.00 s",
    ]);
  });

  test("if the status is wrong at the end", () => {
    expect(verdictOf({ final: "down" }).missed).toEqual(["the status was down at the end instead of up"]);
  });

  test("of one of two monitors, whose label it has", () => {
    const [spans, truths] = [SPANS, [UP, DOWN, UP]];
    const own = { monitor: MONITOR, truths, results: resultsOf(truths), final: "up", advice: [] };
    const good = { ...own, label: "good", said: [said(11_000, "down"), said(21_500, "up")] };
    const { missed } = judge({
      scenario: "two",
      spans,
      watched: [good, { ...own, label: "mute", said: [] }],
    });
    expect(missed).toEqual([expect.stringContaining("mute: down of stage 2")]);
  });
});

describe("it is late", () => {
  test.each([
    ["an interval and a second after a change", {}, DOWN, 3000],
    ["the timeout more for a target that does not answer", {}, silent("port", "refused"), 4000],
    ["an interval more for each confirmation", { confirmations: 2 }, DOWN, 7000],
    ["a time that the truth names, and a second", {}, { ...DOWN, within: 5 }, 6000],
  ])("more than %s", (_, more, truth, latest) => {
    const lateOf = (ms: number) =>
      verdictOf({
        monitor: { ...MONITOR, ...more },
        truths: [UP, truth, UP],
        said: [said(10_000 + ms, "down"), said(21_500, "up")],
      });
    expect(lateOf(latest)).toMatchObject(RIGHT);
    expect(lateOf(latest + 1)).toMatchObject({
      ...RIGHT,
      late: [expect.stringContaining("down of stage 2")],
    });
  });

  test("if no check saw a stage", () => {
    const results = resultsOf([UP, DOWN, UP]).filter(({ createdAt }) => createdAt < 22_000);
    expect(verdictOf({ results }).late).toEqual([
      "1 checks saw stage 3, which lasted 10.00 s, with an interval of 2.00 s",
    ]);
  });

  test("but not while stillup is broken, as long as it is known afterwards and only what is true is said", () => {
    const truths: Truth[] = [UP, { ...DOWN, mayWait: true }, DOWN];
    const [early, later] = [said(11_000, "down"), said(21_000, "down")];
    const broken = { truths, results: resultsOf([UP, { ...DOWN, isUnseen: true }, DOWN]), final: "down" };
    expect(verdictOf({ ...broken, said: [early] })).toMatchObject(RIGHT);
    expect(verdictOf({ ...broken, said: [later] })).toMatchObject(RIGHT);
    expect(verdictOf({ ...broken, said: [] }).missed).toEqual([expect.stringContaining("down of stage 3")]);
    expect(verdictOf({ ...broken, said: [said(15_000, "degraded"), later] }).falses).toHaveLength(1);
  });

  test("but not if nobody can see the stage, or no history is kept", () => {
    const truths = [UP, DOWN, { ...UP, isUnseen: true as const }];
    expect(verdictOf({ truths, said: [said(11_000, "down")], final: "up" }).late).toEqual([]);
    expect(verdictOf({ results: undefined })).toMatchObject(RIGHT);
  });
});
