import { describe, expect, test } from "bun:test";
import type { Recording } from "../../../src/domain/monitors/recording-plan.ts";
import { uptime } from "../../../src/domain/results/uptime.ts";
import { StorageFault } from "../../../src/errors.ts";
import { openConnections } from "../../../src/store/postgres/connections.ts";
import { openEngine } from "../../../src/store/postgres/driver.ts";
import { createOpenClaims } from "../../../src/store/postgres/monitors/check-claims.ts";
import { loadSubjects } from "../../../src/store/postgres/recording/load-subjects.ts";
import { createRecording, createRecordingEngine } from "../../../src/store/postgres/recording/record.ts";
import { wantedAt } from "../../../src/store/recording/record.ts";
import { createStore } from "../../../src/store/store.ts";
import { sharedCluster } from "../../support/store/postgres/cluster.ts";
import { allSlices, DAY, MINUTE, NOW, SECOND } from "../contract/world.ts";
import { describeTwoNodes } from "./two-nodes.ts";

describeTwoNodes("recording on several nodes", (nodes) => {
  const reached = { outcome: "reached", latencyMs: 5, detail: {} } as const;

  const checkin = (monitorId: string, status: string, at: number): Recording => ({
    kind: "checkin",
    monitorId,
    status,
    at,
  });

  const check = (monitorId: string, at: number, claim?: number): Recording => ({
    kind: "check",
    monitorId,
    revision: 0,
    evidence: reached,
    at,
    ...(claim !== undefined && { claim }),
  });

  async function claimOne(): Promise<{ id: string; claim: number }> {
    const { world, a } = nodes();
    const id = await world.site();
    const now = NOW + MINUTE;
    const [claimed] = await a.store.checks.claim(
      await a.store.checks.listDueSlots(a.by, { now, before: now }),
      a.by,
      now,
    );
    if (!claimed) throw new Error("nothing was claimed");
    return { id, claim: claimed.claim };
  }

  test("a batch of a month of days without a partition is tried again once", async () => {
    const { database, world } = nodes();
    const connections = openConnections((await sharedCluster()).config(database));
    let transactions = 0;
    const counted = {
      ...connections,
      transaction: (...given: Parameters<typeof connections.transaction>) => {
        transactions++;
        return connections.transaction(...given);
      },
    } as typeof connections;
    try {
      const job = await world.job();
      const days = Array.from({ length: 30 }, (_, day) => NOW - (40 - day) * DAY);
      const { record } = createRecording(counted, createOpenClaims(), createRecordingEngine());
      const recorded = await record(days.map((at) => checkin(job, "ok", at)));
      expect(recorded.map((one) => one?.status)).toEqual(days.map(() => "ok"));
      // The attempt, the creation of the days, and the next attempt.
      expect(transactions).toBe(3);
    } finally {
      await connections.close();
    }
  });

  test("behavior 12.68: recordings that wait for one that the database does not answer fail with it", async () => {
    const { a, database, world, hold } = nodes();
    // Work of this node must end within 2 s.
    const config = { ...(await sharedCluster()).config(database), patience: 0.25 };
    const hurried = createStore(await openEngine(config));
    const [locked, others] = [await world.job(), await Promise.all([world.job(), world.job(), world.job()])];
    const release = await hold("SELECT * FROM monitor_states ORDER BY monitor_pk FOR UPDATE");
    const first = hurried.recording.record([checkin(locked, "ok", NOW)]);
    const waiting = others.map((id) => hurried.recording.record([checkin(id, "ok", NOW)]));
    const outcomes = await Promise.allSettled([first, ...waiting]);
    const reasons = outcomes.map((outcome) => outcome.status === "rejected" && outcome.reason);
    expect(reasons[0]).toBeInstanceOf(StorageFault);
    // Each of them would fail with an error of its own, after 2 s more.
    expect(new Set(reasons).size).toBe(1);
    await Promise.all([release(), hurried.close()]);
    expect(await a.store.recording.record([checkin(locked, "ok", NOW)])).toMatchObject([{ status: "ok" }]);
  });

  test("a check-in does not wait for a check whose monitor is locked", async () => {
    const { a, world, hold } = nodes();
    const [job, site] = [await world.job(), await world.site()];
    const release = await hold(`SELECT * FROM monitor_states
      WHERE monitor_pk = (SELECT pk FROM monitors WHERE id = '${site}') FOR UPDATE`);
    const locked = a.store.recording.record([check(site, NOW)]);
    expect(await a.store.recording.record([checkin(job, "ok", NOW)])).toMatchObject([{ status: "ok" }]);
    expect(await world.results(site)).toEqual([]);
    await release();
    expect(await locked).toMatchObject([{ status: "up" }]);
  });

  test("the packing of a day waits until results have the numbers that are reserved for them", async () => {
    const { database, world, execute } = nodes();
    const id = await world.site();
    const connections = openConnections((await sharedCluster()).config(database));
    try {
      await connections.transaction(async (tx) => {
        const subjects = await loadSubjects(tx, wantedAt(NOW, [id]));
        expect(subjects.get(id)?.reservedPk).toBeGreaterThan(0);
        const lock = execute("BEGIN; LOCK TABLE ONLY check_results IN SHARE MODE NOWAIT");
        await expect(lock).rejects.toThrow("could not obtain lock");
      });
    } finally {
      await connections.close();
    }
  });

  test("results have details after more of them than 31 bits count, and a copy may bring such numbers", async () => {
    const { a, world, execute } = nodes();
    await execute(`SELECT setval('details_pk_seq', ${2 ** 31})`);
    const id = await world.site();
    const evidence = { ...reached, detail: { statusCode: 299 } };
    for (const at of [NOW, NOW + MINUTE])
      await a.store.recording.record([{ kind: "check", monitorId: id, revision: 0, evidence, at }]);
    const results = await world.results(id);
    expect(results.map(({ detail }) => detail)).toEqual([{ statusCode: 299 }, { statusCode: 299 }]);
  });

  describe("behavior 12.40: of the outcomes of a slot only the first is recorded", () => {
    test("the second outcome in one batch is not recorded", async () => {
      const { world, a } = nodes();
      const { id, claim } = await claimOne();
      const at = NOW + MINUTE;
      const recorded = await a.store.recording.record([check(id, at, claim), check(id, at + 1, claim)]);
      expect(recorded).toMatchObject([{ status: "up" }, null]);
      expect(await world.results(id)).toHaveLength(1);
    });

    test("an outcome is not recorded after another one that came without a claim", async () => {
      const { world, a } = nodes();
      const { id, claim } = await claimOne();
      const at = NOW + MINUTE;
      const recorded = await a.store.recording.record([check(id, at), check(id, at + 1, claim)]);
      expect(recorded).toMatchObject([{ status: "up" }, null]);
      expect(await world.results(id)).toMatchObject([{ createdAt: at }]);
    });

    test("a missed run is not recorded after a check-in", async () => {
      const { world, a } = nodes();
      const job = await world.job();
      await world.checkin(job, "ok");
      const now = NOW + 10 * DAY;
      const [overdue] = await a.store.heartbeats.claimOverdue(a.by, { now, limit: 1 });
      if (!overdue) throw new Error("nothing was claimed");
      const silence = { kind: "silence", ...overdue, at: now } as const;
      const recorded = await a.store.recording.record([checkin(job, "ok", now), silence]);
      expect(recorded).toMatchObject([{ status: "ok" }, null]);
    });
  });

  test("behavior 12.41: recordings of several nodes for the same monitors follow each other, and lose nothing", async () => {
    const { world, a, b } = nodes();
    const jobs = [await world.job(), await world.job(), await world.job()];
    const days = 3;
    const batches = Array.from({ length: 20 }, (_, batch) =>
      jobs.flatMap((job) => [
        checkin(job, batch % 3 === 0 ? "fail" : "ok", NOW + (batch % days) * DAY + batch * SECOND),
        checkin(job, "ok", NOW + (batch % days) * DAY + batch * SECOND + 1),
      ]),
    );
    const recorded = await Promise.all(
      batches.map((events, at) =>
        (at % 2 === 0 ? a : b).store.recording.record(at % 4 < 2 ? events : events.toReversed()),
      ),
    );
    expect(recorded.flat()).not.toContain(null);
    const now = NOW + days * DAY;
    const range = { range: "30d", type: undefined } as const;
    const listed = await allSlices(b.store.monitors.list(world.organizationId, range, now));
    const [healthy, bad] = [33, 7];
    const expected = uptime({ ok: healthy, failed: bad });
    for (const job of jobs) {
      expect(await world.results(job)).toHaveLength(healthy + bad);
      expect(listed.find(({ id }) => id === job)?.uptime).toBe(expected);
    }
  });

  describe("behavior 12.42: nothing more is sent", () => {
    /** Records failures and recoveries while another node makes a change. @returns how many deliveries are left */
    async function leftAfter(change: (ids: { job: string; channel: string }) => Promise<unknown>) {
      const { world, a } = nodes();
      let left = 0;
      for (let round = 0; round < 3; round++) {
        const channel = await world.channel();
        const job = await world.job(channel);
        const turns = Array.from({ length: 6 }, (_, at) =>
          a.store.recording.record([checkin(job, at % 2 === 0 ? "fail" : "ok", NOW + at * SECOND)]),
        );
        await turns[round % 3];
        const changed = change({ job, channel });
        await Promise.all([changed, ...turns]);
        left += (await world.due()).filter(({ channel: { id } }) => id === channel).length;
      }
      return left;
    }

    const owner = () => nodes().world.owner;

    test("a disabled channel gets nothing", async () => {
      const { b } = nodes();
      const left = await leftAfter(({ channel }) =>
        b.store.channels.update(owner().organizationId, channel, { enabled: false }, NOW),
      );
      expect(left).toBe(0);
    });

    test("an unbound channel gets nothing", async () => {
      const { b } = nodes();
      const left = await leftAfter(({ job }) =>
        b.store.monitors.update(owner(), job, { alertChannelIds: [] }, NOW),
      );
      expect(left).toBe(0);
    });

    test("a deleted channel gets nothing", async () => {
      const { b } = nodes();
      const left = await leftAfter(({ channel }) => b.store.channels.delete(owner().organizationId, channel));
      expect(left).toBe(0);
    });
  });

  test("behavior 12.43: results of any days are recorded together, also by nodes that do so at the same time", async () => {
    const { world, a, b } = nodes();
    const jobs = [await world.job(), await world.job()];
    const events = (job: string) => [-400, -3, 0, 1, 40].map((days) => checkin(job, "ok", NOW + days * DAY));
    const recorded = await Promise.all(
      [a, b].map(({ store }, at) => store.recording.record(events(jobs[at] ?? ""))),
    );
    expect(recorded.flat()).not.toContain(null);
    for (const job of jobs) expect(await world.results(job)).toHaveLength(5);
  });

  test("behavior 12.44: lists of all nodes count a result that was recorded days late", async () => {
    const { world, a, b } = nodes();
    const job = await world.job();
    await world.checkin(job, "fail", NOW);
    const list = async () => {
      const filter = { range: "30d", type: undefined } as const;
      const [listed] = await allSlices(b.store.monitors.list(world.organizationId, filter, NOW));
      return listed?.uptime;
    };
    const of = (ok: number) => uptime({ ok, failed: 1 });
    expect(await list()).toBe(of(0));
    for (const late of [1, 2]) {
      await a.store.recording.record([checkin(job, "ok", NOW - 5 * DAY + late)]);
      expect(await list()).toBe(of(late));
    }
  });
});
