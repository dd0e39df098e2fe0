import { expect, test } from "bun:test";
import type { Ledger } from "../../../../scripts/simulator/ledger.ts";
import { judgeMisses } from "../../../../scripts/simulator/oracle/calm/in-windows.ts";
import type { MonitorSituation, Situation } from "../../../../scripts/simulator/oracle/calm/situation.ts";

const MINUTE = 60_000;

/** A job of every 15 minutes, with a grace of a minute, that checked in at 0 and missed a run; all times in minutes. */
function broken(missedAt: number, windows: [from: number, to: number][]): string[] {
  const monitor = { name: "job", type: "SCHEDULED", config: { period: 900, grace: 60 } };
  const stretches = windows.map(([from, to]) => ({ from: from * MINUTE, to: to * MINUTE }));
  const inWindow = { surely: stretches, possibly: stretches };
  const result = (status: string, at: number) => ({ monitor: "job", status, createdAtWall: at * MINUTE });
  const results = [result("ok", 0), result("havent_heard", missedAt)];
  const [one, all] = [{ monitor, inWindow }, { ledger: { results } as unknown as Ledger }];
  return judgeMisses(one as unknown as MonitorSituation, all as Situation).map(({ rule }) => rule);
}

const RULE = "no run is missed in a window";

test("A run may be missed one period and grace after the window that excused the silence, and in a later window", () => {
  expect(broken(16, [])).toEqual([]);
  expect(broken(41, [[12, 25]])).toEqual([]);
  expect(
    broken(41, [
      [12, 25],
      [38, 50],
    ]),
  ).toEqual([]);
});

test("A run that is missed in the window, or too soon after it, breaks a rule", () => {
  expect(broken(16, [[12, 25]])).toEqual([RULE]);
  expect(broken(40, [[12, 25]])).toEqual([RULE]);
});

test("A run that is missed in a window after an earlier one of the same silence breaks no rule", () => {
  expect(
    broken(16, [
      [2, 5],
      [12, 25],
    ]),
  ).toEqual([]);
});
