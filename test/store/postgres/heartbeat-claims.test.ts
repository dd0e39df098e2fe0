import { describe, expect, test } from "bun:test";
import { DAY, HOUR, MINUTE, NOW, SECOND } from "../contract/world.ts";
import { describeTwoNodes, type Node } from "./two-nodes.ts";

const PERIOD = { period: 600, grace: 60 };
/** From a check-in of such a job to its deadline. */
const WINDOW = 660 * SECOND;
const LEASE = 15 * SECOND;

describeTwoNodes("heartbeats of several nodes", (nodes) => {
  const claim = ({ store, by }: Node, now: number, limit = 100) =>
    store.heartbeats.claimOverdue(by, { now, limit });

  /** A job that checked in. */
  async function job(at = NOW): Promise<string> {
    const id = await nodes().world.jobWith(PERIOD);
    await nodes().world.checkin(id, "ok", at);
    return id;
  }

  const excuse = ({ store }: Node, now: number, dueBefore?: number) =>
    store.heartbeats.excuseOutage(now, fail, dueBefore === undefined ? {} : { dueBefore });

  async function expectDeadline(at: number): Promise<void> {
    const { a } = nodes();
    expect(await claim(a, at)).toEqual([]);
    expect(await claim(a, at + 1)).toHaveLength(1);
  }

  test("behavior 12.31: each late job is claimed by one node, for 15 s", async () => {
    const { a, b } = nodes();
    const ids: string[] = [];
    for (let at = 0; at < 12; at++) ids.push(await job(NOW + at));
    const now = NOW + WINDOW + MINUTE;
    expect((await claim(a, now, 2)).map(({ monitorId }) => monitorId)).toEqual(ids.slice(0, 2));
    const claimed = await Promise.all([claim(b, now), claim(a, now), claim(b, now), claim(a, now)]);
    const [ofA, ofB] = [
      [claimed[1], claimed[3]],
      [claimed[0], claimed[2]],
    ].map((all) => new Set(all.flatMap((one) => one ?? []).map(({ monitorId }) => monitorId)));
    expect(ofA?.isDisjointFrom(ofB ?? new Set())).toBeTrue();
    expect((ofA?.size ?? 0) + (ofB?.size ?? 0)).toBe(12);
    expect(await claim(b, now + LEASE + 1)).toHaveLength(12);
    expect(await claim(a, now + LEASE + 1)).toEqual([]);
    await b.store.claims.release(b.by.node);
    expect(await claim(a, now + LEASE + 1)).toHaveLength(12);
  });

  test("a missed run is recorded once, by the latest claim", async () => {
    const { a, b } = nodes();
    const monitorId = await job();
    const now = NOW + WINDOW + SECOND;
    const [late] = await claim(a, now);
    const [taken] = await claim(b, now + LEASE + 1);
    if (!late || !taken) throw new Error("nothing was claimed");
    const silence = { kind: "silence", monitorId, at: now } as const;
    expect(await a.store.recording.record([{ ...silence, claim: late.claim }])).toEqual([null]);
    const recorded = await b.store.recording.record([{ ...silence, claim: taken.claim }]);
    expect(recorded).toMatchObject([{ status: "havent_heard", missed: 1 }]);
    expect(await b.store.recording.record([{ ...silence, claim: taken.claim }])).toEqual([null]);
  });

  test("a check-in, and a postponed deadline, end a claim", async () => {
    const { world, a, b } = nodes();
    const monitorId = await job();
    const now = NOW + WINDOW + SECOND;
    const [claimed] = await claim(a, now);
    await world.checkin(monitorId, "ok", now);
    const silence = { kind: "silence", monitorId, at: now, claim: claimed?.claim ?? 0 } as const;
    expect(await a.store.recording.record([silence])).toEqual([null]);
    expect(await claim(a, now + WINDOW + 1)).toHaveLength(1);
    await world.store.heartbeats.postponeDeadline(monitorId, now + HOUR);
    expect(await claim(b, now + HOUR)).toEqual([]);
    expect(await claim(b, now + HOUR + 1)).toHaveLength(1);
  });

  describe("an outage", () => {
    test("behavior 12.38: that several nodes notice extends the deadlines once", async () => {
      const { a, b } = nodes();
      await job();
      await a.store.heartbeats.noteAlive(NOW + SECOND);
      const end = NOW + 31 * SECOND;
      const all = [a, b, a, b].map((node, at) => excuse(node, end + at * 100));
      expect((await Promise.all(all)).flat()).toEqual([]);
      // To the end that the first one noticed.
      const { now } = await firstDeadline(NOW + WINDOW + 30 * SECOND, 4, 100);
      expect(now - (NOW + WINDOW + 30 * SECOND)).toBeLessThanOrEqual(300);
    });

    test("of one node is none, while another was alive", async () => {
      const { a, b } = nodes();
      await job();
      await a.store.heartbeats.noteAlive(NOW + 60 * SECOND);
      expect(await excuse(b, NOW + 61 * SECOND)).toEqual([]);
      await expectDeadline(NOW + WINDOW);
    });

    test("records the jobs that were late before it, once", async () => {
      const { a, b } = nodes();
      const late = await job(NOW - HOUR);
      await job();
      await a.store.heartbeats.noteAlive(NOW + SECOND);
      const recorded = await Promise.all([a, b].map((node) => excuse(node, NOW + 91 * SECOND)));
      expect(recorded.flat()).toHaveLength(1);
      expect((await nodes().world.find(late)).status).toBe("havent_heard");
    });

    test("extends only the deadlines that are near, if it was short", async () => {
      const { a } = nodes();
      await job();
      await a.store.heartbeats.noteAlive(NOW);
      await excuse(a, NOW + 5 * SECOND, NOW + 10 * SECOND);
      await expectDeadline(NOW + WINDOW);
      await a.store.heartbeats.noteAlive(NOW + WINDOW);
      await excuse(a, NOW + WINDOW + 5 * SECOND, NOW + WINDOW + 10 * SECOND);
      // It may have checked in meanwhile.
      await expectDeadline(NOW + WINDOW + 5 * SECOND + WINDOW);
    });
  });

  describe("a clock that was set back", () => {
    const jump = { from: NOW + MINUTE, to: NOW + MINUTE - DAY };

    const recall = ({ store }: Node, { from, to }: typeof jump) =>
      store.heartbeats.recallDeadlines({ from, to }, fail);

    test("behavior 12.38: moves the deadlines once, whoever notices it and when", async () => {
      const { a, b } = nodes();
      await job();
      await a.store.heartbeats.noteAlive(NOW + MINUTE);
      await Promise.all([recall(a, jump), recall(b, { from: jump.from + 700.4, to: jump.to + 700 })]);
      // A node that has not noticed it yet.
      await b.store.heartbeats.noteAlive(jump.from + SECOND);
      await recall(b, { from: jump.from + 2000, to: jump.to + 2000 });
      await a.store.heartbeats.noteAlive(jump.to + 60 * SECOND);
      await recall(b, { from: jump.from + 60 * SECOND, to: jump.to + 60 * SECOND });
      expect(await excuse(a, jump.to + 61 * SECOND)).toEqual([]);
      await expectDeadline(NOW - DAY + WINDOW);
    });

    test("moves them again if it was set back again", async () => {
      const { a } = nodes();
      await job();
      await a.store.heartbeats.noteAlive(NOW + MINUTE);
      await recall(a, jump);
      await a.store.heartbeats.noteAlive(jump.to + MINUTE);
      await recall(a, { from: jump.to + MINUTE, to: jump.to + MINUTE - DAY });
      await expectDeadline(NOW - 2 * DAY + WINDOW);
    });

    test("while no node ran moves them back at the start of the first", async () => {
      const { a, b } = nodes();
      await job();
      await a.store.heartbeats.noteAlive(NOW + MINUTE);
      const starts = [a, b].map((node, at) => excuse(node, jump.to + at * 300));
      expect((await Promise.all(starts)).flat()).toEqual([]);
      const { now } = await firstDeadline(NOW - DAY + WINDOW, 2, 300);
      expect(now).toBeGreaterThanOrEqual(NOW - DAY + WINDOW);
    });
  });

  test("the sign of life of a slower node does not move that of a faster one back", async () => {
    const { a, b } = nodes();
    await a.store.heartbeats.noteAlive(NOW);
    await b.store.heartbeats.noteAlive(NOW - 5 * SECOND);
    expect(await a.store.housekeeping.lastSteady()).toBe(NOW);
    await b.store.heartbeats.noteAlive(NOW - HOUR);
    expect(await a.store.housekeeping.lastSteady()).toBe(NOW - HOUR);
  });

  test("a sign of life does not wait for a node that extends the deadlines", async () => {
    const { a, hold } = nodes();
    await a.store.heartbeats.noteAlive(NOW);
    const release = await hold("SELECT FROM service FOR UPDATE");
    await a.store.heartbeats.noteAlive(NOW + SECOND);
    await release();
    expect(await a.store.housekeeping.lastSteady()).toBe(NOW);
    await a.store.heartbeats.noteAlive(NOW + 2 * SECOND);
    expect(await a.store.housekeeping.lastSteady()).toBe(NOW + 2 * SECOND);
  });

  test("a monitor whose rhythm can't be computed keeps its deadline, and delays no other", async () => {
    const { world, a } = nodes();
    await job();
    const broken = await world.jobWith({ cron: "* * * * *" });
    await world.checkin(broken, "ok", NOW);
    const config = { interval: 300, cron: "no schedule" };
    const names: string[] = [];
    await a.store.heartbeats.noteAlive(NOW);
    await nodes().execute(`UPDATE monitors SET config = '${JSON.stringify(config)}' WHERE id = '${broken}'`);
    await a.store.heartbeats.excuseOutage(NOW + 31 * SECOND, (id) => names.push(id));
    expect(names).toEqual([broken]);
    const late = await claim(a, NOW + WINDOW + 31 * SECOND);
    expect(late.map(({ monitorId }) => monitorId)).toEqual([broken]);
  });

  /** The first of some moments at which a job is late. */
  async function firstDeadline(from: number, count: number, step: number): Promise<{ now: number }> {
    for (let now = from; now <= from + count * step; now += step)
      if ((await claim(nodes().a, now + 1)).length > 0) return { now };
    throw new Error("no job is late");
  }
});

function fail(monitorId: string, error: unknown): void {
  throw new Error(`the rhythm of ${monitorId} was not computed`, { cause: error });
}
