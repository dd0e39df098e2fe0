import { expect, test } from "bun:test";
import fc from "fast-check";
import { RANGES, type Range } from "../../../src/domain/results/range.ts";
import { allPages, allSlices, DAY, HOUR, MINUTE, NOW, untilDone, type World } from "../contract/world.ts";
import { describeTwoNodes, type Node } from "./two-nodes.ts";

/** From this number of monitors on, the latest results of the whole database are read first. */
const MANY = 50;

describeTwoNodes("lists on PostgreSQL", (nodes) => {
  const own = () => nodes().world;

  const idsOfEvents = (limit: number, status?: "ok" | "failed") =>
    allPages((cursor) => own().store.results.listEvents(own().organizationId, { limit, cursor, status }));

  interface Recorded {
    monitorId: string;
    status: string;
    createdAt: number;
  }

  /** Records check-ins one after the other, whatever their times. */
  async function checkIn(checkins: { job: string; isGood: boolean; at: number }[]): Promise<Recorded[]> {
    for (const { job, isGood, at } of checkins) await own().checkin(job, isGood ? "ok" : "fail", at);
    return checkins
      .map(({ job, isGood, at }) => ({
        monitorId: job,
        status: isGood ? "ok" : "failed",
        createdAt: at,
      }))
      .reverse()
      .sort((one, other) => Math.floor(other.createdAt / DAY) - Math.floor(one.createdAt / DAY));
  }

  const brief = (results: Recorded[]) =>
    results.map(({ monitorId, status, createdAt }) => ({ monitorId, status, createdAt }));

  test.each([1, MANY])(
    "behavior 12.45: results of %d monitors are in the order of days, and of a day in the order of their recording",
    async (count) => {
      const jobs: string[] = [];
      while (jobs.length < count) jobs.push(await own().job());
      const checkin = fc.record({
        job: fc.constantFrom(...jobs),
        isGood: fc.boolean(),
        at: fc.integer({ min: NOW - 12 * DAY, max: NOW }),
      });
      const [checkins = []] = fc.sample(fc.array(checkin, { minLength: 40, maxLength: 40 }), 1);
      const recorded = await checkIn(checkins);
      for (const limit of [3, 200]) {
        expect(brief(await idsOfEvents(limit))).toEqual(recorded);
        for (const status of ["ok", "failed"] as const)
          expect(brief(await idsOfEvents(limit, status))).toEqual(
            recorded.filter((one) => one.status === status),
          );
        const [job = ""] = jobs;
        expect(brief(await own().results(job, limit))).toEqual(
          recorded.filter(({ monitorId }) => monitorId === job),
        );
      }
    },
  );

  test("behavior 7.24: a page of events continues after a result whose monitor was deleted", async () => {
    const { store, organizationId } = own();
    const [job, deleted] = [await own().job(), await own().job()];
    for (let days = 0; days < 6; days++) {
      await own().checkin(job, "ok", NOW - days * DAY);
      await own().checkin(deleted, "ok", NOW - days * DAY - 1);
    }
    const page = await store.results.listEvents(organizationId, { limit: 6 });
    expect(page.items.map(({ monitorId }) => monitorId)).toContain(deleted);
    await store.monitors.delete(organizationId, deleted);
    await untilDone(() => store.housekeeping.sweepDeletedMonitors());
    const rest = await store.results.listEvents(organizationId, { limit: 9, cursor: page.cursor ?? "" });
    const shown = [...page.items, ...rest.items].filter(({ monitorId }) => monitorId === job);
    expect(shown.map(({ createdAt }) => createdAt)).toEqual(
      [0, 1, 2, 3, 4, 5].map((days) => NOW - days * DAY),
    );
  });

  test("a rare status is found before thousands of other results of its day", async () => {
    const { store, organizationId } = own();
    const jobs: string[] = [];
    while (jobs.length < MANY) jobs.push(await own().job());
    const [rare = ""] = jobs;
    await own().checkin(rare, "fail", NOW);
    for (let batch = 0; batch < 5; batch++) {
      const events = Array.from({ length: 1000 }, (_, at) => {
        const monitorId = jobs[at % MANY] ?? "";
        return { kind: "checkin", monitorId, status: "ok", at: NOW + batch * MINUTE + at } as const;
      });
      await store.recording.record(events);
    }
    await own().checkin(rare, "ok", NOW + 20 * MINUTE);
    const found = await store.results.listEvents(organizationId, { limit: 2, status: "failed" });
    expect(found).toMatchObject({ items: [{ monitorId: rare, createdAt: NOW }], cursor: null });
    const { items, cursor } = await store.results.listEvents(organizationId, { limit: 1 });
    expect(items).toMatchObject([{ monitorId: rare, createdAt: NOW + 20 * MINUTE }]);
    const next = await store.results.listEvents(organizationId, { limit: 1, cursor: cursor ?? "" });
    expect(next.items).toMatchObject([{ createdAt: NOW + 4 * MINUTE + 999 }]);
  });

  async function pastOf({ store }: Node, world: World, range: Range) {
    const slices = store.monitors.list(world.organizationId, { type: undefined, range }, NOW);
    const [found] = await allSlices(slices);
    return { uptime: found?.uptime, history: found?.history };
  }

  test("behavior 12.46: uptime and history contain what another node records late", async () => {
    const { world, a, b } = nodes();
    const job = await world.job();
    const agesInHours = [0, 30, 2, 2, 5, 75, 75, 0, 40 * 24, 3, 0, 26];
    for (const [at, age] of agesInHours.entries()) {
      for (const range of RANGES) {
        await pastOf(a, world, range);
        await pastOf(b, world, range);
      }
      const status = at % 2 === 0 ? "ok" : "fail";
      await b.store.recording.record([
        { kind: "checkin", monitorId: job, status, at: NOW - age * HOUR + at },
      ]);
      for (const range of RANGES) {
        const report = await a.store.monitors.findReport(world.organizationId, { id: job, range }, NOW);
        const expected = { uptime: report.uptime["90d"], history: report.history };
        expect(await pastOf(a, world, range)).toEqual(expected);
        expect(await pastOf(b, world, range)).toEqual(expected);
      }
    }
  });
});
