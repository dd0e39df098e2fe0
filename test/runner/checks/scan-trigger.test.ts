import { expect, test } from "bun:test";
import { createScanTrigger, type ScanTrigger } from "../../../src/runner/checks/due-starts.ts";
import { createTestClock } from "../../support/clock.ts";

/** When scans and refills run, in milliseconds after the start. */
async function runsAfter(act: (trigger: ScanTrigger) => void) {
  const clock = createTestClock();
  const runs = { scans: [] as number[], refills: [] as number[] };
  const scan = () => void runs.scans.push(clock.monotonic());
  const refill = () => void runs.refills.push(clock.monotonic());
  act(createScanTrigger({ clock, scan, refill, lookAhead: 1500 }));
  await clock.advance(1000);
  return runs;
}

const scansAfter = async (act: (trigger: ScanTrigger) => void) => (await runsAfter(act)).scans;

test("checks that end share a scan if one of the monitors is due before the next regular scan may find it", async () => {
  expect(await scansAfter(({ ended }) => [1499, 1, -5].forEach(ended))).toEqual([250]);
  expect(await scansAfter(({ ended }) => ended(1500))).toEqual([]);
});

test("a check whose monitor was changed or deleted is followed by a scan immediately", async () => {
  expect(await scansAfter(({ ended }) => ended(null))).toEqual([0]);
});

test("while due checks wait, each end and each closed socket causes a refill, sooner after a quick one", async () => {
  const waiting = (took: number) => (trigger: ScanTrigger) => {
    trigger.planned({ moreWaiting: true, morePaced: false, took });
    trigger.ended(60_000);
    trigger.settled();
  };
  expect(await runsAfter(waiting(3))).toEqual({ scans: [], refills: [30] });
  expect(await runsAfter(waiting(80))).toEqual({ scans: [], refills: [250] });
  const nothingWaits = { moreWaiting: false, morePaced: false, took: 3 };
  expect(
    await runsAfter((trigger) => {
      waiting(3)(trigger);
      trigger.planned(nothingWaits);
    }),
  ).toEqual({ scans: [], refills: [30] });
  expect(
    await runsAfter((trigger) => {
      trigger.planned(nothingWaits);
      trigger.settled();
    }),
  ).toEqual({ scans: [], refills: [] });
});

test("while overdue checks wait only for their pace, a refill follows although no check ends", async () => {
  const paced = (trigger: ScanTrigger) => trigger.planned({ moreWaiting: false, morePaced: true, took: 3 });
  expect(await runsAfter(paced)).toEqual({ scans: [], refills: [250] });
});

test("a scan takes the place of a refill that waits", async () => {
  const both = (trigger: ScanTrigger) => {
    trigger.planned({ moreWaiting: false, morePaced: true, took: 3 });
    trigger.ended(1);
  };
  expect(await runsAfter(both)).toEqual({ scans: [250], refills: [] });
});

test("after a stop, no check causes a scan", async () => {
  const scans = await scansAfter((trigger) => {
    trigger.stop();
    trigger.ended(1);
  });
  expect(scans).toEqual([]);
});
