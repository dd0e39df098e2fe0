import { expect, test } from "bun:test";
import { createScanTrigger, type ScanTrigger } from "../../../src/runner/checks/scan-trigger.ts";
import { createTestClock } from "../../support/clock.ts";

/** When scans run, in milliseconds after the start. */
async function scansAfter(act: (trigger: ScanTrigger) => void): Promise<number[]> {
  const clock = createTestClock();
  const scans: number[] = [];
  const scan = () => void scans.push(clock.monotonic());
  act(createScanTrigger({ clock, scan, lookAhead: 1500 }));
  await clock.advance(1000);
  return scans;
}

test("checks that end share a scan if one of the monitors is due before the next regular scan may find it", async () => {
  expect(await scansAfter(({ ended }) => [1499, 1, -5].forEach(ended))).toEqual([250]);
  expect(await scansAfter(({ ended }) => ended(1500))).toEqual([]);
});

test("a check whose monitor was changed or deleted is followed by a scan immediately", async () => {
  expect(await scansAfter(({ ended }) => ended(null))).toEqual([0]);
});

test("while due checks wait, each end and each closed socket causes a scan, sooner after a quick scan", async () => {
  const waiting = (took: number) => (trigger: ScanTrigger) => {
    trigger.planned({ moreWaiting: true, morePaced: false, took });
    trigger.ended(60_000);
    trigger.settled();
  };
  expect(await scansAfter(waiting(3))).toEqual([30]);
  expect(await scansAfter(waiting(80))).toEqual([250]);
  const nothingWaits = { moreWaiting: false, morePaced: false, took: 3 };
  expect(
    await scansAfter((trigger) => {
      waiting(3)(trigger);
      trigger.planned(nothingWaits);
    }),
  ).toEqual([30]);
  expect(
    await scansAfter((trigger) => {
      trigger.planned(nothingWaits);
      trigger.settled();
    }),
  ).toEqual([]);
});

test("while overdue checks wait only for their pace, a scan follows although no check ends", async () => {
  const paced = (trigger: ScanTrigger) => trigger.planned({ moreWaiting: false, morePaced: true, took: 3 });
  expect(await scansAfter(paced)).toEqual([250]);
});

test("after a stop, no check causes a scan", async () => {
  const scans = await scansAfter((trigger) => {
    trigger.stop();
    trigger.ended(1);
  });
  expect(scans).toEqual([]);
});
