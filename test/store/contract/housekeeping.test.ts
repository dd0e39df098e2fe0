import { describe, expect, test } from "bun:test";
import { pruneAll } from "../../support/store/packed.ts";
import { countRows, createMaintenanceRun } from "../../support/store/states.ts";
import { contractSuite } from "./suite.ts";
import { allSlices, DAY, HOUR, NOW, untilDone, type World } from "./world.ts";

contractSuite("housekeeping", (world, _, slow) => {
  describe("the sweep of deleted monitors", () => {
    slow("ends, and leaves what belongs to other monitors", async () => {
      const { store, organizationId } = world();
      const channel = await world().channel();
      const [gone, kept] = [await world().job(channel), await world().job(channel)];
      await alternate(world(), gone, 150);
      await alternate(world(), kept, 3);
      const before = await remainderOf(world(), kept, channel);
      await store.monitors.delete(organizationId, gone);
      expect(await remainderOf(world(), kept, channel)).toEqual(before);
      expect(await store.deliveries.countPending(organizationId)).toBe(153);
      await untilDone(() => store.housekeeping.sweepDeletedMonitors());
      expect(await store.deliveries.countPending(organizationId)).toBe(3);
      expect(await remainderOf(world(), kept, channel)).toEqual(before);
      expect(await store.housekeeping.sweepDeletedMonitors()).toBeFalse();
    });

    test("never gives the results of a deleted monitor to a new one", async () => {
      const { store, organizationId } = world();
      const gone = await world().job();
      await world().checkin(gone, "ok");
      await store.monitors.delete(organizationId, gone);
      const created = await world().job();
      expect(await world().results(created)).toEqual([]);
      await world().checkin(created, "ok");
      await untilDone(() => store.housekeeping.sweepDeletedMonitors());
      expect(await world().results(created)).toHaveLength(1);
    });
  });

  describe("the sweep of deleted channels", () => {
    test("changes no outcome, because the deliveries failed with the deletion", async () => {
      const { store, organizationId } = world();
      const [gone, kept] = [await world().channel(), await world().channel()];
      const job = await world().job(gone, kept);
      await alternate(world(), job, 120);
      await store.channels.delete(organizationId, gone);
      const outcomes = async () =>
        (await world().results(job)).flatMap(({ alertOutcome }) => alertOutcome?.channels ?? []);
      const before = await outcomes();
      expect(before.filter(({ channelId }) => channelId === gone)).toHaveLength(120);
      for (const { channelId, status, error } of before) {
        const isGone = channelId === gone;
        expect([status, error]).toEqual(isGone ? ["failed", "the channel was deleted"] : ["pending", null]);
      }
      await untilDone(() => store.housekeeping.sweepDeletedChannels());
      expect(await outcomes()).toEqual(before);
      expect(await store.housekeeping.sweepDeletedChannels()).toBeFalse();
    });

    test("never gives the deliveries of a deleted channel to a new one", async () => {
      const { store, organizationId } = world();
      const gone = await world().channel();
      await alternate(world(), await world().job(gone), 1);
      await store.channels.delete(organizationId, gone);
      const created = await world().channel();
      await untilDone(() => store.housekeeping.sweepDeletedChannels());
      const page = { limit: 50, cursor: undefined };
      expect((await store.deliveries.list(organizationId, created, page)).items).toEqual([]);
      expect(await world().due()).toEqual([]);
    });
  });

  describe("old results", () => {
    slow("behavior 6.8: are deleted by the day, and no others", async () => {
      const job = await world().job();
      const times = Array.from({ length: 60 }, (_, at) => NOW - 75 * DAY - (60 - at) * (DAY / 2));
      for (const at of times) await world().checkin(job, "ok", at);
      const before = NOW - 90 * DAY;
      await pruneAll(world().store, before);
      const from = before - (before % DAY);
      const kept = (await world().results(job)).map(({ createdAt }) => createdAt);
      expect(kept).toEqual(times.filter((at) => at >= from).toReversed());
    });

    test("are no longer the latest results of lists", async () => {
      const { store, organizationId } = world();
      const site = await world().site();
      await world().down(site, NOW - 40 * DAY);
      const latest = async () => {
        const slices = store.monitors.list(organizationId, { type: undefined, range: "90d" }, NOW);
        const [listed] = await allSlices(slices);
        const [snapshot] = await allSlices(store.monitors.listSnapshots(organizationId, { now: NOW }));
        return [listed?.latestResult?.status, snapshot?.latest?.status, snapshot?.detail];
      };
      expect(await latest()).toEqual(["down", "down", { reason: "refused" }]);
      await pruneAll(world().store, NOW - 30 * DAY);
      expect(await latest()).toEqual([undefined, undefined, null]);
    });

    slow("behavior 6.8: are deleted without effect on uptime and history", async () => {
      const { store, organizationId } = world();
      const job = await world().job();
      const times = [80, 40, 20, 2].map((days) => NOW - days * DAY);
      await alternateAt(world(), job, times);
      const past = async () => {
        const { uptime, history } = await store.monitors.findReport(
          organizationId,
          { id: job, range: "90d" },
          NOW,
        );
        return { uptime, history };
      };
      const before = await past();
      expect(before.uptime["90d"]).toBe("50.00%");
      await pruneAll(world().store, NOW - DAY);
      expect(await world().results(job)).toEqual([]);
      expect(await past()).toEqual(before);
    });

    test("are kept until their notifications are delivered", async () => {
      const job = await world().job(await world().channel());
      await world().checkin(job, "ok", NOW - 3 * DAY);
      await world().checkin(job, "fail", NOW - 2 * DAY);
      await pruneAll(world().store, NOW - DAY);
      expect((await world().results(job)).map(({ status }) => status)).toEqual(["failed"]);
      expect(await world().due()).toHaveLength(1);
      await world().attemptAll({ outcome: "delivered" });
      await pruneAll(world().store, NOW - DAY);
      expect(await world().results(job)).toEqual([]);
      expect((await world().find(job)).status).toBe("failed");
    });

    test("behavior 14.76: are kept while it is not decided whether their notifications are sent", async () => {
      const { store, owner, organizationId } = world();
      const alertChannelId = await world().channel();
      const alertBindings = [{ alertChannelId, after: 86_400 }];
      const job = { name: "job", type: "SCHEDULED", config: { interval: 300 }, alertBindings } as const;
      const { id } = await store.monitors.create(owner, job, NOW);
      await world().checkin(id, "ok", NOW - 3 * DAY);
      await world().checkin(id, "fail", NOW - 2 * DAY);
      await pruneAll(world().store, NOW - DAY);
      expect((await world().results(id)).map(({ status }) => status)).toEqual(["failed"]);
      const { items } = await store.deliveries.list(organizationId, alertChannelId, { limit: 50 });
      expect(items.map(({ status }) => status)).toEqual(["pending"]);
    });

    test("are deleted without the status that a channel was last notified of", async () => {
      const { store, owner, organizationId } = world();
      const channel = await world().channel();
      const job = await world().job(channel);
      await world().checkin(job, "fail", NOW - 2 * DAY);
      await world().attemptAll({ outcome: "delivered" }, NOW - 2 * DAY);
      const notifyOn = ["warning" as const, "healthy" as const];
      await store.channels.update(organizationId, channel, { notifyOn }, NOW);
      const alertChannelIds = [channel, await world().channel()];
      await store.monitors.update(owner, job, { alertChannelIds }, NOW);
      await pruneAll(world().store, NOW - DAY);
      await world().checkin(job, "ok", NOW);
      expect(await world().outcomes(job)).toMatchObject([{ channelId: channel }, {}]);
    });
  });

  test("behavior 14.76: the changes of the status are deleted with their results", async () => {
    const { store, organizationId, opened } = world();
    const [gone, kept] = [await world().job(), await world().job()];
    await alternateAt(world(), gone, [NOW - 3 * DAY, NOW]);
    await alternateAt(world(), kept, [NOW - 4 * DAY, NOW - 3 * DAY, NOW]);
    expect(await countRows(opened.db, "status_changes")).toBe(5);
    await pruneAll(world().store, NOW - DAY);
    expect(await countRows(opened.db, "status_changes")).toBe(2);
    await store.monitors.delete(organizationId, gone);
    await untilDone(() => store.housekeeping.sweepDeletedMonitors());
    expect(await countRows(opened.db, "status_changes")).toBe(1);
  });

  test("behavior 14.76: windows of maintenances are deleted after their end", async () => {
    const { opened, store } = world();
    for (let at = 0; at < 250; at++)
      await createMaintenanceRun(opened.db, { startsAt: NOW + at, endsAt: NOW + 2 * at });
    await createMaintenanceRun(opened.db, { startsAt: NOW - DAY, endsAt: null });
    await untilDone(() => store.housekeeping.pruneMaintenanceRuns(NOW + 300));
    expect(await countRows(opened.db, "maintenance_runs")).toBe(101);
  });

  test("old rollups and outages are deleted for every monitor, and no others", async () => {
    const { store, organizationId } = world();
    const jobs: string[] = [];
    for (let count = 0; count < 55; count++) {
      const job = await world().job();
      jobs.push(job);
      await alternateAt(world(), job, [NOW - 89 * DAY, NOW - 89 * DAY + HOUR, NOW - DAY]);
    }
    let after: number | null = 0;
    do after = await store.housekeeping.pruneRollups(NOW - 30 * DAY, after);
    while (after !== null);
    for (const id of jobs) {
      const range = { id, range: "90d" } as const;
      const report = await store.monitors.findReport(organizationId, range, NOW);
      expect(report.uptime["90d"]).toBe("0.00%");
      expect(report.outages.map(({ start }) => start)).toEqual([NOW - DAY]);
    }
  });

  test("details are deleted only after the results that refer to them", async () => {
    const { store } = world();
    const site = await world().site();
    await world().up(site, { at: NOW - 100 * DAY, detail: { version: 1 } });
    await world().up(site, { at: NOW, detail: { version: 2 } });
    await pruneAll(world().store, NOW - 90 * DAY);
    let after: number | null = 0;
    do after = await store.housekeeping.pruneDetails(NOW - 90 * DAY, after);
    while (after !== null);
    expect((await world().results(site)).map(({ detail }) => detail)).toEqual([{ version: 2 }]);
    await world().up(site, { at: NOW + 1, detail: { version: 1 } });
    const details = (await world().results(site)).map(({ detail }) => detail);
    expect(details).toEqual([{ version: 1 }, { version: 2 }]);
  });

  test("space is returned until nothing is left to return, without effect on the data", async () => {
    const { store } = world();
    const job = await world().job();
    await world().checkin(job, "ok");
    await untilDone(() => store.housekeeping.returnSpace());
    expect(await store.housekeeping.returnSpace()).toBeFalse();
    expect(await world().results(job)).toHaveLength(1);
  });

  test("the time of the last steady clock is at most the time at which stillup was last alive", async () => {
    const { housekeeping, heartbeats } = world().store;
    expect(await housekeeping.lastSteady()).toBeNull();
    await heartbeats.noteAlive(NOW);
    expect(await housekeeping.lastSteady()).toBe(NOW);
    await housekeeping.noteSteady(NOW - HOUR);
    await world().opened.reopen();
    expect(await world().store.housekeeping.lastSteady()).toBe(NOW - HOUR);
    await world().store.heartbeats.noteAlive(NOW - DAY);
    expect(await world().store.housekeeping.lastSteady()).toBe(NOW - DAY);
  });

  test("behavior 4.18: the first answer of a DNS server stays known", async () => {
    await world().store.heartbeats.noteAlive(NOW);
    expect(await world().store.housekeeping.hasDnsAnswer()).toBe(false);
    for (const at of [NOW, NOW + HOUR]) await world().store.housekeeping.noteDnsAnswer(at);
    await world().opened.reopen();
    expect(await world().store.housekeeping.hasDnsAnswer()).toBe(true);
  });
});

/** Lets a job fail and recover in turns, each of which is a transition. */
function alternate(own: World, monitorId: string, turns: number): Promise<unknown> {
  return alternateAt(
    own,
    monitorId,
    Array.from({ length: turns }, (_, at) => NOW + at),
  );
}

function alternateAt({ store }: World, monitorId: string, times: number[]): Promise<unknown> {
  return store.recording.record(
    times.map((at, turn) => ({ kind: "checkin", monitorId, status: turn % 2 === 0 ? "fail" : "ok", at })),
  );
}

/** Everything that a user sees of a monitor and its channel. */
async function remainderOf(own: World, monitorId: string, channelId: string) {
  const { store, organizationId } = own;
  const range = { id: monitorId, range: "1d" } as const;
  const page = { limit: 200, cursor: undefined };
  const deliveries = await store.deliveries.list(organizationId, channelId, page);
  return {
    monitor: await own.find(monitorId),
    results: await own.results(monitorId),
    report: await store.monitors.findReport(organizationId, range, NOW),
    deliveries: deliveries.items.filter(({ monitor }) => monitor?.id === monitorId),
  };
}
