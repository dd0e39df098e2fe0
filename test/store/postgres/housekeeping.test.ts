import { expect, test } from "bun:test";
import { openConnections } from "../../../src/store/postgres/connections.ts";
import { MissingPartition, partitionName, withPartitions } from "../../../src/store/postgres/partitions.ts";
import { eventually } from "../../support/eventually.ts";
import { sharedCluster } from "../../support/store/postgres/cluster.ts";
import { DAY, HOUR, MINUTE, NOW, untilDone } from "../contract/world.ts";
import { describeTwoNodes } from "./two-nodes.ts";

/** The start of the day of `NOW`. */
const TODAY = NOW - 12 * HOUR;

describeTwoNodes("housekeeping of several nodes", (nodes) => {
  /** The days that have a place for results, such as `20270601`. */
  async function days(): Promise<string[]> {
    const rows = await nodes().execute<{ name: string }>(
      "SELECT relname AS name FROM pg_class WHERE relname ~ '^check_results_[0-9]+$' AND relkind = 'r' ORDER BY relname",
    );
    return rows.map(({ name }) => name.slice("check_results_".length));
  }

  async function count(table: string): Promise<number> {
    const [row] = await nodes().execute<{ count: string }>(`SELECT count(*) FROM ${table}`);
    return Number(row?.count);
  }

  /** @returns how many pieces deleted something */
  async function pruneAll(before: number): Promise<number> {
    const { housekeeping } = nodes().world.store;
    let pieces = 0;
    while ((await housekeeping.pruneResults(before)) > 0) pieces++;
    return pieces;
  }

  test("behavior 12.39: a day is deleted when it is wholly expired, with its notifications", async () => {
    const { world } = nodes();
    const job = await world.job(await world.channel());
    for (const [at, status] of ["fail", "ok", "fail", "ok"].entries())
      await world.checkin(job, status, TODAY + at * DAY);
    await world.attemptAll({ outcome: "delivered" });
    for (let left = 3; left > 0; left--) await world.attemptAll({ outcome: "delivered" });
    expect(await pruneAll(TODAY + DAY - 1)).toBe(0);
    expect(await count("check_results")).toBe(4);
    expect(await pruneAll(TODAY + 2 * DAY + HOUR)).toBeGreaterThan(0);
    expect(await count("check_results")).toBe(2);
    expect(await count("deliveries")).toBe(2);
    expect(await days()).toEqual(["20270603", "20270604"]);
    expect((await world.find(job)).status).toBe("ok");
  });

  test("a day is kept while a notification of it is pending, and a later one is deleted", async () => {
    const { world } = nodes();
    const [waiting, other] = [await world.job(await world.channel()), await world.job()];
    await world.checkin(waiting, "fail", TODAY);
    await world.checkin(other, "ok", TODAY);
    await world.checkin(other, "ok", TODAY + DAY);
    await pruneAll(NOW + 10 * DAY);
    expect(await count("check_results")).toBe(2);
    await world.attemptAll({ outcome: "delivered" });
    await pruneAll(NOW + 10 * DAY);
    expect(await count("check_results")).toBe(0);
    expect(await count("deliveries")).toBe(0);
    await world.checkin(other, "ok", TODAY);
    expect(await count("check_results")).toBe(1);
  });

  test("a day that two nodes delete at the same time is deleted once", async () => {
    const { world, a, b, hold, execute } = nodes();
    await world.checkin(await world.job(), "ok", TODAY);
    const release = await hold("SELECT FROM check_results");
    let ended = 0;
    const prunes = [a, b].map(({ store }) =>
      store.housekeeping.pruneResults(NOW + 10 * DAY).finally(() => ended++),
    );
    // Both wait, unless one has given up already.
    const waiting = "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'";
    await eventually(async () => ended + (await execute(waiting)).length >= 2);
    await release();
    await Promise.all(prunes);
    await pruneAll(NOW + 10 * DAY + 5 * MINUTE);
    expect(await count("check_results")).toBe(0);
  });

  test("behavior 12.39: a day that others read is deleted later, and delays nobody", async () => {
    const { world, hold } = nodes();
    await world.checkin(await world.job(), "ok", TODAY);
    const release = await hold("SELECT FROM check_results");
    expect(await pruneAll(NOW + 10 * DAY)).toBe(0);
    await world.checkin(await world.job(), "ok", NOW + 10 * DAY);
    expect(await count("check_results")).toBe(2);
    await release();
    expect(await pruneAll(NOW + 10 * DAY + 5 * MINUTE - 1)).toBe(0);
    expect(await count("check_results")).toBe(2);
    // The result, and its change of the status.
    expect(await pruneAll(NOW + 10 * DAY + 5 * MINUTE)).toBe(2);
    expect(await count("check_results")).toBe(1);
  });

  test("a steady clock prepares the days ahead", async () => {
    const { a, b } = nodes();
    await Promise.all([a.store.housekeeping.noteSteady(NOW), b.store.housekeeping.noteSteady(NOW)]);
    expect(await days()).toEqual(["20270601", "20270602", "20270603"]);
    await a.store.housekeeping.noteSteady(NOW);
    expect(await days()).toHaveLength(3);
  });

  test("the rows of a deleted monitor are deleted, by two nodes at the same time too", async () => {
    const { world, a, b } = nodes();
    const channel = await world.channel();
    const jobs = [await world.job(channel), await world.job(channel), await world.job(channel)];
    for (const job of jobs)
      for (let at = 0; at < 4; at++) await world.checkin(job, at % 2 === 0 ? "fail" : "ok", TODAY + at * DAY);
    for (const job of jobs.slice(1)) await world.store.monitors.delete(world.organizationId, job);
    await Promise.all([a, b].map(({ store }) => untilDone(() => store.housekeeping.sweepDeletedMonitors())));
    const tables = ["check_results", "deliveries", "outages", "daily_totals", "deleted_monitors"];
    expect(await Promise.all(tables.map(count))).toEqual([4, 4, 2, 4, 0]);
    expect(await a.store.housekeeping.sweepDeletedMonitors()).toBeFalse();
  });

  test("the notifications of a deleted channel fail", async () => {
    const { world, a } = nodes();
    const channel = await world.channel();
    await world.checkin(await world.job(channel), "fail");
    await world.store.channels.delete(world.organizationId, channel);
    await untilDone(() => a.store.housekeeping.sweepDeletedChannels());
    expect(await nodes().execute("SELECT status, error FROM deliveries")).toEqual([
      { status: 2, error: "the channel was deleted" },
    ]);
    expect(await a.store.housekeeping.sweepDeletedChannels()).toBeFalse();
    await pruneAll(NOW + 10 * DAY);
    expect(await count("deliveries")).toBe(0);
  });

  test("details are kept while a result, an outage or the latest result refers to them", async () => {
    const { world, a } = nodes();
    const site = await world.site();
    const detail = (version: number) => ({ version });
    await world.up(site, { at: NOW - 20 * DAY, detail: detail(1) });
    await world.up(site, { at: NOW - 10 * DAY, detail: detail(2) });
    const prune = async (before: number) => {
      for (let end: number | null = 0; end !== null; )
        end = await a.store.housekeeping.pruneDetails(before, end);
    };
    await prune(NOW - 20 * DAY);
    expect(await count("details")).toBe(2);
    await prune(NOW - 12 * DAY);
    expect(await count("details")).toBe(1);
    await prune(NOW);
    expect(await count("details")).toBe(1);
    await world.store.monitors.delete(world.organizationId, site);
    await prune(NOW);
    expect(await count("details")).toBe(0);
  });

  test("nothing is copied or returned to the file system by this engine", async () => {
    const { store } = nodes().a;
    await expect(store.backUp("/tmp/nothing")).rejects.toMatchObject({
      kind: "invalid",
      message: expect.stringContaining("pg_dump"),
    });
    expect(await store.housekeeping.returnSpace()).toBeFalse();
    expect((await store.fileSizes()).database).toBeGreaterThan(0);
  });

  test("the time is that of the database, and every answer about changes says that there may be some", async () => {
    const { changes } = nodes().a.store;
    const own = "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS time";
    const read = async () => Number((await nodes().execute<{ time: number }>(own))[0]?.time);
    const before = await read();
    expect(await changes.readTime()).toBeWithin(before, (await read()) + 1);
    expect(await changes.version()).not.toBe(await changes.version());
    expect(await changes.foreignVersion()).not.toBe(await changes.foreignVersion());
    await changes.turn();
  });

  test("a result of an expired day is recorded although its day is deleted before that", async () => {
    const [day, connections] = [
      TODAY - 92 * DAY,
      openConnections((await sharedCluster()).config(nodes().database)),
    ];
    let tries = 0;
    const work = async () => {
      if (++tries === 2) await pruneAll(TODAY);
      if (!(await days()).includes(partitionName(day).slice("check_results_".length)))
        throw new MissingPartition([day]);
      return "recorded";
    };
    try {
      expect(await withPartitions(connections, work)).toBe("recorded");
      expect(tries).toBe(3);
      const missing = Promise.reject(new MissingPartition([day]));
      await expect(withPartitions(connections, () => missing)).rejects.toBeInstanceOf(MissingPartition);
    } finally {
      await connections.close();
    }
  });

  test("a pause of all monitors ends their claims and waits for their recordings", async () => {
    const { world, a, b } = nodes();
    const [site, job] = [await world.site(), await world.job()];
    await world.checkin(job, "fail");
    const now = NOW + 2 * HOUR;
    const [slot] = await a.store.checks.listDueSlots(a.by, { now, before: now });
    const [claimed] = await a.store.checks.claim(slot ? [slot] : [], a.by, now);
    expect(claimed?.id).toBe(site);
    const [paused] = await Promise.all([
      b.store.monitors.pauseAll(world.organizationId, now),
      world.checkin(job, "fail", now),
    ]);
    expect(paused).toBe(2);
    const evidence = { outcome: "reached", latencyMs: 1, detail: {} } as const;
    const check = { kind: "check", monitorId: site, revision: 0, evidence, at: now } as const;
    expect(await a.store.recording.record([{ ...check, claim: claimed?.claim ?? 0 }])).toEqual([null]);
    expect((await world.find(job)).enabled).toBeFalse();
    expect(await b.store.monitors.pauseAll(world.organizationId, now)).toBe(0);
    await expect(b.store.monitors.pauseAll("none", now)).rejects.toMatchObject({ kind: "not_found" });
    const open = await nodes().execute("SELECT FROM outages WHERE ended_at IS NULL");
    expect(open).toEqual([]);
  });
});
