import { describe, expect, test } from "bun:test";
import type { NewMaintenance } from "../../../src/domain/maintenance/request.ts";
import { transitionOf } from "../../support/alerts/transitions.ts";
import { listMaintenanceRuns } from "../../support/store/states.ts";
import { contractSuite } from "./suite.ts";
import { allSlices, DAY, HOUR, MINUTE, NOW, SECOND, type World } from "./world.ts";

const iso = (time: number) => new Date(time).toISOString();
const all = { all: true } as const;

contractSuite("maintenances", (world, _, slow) => {
  function create(values: Partial<NewMaintenance>, now = NOW, own = world()) {
    const request = { title: "Move", selector: all, ...values } as NewMaintenance;
    return own.store.maintenances.create(own.organizationId, request, now);
  }

  const between = (from: number, to: number) => ({ startsAt: iso(from), endsAt: iso(to) });

  async function detailsOf(id: string) {
    const results = (await world().results(id)).toReversed();
    return results.map(({ detail }) => detail?.maintenance ?? null);
  }

  const seenIn = (history: readonly { status: string }[]) =>
    history.map(({ status }) => status).filter((status) => status !== "unknown");

  const report = (id: string, now: number) =>
    world().store.monitors.findReport(world().organizationId, { id, range: "1d" }, now);

  describe("a maintenance", () => {
    test("behavior 14.40: is listed oldest first, in its organization only", async () => {
      const one = await create({ title: "one", ...between(NOW, NOW + HOUR) });
      const other = await create({ title: "other", cron: "0 3 * * *", duration: 60 });
      const foreign = await world().another();
      await create(between(NOW, NOW + HOUR), NOW, foreign);
      const { maintenances } = world().store;
      expect(await maintenances.list(world().organizationId, NOW)).toEqual([one, other]);
      expect(await maintenances.find(world().organizationId, one.id, NOW + HOUR)).toMatchObject({
        state: "ended",
        nextStartsAt: null,
      });
      expect(maintenances.find(foreign.organizationId, one.id, NOW)).rejects.toThrow("Not found");
      expect(await maintenances.delete(world().organizationId, one.id, NOW)).toEqual({ id: one.id });
      expect(await maintenances.list(world().organizationId, NOW)).toEqual([other]);
      const { endsAt } = await maintenances.update(
        world().organizationId,
        other.id,
        between(NOW, NOW + 1),
        NOW,
      );
      expect(endsAt).toBe(NOW + 1);
    });

    test("behavior 14.31: is of the monitors that its selector names, with their present tags", async () => {
      const id = await world().site();
      const { id: maintenance } = await create({ ...between(NOW, NOW + HOUR), selector: { tags: ["web"] } });
      await world().up(id, { at: NOW });
      const tagged = { tags: ["db", "web"] };
      await world().store.monitors.update(world().owner, id, tagged, NOW);
      await world().up(id, { at: NOW + MINUTE });
      await world().store.monitors.update(world().owner, id, { tags: ["db"] }, NOW);
      await world().up(id, { at: NOW + 2 * MINUTE });
      expect(await detailsOf(id)).toEqual([null, maintenance, null]);
    });
  });

  describe("results in a window", () => {
    test("behavior 14.33, 14.34: name it, and count neither for the uptime nor for the history", async () => {
      const id = await world().site();
      await world().up(id, { at: NOW - MINUTE });
      const { id: maintenance } = await create(between(NOW, NOW + HOUR));
      await world().down(id, NOW);
      await world().down(id, NOW + HOUR - 1);
      await world().up(id, { at: NOW + HOUR });
      expect(await detailsOf(id)).toEqual([null, maintenance, maintenance, null]);
      const { uptime, history } = await report(id, NOW + 2 * HOUR);
      expect(uptime["90d"]).toBe("100.00%");
      expect(seenIn(history)).toEqual(["up", "up"]);
      const [listed] = await allSlices(
        world().store.monitors.list(
          world().organizationId,
          { type: undefined, range: "90d" },
          NOW + 2 * HOUR,
        ),
      );
      expect([listed?.uptime, seenIn(listed?.history ?? [])]).toEqual(["100.00%", ["up"]]);
    });

    slow("behavior 14.34: are found on a day on which no result counts", async () => {
      const id = await world().site();
      await create(between(NOW - 20 * DAY, NOW - 9 * DAY), NOW - 20 * DAY);
      const days = [19, 18, 17, 16, 15, 14, 13, 12, 11, 10].map((day) => NOW - day * DAY);
      for (const at of days) await world().up(id, { at });
      for (let day = 8; day >= 0; day--) await world().up(id, { at: NOW - day * DAY });
      expect(await world().results(id)).toHaveLength(19);
      expect((await report(id, NOW)).uptime["90d"]).toBe("100.00%");
    });

    slow("behavior 14.34: do not change the latency baseline", async () => {
      const id = await world().site();
      for (let at = 0; at < 12; at++) await world().up(id, { at: NOW + at * MINUTE });
      const before = (await report(id, NOW + 12 * MINUTE)).degradedAbove;
      await create(between(NOW + 12 * MINUTE, NOW + HOUR));
      for (let at = 12; at < 40; at++) await world().up(id, { at: NOW + at * MINUTE, latencyMs: 40 });
      expect((await report(id, NOW + 40 * MINUTE)).degradedAbove).toBe(before);
      // Once more computed from the rollups, when hours leave the baseline.
      await world().up(id, { at: NOW + 29 * DAY });
      expect((await report(id, NOW + 30 * DAY)).degradedAbove).toBe(before);
    });

    test("behavior 14.35: begin an outage that names the maintenance", async () => {
      const id = await world().site();
      await world().up(id, { at: NOW - MINUTE });
      const { id: maintenance } = await create(between(NOW, NOW + HOUR));
      await world().down(id, NOW);
      const stretch = { from: NOW - DAY, to: NOW + DAY, after: 0 };
      const exported = await world().store.outages.export(world().organizationId, stretch);
      expect(exported.map(({ maintenanceId }) => maintenanceId)).toEqual([maintenance]);
    });

    test("behavior 14.33: of a location name it too", async () => {
      const { id: fra, pk } = await world().location();
      const id = await world().placed(["here", fra]);
      const { id: maintenance } = await create(between(NOW, NOW + HOUR));
      const evidence = { outcome: "reached", latencyMs: 10, detail: {} } as const;
      const check = { kind: "check", monitorId: id, revision: 0, evidence } as const;
      await world().store.recording.record([{ ...check, location: pk, at: NOW + 1 }]);
      await world().store.recording.record([{ ...check, at: NOW + HOUR }]);
      expect(await detailsOf(id)).toEqual([maintenance, null]);
      expect((await world().results(id)).map(({ detail }) => detail?.location)).toEqual(["here", "fra"]);
    });

    test("behavior 14.33: are those of the maintenance as it is after each change", async () => {
      const id = await world().site();
      const { id: maintenance } = await create(between(NOW, NOW + HOUR));
      await world().up(id, { at: NOW + MINUTE });
      const { maintenances } = world().store;
      await maintenances.update(
        world().organizationId,
        maintenance,
        between(NOW + 10 * MINUTE, NOW + HOUR),
        NOW,
      );
      await world().up(id, { at: NOW + 2 * MINUTE });
      await maintenances.update(
        world().organizationId,
        maintenance,
        { cron: "0 * * * *", duration: 600 },
        NOW,
      );
      await world().up(id, { at: NOW + 3 * MINUTE });
      await maintenances.end(world().organizationId, maintenance, NOW + 4 * MINUTE);
      await world().up(id, { at: NOW + 5 * MINUTE });
      await world().up(id, { at: NOW + HOUR });
      await maintenances.delete(world().organizationId, maintenance, NOW + HOUR + 1);
      await world().up(id, { at: NOW + HOUR + 2 });
      expect(await detailsOf(id)).toEqual([maintenance, null, maintenance, null, maintenance, null]);
    });
  });

  describe("a job", () => {
    const hourly = { period: 3600, grace: 720 };
    const deadlineOf = async (id: string) => (await report(id, NOW)).deadline;
    const miss = (id: string, at: number) =>
      world().store.recording.record([{ kind: "silence", monitorId: id, at }]);

    test("behavior 14.38: has its deadline one window after the end", async () => {
      const id = await world().jobWith(hourly);
      await create(between(NOW + HOUR, NOW + 5 * HOUR));
      await world().checkin(id, "ok");
      await miss(id, NOW + 2 * HOUR);
      expect([await deadlineOf(id), await statuses(id)]).toEqual([NOW + 5 * HOUR + 72 * MINUTE, ["ok"]]);
      await miss(id, NOW + 7 * HOUR);
      expect(await statuses(id)).toEqual(["ok", "havent_heard"]);
    });

    test("behavior 14.38: has its deadline there after this service did not run", async () => {
      const id = await world().jobWith(hourly);
      await create(between(NOW + HOUR, NOW + 5 * HOUR));
      await world().checkin(id, "ok");
      const { heartbeats } = world().store;
      await heartbeats.noteAlive(NOW + 2 * HOUR);
      await heartbeats.excuseOutage(NOW + 2 * HOUR + MINUTE, fail);
      await miss(id, NOW + 4 * HOUR);
      expect([await deadlineOf(id), await statuses(id)]).toEqual([NOW + 5 * HOUR + 72 * MINUTE, ["ok"]]);
    });

    test.each<[string, (own: World, id: string, now: number) => Promise<unknown>]>([
      ["ended", ({ store, organizationId }, id, now) => store.maintenances.end(organizationId, id, now)],
      ["deleted", ({ store, organizationId }, id, now) => store.maintenances.delete(organizationId, id, now)],
      [
        "updated",
        ({ store, organizationId }, id, now) =>
          store.maintenances.update(organizationId, id, { selector: { tags: ["x"] } }, now),
      ],
    ])("behavior 14.39: has its deadline one window after the maintenance was %s", async (_, end) => {
      const [excused, expected, early] = await Promise.all([1, 2, 3].map(() => world().jobWith(hourly)));
      const { id } = await create(between(NOW + HOUR, NOW + 50 * HOUR));
      await world().checkin(excused ?? "", "ok");
      await miss(excused ?? "", NOW + 2 * HOUR);
      const now = NOW + 2 * HOUR + MINUTE;
      await world().checkin(expected ?? "", "ok", now - HOUR - MINUTE);
      await world().checkin(early ?? "", "ok", now - MINUTE);
      await end(world(), id, now);
      const deadlines = await Promise.all([excused, expected, early].map((job) => deadlineOf(job ?? "")));
      expect(deadlines).toEqual([now + 72 * MINUTE, now + 72 * MINUTE, now + 71 * MINUTE]);
    });

    async function statuses(id: string) {
      return (await world().results(id)).toReversed().map(({ status }) => status);
    }
  });

  describe("the channels of a maintenance", () => {
    async function sent() {
      const due = await world().due();
      await world().attemptAll({ outcome: "delivered" });
      return due.map(({ event }) => ("maintenance" in event ? event : null));
    }

    test("behavior 14.45: are notified when it starts and when it ends, each once", async () => {
      const [channel, disabled] = [await world().channel(), await world().channel({ enabled: false })];
      const monitor = await world().site();
      const { id } = await create({
        ...between(NOW - HOUR, NOW + HOUR),
        message: "Rack 4",
        notifyChannelIds: [channel, disabled],
      });
      const { id: organizationId, name } = world().organization;
      const notice = {
        type: "maintenance.started",
        organization: { id: organizationId, name },
        maintenance: { id, title: "Move", message: "Rack 4", startsAt: NOW - HOUR, endsAt: NOW + HOUR },
        monitors: [{ id: monitor, name: "site", type: "TCP" }],
        monitorCount: 1,
        at: NOW,
      };
      expect(await sent()).toEqual([notice] as never);
      const { maintenances } = world().store;
      await maintenances.update(organizationId, id, { title: "Move on" }, NOW + 1);
      expect(await sent()).toEqual([]);
      await maintenances.end(organizationId, id, NOW + 2);
      const maintenance = { ...notice.maintenance, title: "Move on", endsAt: NOW + 2 };
      expect(await sent()).toEqual([
        { ...notice, type: "maintenance.ended", maintenance, at: NOW + 2 },
      ] as never);
      await maintenances.delete(organizationId, id, NOW + 3);
      expect(await sent()).toEqual([]);
    });

    test("behavior 14.44, 14.45: are notified of the end when it is deleted or moved, and of another start", async () => {
      const channel = await world().channel();
      const { id } = await create({ ...between(NOW, NOW + HOUR), notifyChannelIds: [channel] });
      const { maintenances } = world().store;
      const { organizationId } = world();
      await maintenances.update(organizationId, id, between(NOW + MINUTE, NOW + HOUR), NOW + 1);
      await maintenances.update(organizationId, id, between(NOW, NOW + HOUR), NOW + 2);
      await maintenances.delete(organizationId, id, NOW + 3);
      const types: (string | undefined)[] = [];
      for (let some = await sent(); some.length > 0; some = await sent())
        types.push(...some.map((one) => one?.type));
      expect(types).toEqual([
        "maintenance.started",
        "maintenance.ended",
        "maintenance.started",
        "maintenance.ended",
      ]);
    });

    slow("behavior 14.45: get the first 100 monitors of the selector", async () => {
      const ids: string[] = [];
      for (let at = 0; at < 102; at++) ids.push(await world().site());
      const channel = await world().channel();
      await create({
        ...between(NOW, NOW + HOUR),
        selector: { monitorIds: ids.slice(1) },
        notifyChannelIds: [channel],
      });
      const [event] = await sent();
      expect(event?.monitorCount).toBe(101);
      expect(event?.monitors.map((monitor) => monitor.id)).toEqual(ids.slice(1, 101));
    });
  });

  describe("notifications of a monitor in a window", () => {
    const review = (now: number) => world().store.alertReviews.review(now, 100);

    /** A check sees the trouble again after the end. */
    async function reviewTrouble(id: string, now: number): Promise<void> {
      await review(now);
      await world().down(id, now + 500);
      await review(now + SECOND);
    }

    async function statuses() {
      const due = await world().due();
      await world().attemptAll({ outcome: "delivered" });
      return due.map((one) => [transitionOf(one).previousStatus, transitionOf(one).status]);
    }

    async function monitored() {
      const id = await world().site(await world().channel());
      await world().up(id, { at: NOW - MINUTE });
      return id;
    }

    test("behavior 14.43: are sent when the window ends, with the status before it", async () => {
      const id = await monitored();
      const { id: window } = await create(between(NOW, NOW + HOUR));
      await world().down(id, NOW + MINUTE);
      await review(NOW + 2 * MINUTE);
      expect([await statuses(), await world().outcomes(id)]).toEqual([[], []]);
      await world().store.maintenances.end(world().organizationId, window, NOW + 3 * MINUTE);
      await reviewTrouble(id, NOW + 3 * MINUTE);
      expect(await statuses()).toEqual([["up", "down"]]);
    });

    test("behavior 14.42: are sent when the monitor leaves the window", async () => {
      const id = await monitored();
      const { id: window } = await create(between(NOW, NOW + HOUR));
      await world().down(id, NOW + MINUTE);
      const selector = { tags: ["other"] };
      const { maintenances } = world().store;
      await maintenances.update(world().organizationId, window, { selector }, NOW + 2 * MINUTE);
      await reviewTrouble(id, NOW + 2 * MINUTE);
      expect(await statuses()).toEqual([["up", "down"]]);
    });

    test("behavior 14.42: are not sent after an update that leaves the window open", async () => {
      const id = await monitored();
      const { id: window } = await create(between(NOW, NOW + HOUR));
      await world().down(id, NOW + MINUTE);
      const { maintenances } = world().store;
      await maintenances.update(world().organizationId, window, { title: "Longer" }, NOW + 2 * MINUTE);
      await maintenances.update(
        world().organizationId,
        window,
        between(NOW, NOW + 2 * HOUR),
        NOW + 2 * MINUTE,
      );
      await review(NOW + HOUR + MINUTE);
      expect(await statuses()).toEqual([]);
      await reviewTrouble(id, NOW + 2 * HOUR);
      expect(await statuses()).toEqual([["up", "down"]]);
    });

    test("behavior 14.44: of trouble that lasted less than the window are not sent, also after it is deleted", async () => {
      const id = await monitored();
      const { id: window } = await create(between(NOW, NOW + HOUR));
      await world().down(id, NOW + MINUTE);
      await world().up(id, { at: NOW + 2 * MINUTE });
      await world().store.maintenances.delete(world().organizationId, window, NOW + 3 * MINUTE);
      await review(NOW + 3 * MINUTE);
      expect(await statuses()).toEqual([]);
      expect(await detailsOf(id)).toEqual([null, window, window]);
    });
  });

  describe("the watch of windows", () => {
    const hourly = { cron: "0 * * * *", duration: 600 };
    const runs = () => listMaintenanceRuns(world().opened.db);

    async function note(now: number) {
      const { maintenances } = world().store;
      const own = await maintenances.listWatched();
      const noted = await Promise.all(own.map(({ pk }) => maintenances.noteWindows(pk, now)));
      return noted[0];
    }

    async function types() {
      const due = await world().due();
      await world().attemptAll({ outcome: "delivered" });
      return due.map(({ event }) => ("type" in event ? event.type : null));
    }

    test("behavior 14.45: notifies of each start and each end once, and says when the next one is", async () => {
      expect(await note(NOW)).toBeUndefined();
      const channel = await world().channel();
      await create({ ...hourly, notifyChannelIds: [channel] }, NOW + 11 * MINUTE);
      const next = NOW + HOUR;
      expect(await note(NOW + 20 * MINUTE)).toEqual({ isChanged: false, nextChangeAt: next });
      expect(await note(next)).toEqual({ isChanged: true, nextChangeAt: next + 10 * MINUTE });
      expect(await types()).toEqual(["maintenance.started"]);
      expect(await note(next + MINUTE)).toEqual({ isChanged: false, nextChangeAt: next + 10 * MINUTE });
      expect(await note(next + 20 * MINUTE)).toEqual({ isChanged: true, nextChangeAt: next + HOUR });
      expect(await types()).toEqual(["maintenance.ended"]);
      expect(await note(next + 21 * MINUTE)).toEqual({ isChanged: false, nextChangeAt: next + HOUR });
      expect(await types()).toEqual([]);
      expect(await runs()).toEqual([{ startsAt: next, endsAt: next + 10 * MINUTE }]);
    });

    slow("behavior 14.45: of windows that overlap notifies as of one", async () => {
      const channel = await world().channel();
      const until = iso(NOW + 2 * HOUR);
      await create({ cron: "0 * * * *", duration: 5400, until, notifyChannelIds: [channel] }, NOW);
      for (let at = NOW + MINUTE; at <= NOW + 4 * HOUR; at += 10 * MINUTE) await note(at);
      expect(await types()).toEqual(["maintenance.started"]);
      expect(await types()).toEqual(["maintenance.ended"]);
      expect(await runs()).toEqual([{ startsAt: NOW, endsAt: NOW + 3.5 * HOUR }]);
      expect(await note(NOW + 5 * HOUR)).toEqual({ isChanged: false, nextChangeAt: null });
    });

    test("behavior 14.48: stores windows that started and ended while no server ran, and notifies of none", async () => {
      const channel = await world().channel();
      await create({ ...hourly, notifyChannelIds: [channel] }, NOW + 11 * MINUTE);
      await note(NOW + 3 * HOUR + 30 * MINUTE);
      await note(NOW + 3 * HOUR + 31 * MINUTE);
      const starts = [1, 2, 3].map((hour) => NOW + hour * HOUR);
      expect(await runs()).toEqual(starts.map((startsAt) => ({ startsAt, endsAt: startsAt + 10 * MINUTE })));
      expect(await types()).toEqual([]);
    });

    const stops: [string, number, number[], string[]][] = [
      ["between two windows", 3 * HOUR + 30 * MINUTE, [1, 2, 3], ["maintenance.ended"]],
      ["in another window", 2 * HOUR + MINUTE, [1, 2], ["maintenance.ended", "maintenance.started"]],
      ["two windows later", 3 * HOUR + MINUTE, [1, 2, 3], ["maintenance.ended", "maintenance.started"]],
    ];
    test.each(stops)(
      "behavior 14.45, 14.48: a server that stops in a window and starts %s stores each window",
      async (_, startsAfter, hours, noticed) => {
        const channel = await world().channel();
        await create({ ...hourly, notifyChannelIds: [channel] }, NOW + 11 * MINUTE);
        await note(NOW + HOUR);
        expect(await types()).toEqual(["maintenance.started"]);
        await note(NOW + startsAfter);
        const found: (string | null)[] = [];
        for (let some = await types(); some.length > 0; some = await types()) found.push(...some);
        expect(found).toEqual(noticed);
        await note(NOW + 3 * HOUR + 31 * MINUTE);
        const stored = (await runs()).filter(({ startsAt }) => hours.includes((startsAt - NOW) / HOUR));
        const starts = hours.map((hour) => NOW + hour * HOUR);
        expect(stored.toSorted((one, other) => one.startsAt - other.startsAt)).toEqual(
          starts.map((startsAt) => ({ startsAt, endsAt: startsAt + 10 * MINUTE })),
        );
      },
    );

    test("behavior 14.48: does not look again at the runs of a window that has been open for weeks", async () => {
      const everyMinute = { cron: "* * * * *", duration: 60, timezone: "Europe/Berlin" };
      await create(everyMinute, NOW);
      for (let minute = 0; minute < 10; minute++) await note(NOW + 30 * DAY + minute * MINUTE);
      expect(await runs()).toEqual([{ startsAt: NOW, endsAt: null }]);
    });

    test("behavior 14.48: stores another window when its monitors change, and notifies of none", async () => {
      const channel = await world().channel();
      const { id } = await create({ ...between(NOW, NOW + HOUR), notifyChannelIds: [channel] });
      await types();
      const { maintenances } = world().store;
      const now = NOW + MINUTE;
      await maintenances.update(world().organizationId, id, { selector: { tags: ["x"] } }, now);
      await note(NOW + 2 * HOUR);
      expect(await runs()).toEqual([
        { startsAt: NOW, endsAt: now },
        { startsAt: now, endsAt: NOW + HOUR },
      ]);
      expect(await types()).toEqual(["maintenance.ended"]);
    });
  });

  test("behavior 14.47: the calendar of an organization has the window that ends last", async () => {
    const id = await world().site();
    const own = { id, tags: [] };
    const { organizationId } = world();
    const { maintenances } = world().store;
    expect((await maintenances.findCalendar(organizationId)).windowOf(own, NOW)).toBeNull();
    await create(between(NOW, NOW + HOUR));
    const { id: longer } = await create({ title: "Longer", ...between(NOW, NOW + DAY) });
    const calendar = await maintenances.findCalendar(organizationId);
    expect(calendar.windowOf(own, NOW)).toEqual({ id: longer, title: "Longer", endsAt: NOW + DAY });
    expect(maintenances.findCalendar("none")).rejects.toThrow("Not found");
  });
});

function fail(monitorId: string, error: unknown): never {
  throw new Error(`the deadline of ${monitorId} was not computed`, { cause: error });
}
