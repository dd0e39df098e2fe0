import { expect, test } from "bun:test";
import { union } from "../../../src/domain/reports/monthly-report.ts";
import { createMaintenanceRun } from "../../support/store/states.ts";
import { contractSuite } from "./suite.ts";
import { DAY, HOUR, MINUTE, NOW } from "./world.ts";

const MONTH = { from: Date.UTC(2027, 5), to: Date.UTC(2027, 6) };
const START = MONTH.from;

contractSuite("reports", (world) => {
  async function read(month = MONTH, tag?: string) {
    const found = [];
    for (let after: number | null = 0; after !== null; ) {
      const slice = await world().store.reports.readMonth(world().organizationId, { month, tag, after });
      found.push(...slice.monitors);
      after = slice.end;
    }
    return found;
  }

  const checkedOf = async () => (await read())[0]?.checked.toSorted((a, b) => a.from - b.from);

  test("behavior 14.82: a probed monitor was checked in each hour with results, and for an interval after it", async () => {
    const site = await world().site();
    for (const hours of [-30, -2, -1, 0, 1, 2, 5, 800])
      await world().up(site, { at: START + hours * HOUR + MINUTE });
    expect(await checkedOf()).toEqual([
      { from: START - 2 * HOUR, to: START + 3 * HOUR + MINUTE },
      { from: START + 5 * HOUR, to: START + 6 * HOUR + MINUTE },
    ]);
  });

  test("behavior 14.82: an hour with two statuses does not hide an hour without results", async () => {
    const site = await world().site();
    await world().up(site, { at: START });
    await world().down(site, START + MINUTE);
    await world().up(site, { at: START + 2 * HOUR });
    await world().up(site, { at: START + 50 * HOUR });
    expect(await checkedOf()).toEqual(
      [0, 2, 50].map((hour) => ({ from: START + hour * HOUR, to: START + (hour + 1) * HOUR + MINUTE })),
    );
  });

  test("behavior 14.82: results of other statuses and locations are checks too", async () => {
    const { id } = await world().location();
    const site = await world().placed(["here", id]);
    await world().up(site, { at: START });
    await world().down(site, START + HOUR);
    await world().up(site, { at: START + HOUR + MINUTE });
    expect(await checkedOf()).toEqual([{ from: START, to: START + 2 * HOUR + MINUTE }]);
  });

  test("behavior 14.82: hours are known in whatever order their results arrive, until they are deleted", async () => {
    const { id } = await world().location();
    const [site, placed] = [await world().site(), await world().placed(["here", id])];
    let hours = new Set<number>();
    const expectHours = async () => {
      const wanted = [...hours].map((hour) => START + hour * HOUR);
      const spans = union(wanted.map((from) => ({ from, to: from + HOUR + MINUTE })));
      for (const { checked } of await read()) expect(union(checked)).toEqual(spans);
    };
    // Each hour of the first 61 once, far from the one before, without the last ten.
    for (let step = 1; step < 51; step++) {
      const hour = (step * 17) % 61;
      const at = START + hour * HOUR + MINUTE;
      for (const monitor of [site, placed])
        await (step % 3 === 0 ? world().down(monitor, at) : world().up(monitor, { at }));
      hours.add(hour);
      if (step % 5 === 0) await expectHours();
    }
    const { pruneRollups } = world().store.housekeeping;
    for (const first of [7, 8, 30, 100]) {
      await pruneRollups(START + first * HOUR, 0);
      hours = new Set([...hours].filter((hour) => hour >= first));
      await expectHours();
    }
  });

  test("behavior 14.82: an edit that ends the open hour changes no hour", async () => {
    const site = await world().site();
    for (const hour of [0, 1, 4]) await world().up(site, { at: START + hour * HOUR });
    const before = await checkedOf();
    const changes = { config: { host: "b", port: 1, interval: 60 } };
    await world().store.monitors.update(world().owner, site, changes, START + 4 * HOUR + MINUTE);
    expect(await checkedOf()).toEqual(before);
    expect(before).toHaveLength(2);
  });

  test("behavior 14.82: a job is known from the day of its first check-in on", async () => {
    const job = await world().job();
    expect(await checkedOf()).toEqual([]);
    await world().checkin(job, "ok", START + DAY + HOUR);
    await world().checkin(job, "fail", START + 9 * DAY);
    expect(await checkedOf()).toEqual([{ from: START + DAY, to: MONTH.to }]);
  });

  test("behavior 14.81: outages that lasted in the month are read", async () => {
    const job = await world().job();
    const times = [-3, -2, -1, 1, 2, 3, 31, 32].map((days) => START + days * DAY);
    for (const [turn, at] of times.entries()) await world().checkin(job, turn % 2 === 0 ? "fail" : "ok", at);
    const outage = (startedAt: number, endedAt: number | null) => ({
      startedAt: START + startedAt * DAY,
      endedAt: endedAt && START + endedAt * DAY,
      downs: [{ from: START + startedAt * DAY, to: endedAt && START + endedAt * DAY }],
    });
    expect((await read())[0]?.outages).toMatchObject([outage(-1, 1), outage(2, 3)]);
    const open = await world().job();
    await world().checkin(open, "fail", START);
    expect((await read())[1]?.outages).toMatchObject([outage(0, null)]);
  });

  test("behavior 14.81: maintenances are those whose selector names the monitor", async () => {
    const [job, other] = [await world().job(), await world().job()];
    const { db } = world().opened;
    await createMaintenanceRun(db, { startsAt: START - DAY, endsAt: START + HOUR });
    await createMaintenanceRun(db, { startsAt: START - 2 * DAY, endsAt: START });
    await createMaintenanceRun(db, {
      startsAt: START + DAY,
      endsAt: null,
      selector: { monitorIds: [other] },
    });
    await createMaintenanceRun(db, { startsAt: MONTH.to, endsAt: null });
    const [first, second] = await read();
    const early = { from: START - DAY, to: START + HOUR };
    expect([first?.id, first?.maintenance]).toMatchObject([job, [early]]);
    expect(second?.maintenance).toMatchObject([early, { from: START + DAY, to: MONTH.to }]);
    expect(first?.maintenance).toHaveLength(1);
  });

  test("behavior 14.81: with an outage that began before the month, the maintenances since then are read", async () => {
    const job = await world().job();
    await world().checkin(job, "fail", START - 3 * DAY);
    await createMaintenanceRun(world().opened.db, { startsAt: START - 2 * DAY, endsAt: START - DAY });
    const [month] = await read();
    expect(month?.maintenance).toMatchObject([{ from: START - 2 * DAY, to: START - DAY }]);
  });

  test("behavior 14.80: all monitors are read, oldest first, in slices, or those with a tag", async () => {
    const ids: string[] = [];
    for (let count = 0; count < 25; count++) ids.push(await world().job());
    await (await world().another()).job();
    const all = await read();
    expect(all.map(({ id }) => id)).toEqual(ids);
    expect(all[0]).toMatchObject({ name: "job 1", type: "SCHEDULED", createdAt: NOW });
    const [tagged = ""] = ids.slice(17);
    await world().store.monitors.update(world().owner, tagged, { tags: ["db", "web"] }, NOW);
    expect((await read(MONTH, "web")).map(({ id }) => id)).toEqual([tagged]);
    expect(await read(MONTH, "w")).toEqual([]);
  });

  test("behavior 14.80: other work runs between the slices", async () => {
    for (let count = 0; count < 251; count++) await world().job();
    let isOtherDone = false;
    setImmediate(() => {
      isOtherDone = true;
    });
    await read();
    expect(isOtherDone).toBe(true);
  });
});
