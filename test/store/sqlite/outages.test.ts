import { afterEach, beforeEach, expect, test } from "bun:test";
import { enginesByName } from "../../support/store/engines.ts";
import { Ledger } from "../../support/store/ledger.ts";

const MINUTE = 60_000;
const NOW = Date.UTC(2027, 5, 1, 12);

let ledger: Ledger;

beforeEach(async () => {
  ledger = await Ledger.create(enginesByName.sqlite);
});

afterEach(() => ledger[Symbol.asyncDispose]());

async function outages(id: string) {
  return (await ledger.store.monitors.findReport(ledger.organization.id, { id, range: "1d" }, NOW)).outages;
}

test("an outage lasts from the first unhealthy result to the next healthy one", async () => {
  const site = await ledger.site();
  for (const at of [0, 3, 4])
    await site.down(NOW + at * MINUTE).then(() => site.up(10, NOW + (at + 0.5) * MINUTE));
  await site.down(NOW + 6 * MINUTE);
  const detail = { reason: "refused" };
  expect((await outages(site.id)).map(({ id: _, ...outage }) => outage)).toEqual([
    { start: NOW + 6 * MINUTE, end: null, status: "down", detail },
    { start: NOW + 4 * MINUTE, end: NOW + 4.5 * MINUTE, status: "down", detail },
    { start: NOW + 3 * MINUTE, end: NOW + 3.5 * MINUTE, status: "down", detail },
    { start: NOW, end: NOW + 0.5 * MINUTE, status: "down", detail },
  ]);
});

test.each<[string, (id: string, at: number) => Promise<unknown>]>([
  ["of the monitor", (id, at) => ledger.store.monitors.update(ledger.owner, id, { enabled: false }, at)],
  ["of all monitors", (_, at) => ledger.store.monitors.pauseAll(ledger.organization.id, at)],
])("a pause %s ends an outage", async (_, pause) => {
  const job = await ledger.job();
  await ledger.checkin(job, "fail", NOW);
  await pause(job, NOW + MINUTE);
  await ledger.checkin(job, "fail", NOW + 2 * MINUTE);
  expect(await outages(job)).toMatchObject([{ start: NOW, end: NOW + MINUTE }]);
  await ledger.store.monitors.update(ledger.owner, job, { enabled: true }, NOW + 3 * MINUTE);
  await ledger.checkin(job, "fail", NOW + 4 * MINUTE);
  expect(await outages(job)).toMatchObject([{ start: NOW + 4 * MINUTE, end: null }, { start: NOW }]);
});

test("the outages of a deleted monitor are deleted in the background", async () => {
  const job = await ledger.job();
  await ledger.checkin(job, "fail", NOW);
  await ledger.store.monitors.delete(ledger.organization.id, job);
  while (await ledger.store.housekeeping.sweepDeletedMonitors());
  expect(await ledger.db.rows("SELECT * FROM outages")).toEqual([]);
});

test("behavior 14.53: an outage that a version without stretches began was down by its worst status", async () => {
  const site = await ledger.site();
  await site.down(NOW);
  await ledger.db.rows("DELETE FROM outage_downs");
  await site.up(10, NOW + MINUTE);
  const [{ id = "" } = {}] = await outages(site.id);
  const { downs } = await ledger.store.outages.find(ledger.organization.id, id);
  expect(downs).toEqual([{ from: NOW, to: NOW + MINUTE }]);
});
