import { expect, test } from "bun:test";
import { isExplained } from "../../scripts/obstacles/judge/figures.ts";
import { type Blame, blameOf } from "../../scripts/obstacles/judge/layers.ts";
import type { Explained, Span } from "../../scripts/obstacles/judge/run.ts";
import { figuresIn } from "../../scripts/obstacles/judge/table.ts";
import { CLASSES } from "../../scripts/obstacles/registry.ts";
import { down, type Truth, UP } from "../../scripts/obstacles/scenario.ts";

const SPANS: Span[] = [0, 10_000, 20_000].map((at) => ({ begin: at, settled: at, end: at + 10_000 }));
const HEALTHY = ["up", "active", "present", "ok", "unknown"];

/** The verdict on the evidence of a target that is up, broken, and up. */
function blame(layers: Partial<Explained>[], broken: Truth = down("port", "refused")): Blame {
  const evidence = layers.map((one): Explained => {
    return { layer: "port", summary: "It refuses", status: "down", at: 12_000, bytes: 100, ...one };
  });
  const monitor = { type: "TCP" as const, config: { interval: 2, timeout: 1 } };
  const watched = { label: "it", monitor, truths: [UP, broken, UP], said: [], results: undefined };
  const whole = { ...watched, final: "up", advice: [], evidence };
  return blameOf({ scenario: "one", spans: SPANS, watched: [whole] }, whole);
}

test("evidence is right if it names a layer that the world broke", () => {
  expect(blame([{}])).toEqual({ right: 1, unknown: [], wrong: [], bytes: [100] });
  expect(blame([{ layer: "tls" }], down(["port", "tls"], "reset")).wrong).toEqual([]);
});

test("evidence is wrong if it names another layer, or blames a target that is good or that nobody can see", () => {
  expect(blame([{ layer: "dns" }]).wrong).toEqual([
    "dns (It refuses) for down 2.00 s after the begin of stage 2, instead of port",
  ]);
  expect(blame([{}, { at: 5000 }]).wrong).toHaveLength(1);
  expect(blame([{}], { ...UP, isUnseen: true }).wrong).toHaveLength(1);
  expect(blame([{ layer: "unknown" }], UP).wrong).toHaveLength(1);
});

test("evidence without a layer is unknown, and so is a failure without evidence", () => {
  expect(blame([{ layer: "unknown" }]).unknown).toHaveLength(1);
  expect(blame([]).unknown).toEqual(["nothing for down of stage 2"]);
  expect(blame([{}, { layer: "unknown" }], down(["port", "unknown"], "refused"))).toMatchObject({ right: 2 });
});

test("the course passes with 97 of 100 right layers, and with no wrong one", () => {
  const outcomes = (...counts: [number, number, number]) => {
    const one = (given: Partial<Blame>) => ({
      ...{ falses: [], missed: [], late: [], detections: [] },
      blame: { right: 1, unknown: [], wrong: [], bytes: [], ...given },
    });
    const kinds = [one({}), one({ unknown: ["x"] }), one({ wrong: ["x"] })];
    const verdicts = kinds.flatMap((kind, at) => Array.from({ length: counts[at] ?? 0 }, () => kind));
    return figuresIn(verdicts.map((verdict) => ({ scenario: "one", verdict })));
  };
  expect(isExplained(outcomes(97, 3, 0))).toBe(true);
  expect(isExplained(outcomes(96, 4, 0))).toBe(false);
  expect(isExplained(outcomes(99, 0, 1))).toBe(false);
});

test("each scenario names the layers of everything that a check may see of a broken target", () => {
  for (const { name, stages } of Object.values(CLASSES).flat())
    for (const { truths } of stages)
      for (const [label, { status, also = [], sees = [], layers = [], isUnseen }] of Object.entries(truths)) {
        const isJob = label.startsWith("job") || name.startsWith("job-");
        const isBroken = [status, ...also, ...sees].some((one) => !HEALTHY.includes(one));
        if (!isJob && !isUnseen) expect([name, label, layers.length > 0]).toEqual([name, label, isBroken]);
      }
});
