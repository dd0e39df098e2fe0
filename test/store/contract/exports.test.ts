import { expect, test } from "bun:test";
import type { ExportedOutage } from "../../../src/store/store.ts";
import { contractSuite } from "./suite.ts";
import { allSlices, DAY, HOUR, MINUTE, NOW } from "./world.ts";

contractSuite("exports", (world, _, slow) => {
  const ALL = { from: 0, to: Number.MAX_SAFE_INTEGER };

  const results = (monitorId: string, stretch = ALL) =>
    allSlices(world().store.results.export(world().organizationId, { monitorId, ...stretch }));

  async function outages(stretch = ALL): Promise<ExportedOutage[]> {
    const found: ExportedOutage[] = [];
    for (;;) {
      const after = found.at(-1)?.pk ?? 0;
      const slice = await world().store.outages.export(world().organizationId, { ...stretch, after });
      if (slice.length === 0) return found;
      found.push(...slice);
    }
  }

  test("behavior 14.77: all results of a monitor are exported, the oldest first", async () => {
    const [site, other] = [await world().site(), await world().site()];
    await world().up(site, { at: NOW - DAY, detail: { address: "192.0.2.1" } });
    await world().down(site, NOW);
    await world().up(other, { at: NOW });
    const listed = (await world().results(site)).toReversed();
    expect(listed).toHaveLength(2);
    expect(await results(site)).toEqual(listed.map(({ alertOutcome: _, ...result }) => result));
  });

  slow("behavior 14.77: more results than a slice has are exported, each once", async () => {
    const job = await world().job();
    const times = Array.from({ length: 2600 }, (_, place) => NOW + place * MINUTE);
    const checkins = times.map((at, place) => {
      const status = place % 3 === 0 ? "fail" : "ok";
      return { kind: "checkin", monitorId: job, status, at } as const;
    });
    await world().store.recording.record(checkins);
    const exported = await results(job);
    expect(exported.map(({ createdAt }) => createdAt)).toEqual(times);
    expect(new Set(exported.map(({ id }) => id)).size).toBe(times.length);
  });

  test("behavior 14.77: a stretch begins at `from` and ends before `to`", async () => {
    const job = await world().job();
    for (const days of [-3, -2, -1, 0, 1]) await world().checkin(job, "ok", NOW + days * DAY);
    const within = await results(job, { from: NOW - 2 * DAY, to: NOW });
    expect(within.map(({ createdAt }) => createdAt)).toEqual([NOW - 2 * DAY, NOW - DAY]);
    expect(await results(job, { from: NOW + 2 * DAY, to: NOW + 3 * DAY })).toEqual([]);
  });

  test("behavior 14.77: a late result is in the stretch of its time", async () => {
    const { id } = await world().location();
    const site = await world().placed(["here", id]);
    await world().up(site, { at: NOW + 20 * HOUR });
    await world().up(site, { at: NOW + HOUR });
    const times = (await results(site, { from: NOW, to: NOW + 2 * HOUR })).map(({ createdAt }) => createdAt);
    expect(times).toEqual(
      (await world().results(site)).map(({ createdAt }) => createdAt).filter((at) => at < NOW + 2 * HOUR),
    );
  });

  test("the results of another organization are not found", async () => {
    const foreign = await (await world().another()).job();
    await expect(results(foreign)).rejects.toMatchObject({ kind: "not_found" });
  });

  test("behavior 14.78: the outages that lasted in a stretch are exported, the first one first", async () => {
    const [first, second] = [await world().job(), await world().job()];
    await world().checkin(first, "fail", NOW);
    await world().checkin(second, "fail", NOW + HOUR);
    await world().checkin(first, "ok", NOW + 2 * HOUR);
    const foreign = await world().another();
    await foreign.checkin(await foreign.job(), "fail", NOW);
    expect(await outages()).toMatchObject([
      {
        monitor: { id: first, name: "job 1", type: "SCHEDULED" },
        ...{ status: "failed", reason: null, startedAt: NOW, endedAt: NOW + 2 * HOUR },
        ...{ acknowledgedAt: null, acknowledgedBy: null, note: null, maintenanceId: null },
      },
      { monitor: { id: second }, startedAt: NOW + HOUR, endedAt: null },
    ]);
    const idsIn = async (from: number, to: number) =>
      (await outages({ from, to })).map(({ monitor }) => monitor.id);
    expect(await idsIn(NOW - DAY, NOW)).toEqual([]);
    expect(await idsIn(NOW - DAY, NOW + HOUR)).toEqual([first]);
    expect(await idsIn(NOW + HOUR, NOW + 2 * HOUR)).toEqual([first, second]);
    expect(await idsIn(NOW + 2 * HOUR, NOW + DAY)).toEqual([second]);
  });

  test("behavior 14.78: more outages than a slice has are exported, each once, without those of deleted monitors", async () => {
    const [kept, gone] = [await world().job(), await world().job()];
    for (const monitorId of [kept, gone]) {
      const turns = Array.from({ length: 600 }, (_, at) => ({
        at: NOW + at,
        status: at % 2 === 0 ? "fail" : "ok",
      }));
      await world().store.recording.record(turns.map((turn) => ({ kind: "checkin", monitorId, ...turn })));
    }
    await world().store.monitors.delete(world().organizationId, gone);
    const exported = await outages();
    expect(exported.map(({ startedAt }) => startedAt)).toEqual(
      Array.from({ length: 300 }, (_, at) => NOW + 2 * at),
    );
  });
});
