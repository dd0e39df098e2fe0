import { expect, test } from "bun:test";
import pg from "pg";
import { eventually } from "../../support/eventually.ts";
import { sharedCluster } from "../../support/store/postgres/cluster.ts";
import { HOUR, MINUTE, NOW } from "../contract/world.ts";
import { describeTwoNodes } from "./two-nodes.ts";

/*
 * Edits lock rows in the same order as recordings do, so that neither waits for the other in a circle: a deadlock would
 * delay both by a second.
 */
describeTwoNodes("the order of locks", (nodes) => {
  /** Locks as a recording does: first some rows; then, while the edit waits for these, others. */
  async function between(edit: () => Promise<unknown>, first: string, then: string): Promise<void> {
    const [database] = await nodes().execute<{ name: string }>("SELECT current_database() AS name");
    const recording = new pg.Client((await sharedCluster()).config(database?.name ?? ""));
    await recording.connect();
    try {
      await recording.query(`BEGIN; ${first}`);
      const editing = edit();
      editing.catch(() => {});
      await eventually(async () => (await waiting()) > 0);
      // It would wait for the edit, which waits for it.
      await recording.query(`SET LOCAL lock_timeout = 300; ${then}`);
      await recording.query("ROLLBACK");
      await editing;
    } finally {
      await recording.end();
    }
  }

  const waiting = async () =>
    (await nodes().execute("SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'")).length;

  const STATES = "SELECT 1 FROM monitor_states FOR UPDATE";
  const CHANNELS = "SELECT 1 FROM alert_channels FOR NO KEY UPDATE";
  const DELIVERIES = "SELECT 1 FROM deliveries FOR NO KEY UPDATE";

  test("is the same for the deletion of a monitor", async () => {
    const { world, a } = nodes();
    const id = await world.site();
    const remove = () => a.store.monitors.delete(world.owner.organizationId, id);
    await between(remove, STATES, "SELECT 1 FROM monitors FOR KEY SHARE");
  });

  test("is the same for the update of a monitor", async () => {
    const { world, a } = nodes();
    const id = await world.site();
    const pause = () => a.store.monitors.update(world.owner, id, { enabled: false }, NOW);
    await between(pause, STATES, "SELECT 1 FROM monitors FOR NO KEY UPDATE");
  });

  const LOCATIONS = "SELECT 1 FROM locations FOR NO KEY UPDATE";

  test("is the same for edits and pauses of monitors that other locations check, and for lost votes", async () => {
    const { world, a } = nodes();
    const { id: location, pk } = await world.location();
    const id = await world.placed([location, "here"]);
    const { organizationId } = world;
    const { monitors, locations } = a.store;
    const config = { host: "b", port: 1, interval: 60 };
    await between(() => monitors.update(world.owner, id, { config }, NOW), LOCATIONS, STATES);
    await between(() => locations.silence(pk, NOW), LOCATIONS, STATES);
    await between(() => monitors.pauseAll(organizationId, NOW), LOCATIONS, STATES);
    await between(() => monitors.delete(organizationId, id), LOCATIONS, STATES);
  });

  const stateOf = (id: string) =>
    `SELECT 1 FROM monitor_states JOIN monitors ON pk = monitor_pk WHERE id = '${id}' FOR UPDATE OF monitor_states`;

  const hours = (from: number, to: number) => ({
    startsAt: new Date(NOW + from * HOUR).toISOString(),
    endsAt: new Date(NOW + to * HOUR).toISOString(),
  });

  const SITE = { type: "TCP", config: { host: "a", port: 1, interval: 60 } };
  const JOB = { type: "SCHEDULED", config: { period: 3600, grace: 720 } };
  const WINDOW = { title: "Move", selector: { all: true }, ...hours(1, 50) };

  const apply = (document: object, now: number) =>
    nodes().a.store.configuration.apply(
      nodes().world.organizationId,
      document,
      { prune: "all", isDryRun: false },
      now,
    );

  /** Monitors that the end of a window changes: a probed one in trouble, and later a job whose deadline the window moved. */
  async function inWindow() {
    const { world, a } = nodes();
    await apply({ monitors: { site: SITE }, maintenances: { window: WINDOW } }, NOW);
    await apply({ monitors: { site: SITE, job: JOB }, maintenances: { window: WINDOW } }, NOW);
    const ids = await nodes().execute<{ id: string }>("SELECT id FROM monitors ORDER BY pk");
    const [site = "", job = ""] = ids.map(({ id }) => id);
    await world.checkin(job, "ok");
    const [organization] = await a.store.maintenances.listWatched();
    await a.store.maintenances.noteWindows(organization?.pk ?? 0, NOW + HOUR);
    await world.down(site, NOW + HOUR);
    await world.store.recording.record([{ kind: "silence", monitorId: job, at: NOW + 2 * HOUR }]);
    const [window] = await a.store.maintenances.list(world.organizationId, NOW + HOUR);
    return { site, job, window: window?.id ?? "" };
  }

  test("is the same for the end of a window of probed monitors and of jobs", async () => {
    const { world, a } = nodes();
    const { site, job, window } = await inWindow();
    const now = NOW + 2 * HOUR + MINUTE;
    const end = () => a.store.maintenances.end(world.organizationId, window, now);
    await between(end, stateOf(site), stateOf(job));
    const { deadline } = await world.store.monitors.findReport(
      world.organizationId,
      { id: job, range: "1d" },
      now,
    );
    expect(deadline).toBe(now + 72 * MINUTE);
  });

  test("is the same for a document that changes monitors and windows", async () => {
    const { site, job } = await inWindow();
    const now = NOW + 2 * HOUR + MINUTE;
    const paused = { site: SITE, job: { ...JOB, enabled: false } };
    const others = { window: { ...WINDOW, selector: { tags: ["x"] } } };
    await between(() => apply({ monitors: paused, maintenances: others }, now), stateOf(site), stateOf(job));
  });

  test("is the same for channels that are disabled or unbound", async () => {
    const { world, a } = nodes();
    const channel = await world.channel();
    const id = await world.site(channel);
    await world.up(id);
    await world.down(id, NOW + 1);
    const disable = () =>
      a.store.channels.update(world.owner.organizationId, channel, { enabled: false }, NOW);
    await between(disable, CHANNELS, DELIVERIES);
    await a.store.channels.update(world.owner.organizationId, channel, { enabled: true }, NOW);
    await world.up(id, { at: NOW + 2 });
    const unbind = () => a.store.monitors.update(world.owner, id, { alertChannelIds: [] }, NOW);
    await between(unbind, DELIVERIES, "SELECT 1 FROM alert_bindings FOR NO KEY UPDATE");
    const counts = await nodes().execute("SELECT 1 FROM deliveries WHERE status = 0");
    expect(counts).toHaveLength(0);
  });

  test("behavior 13.60: a notice waits for a recording that has locked its channel, and gets a later number", async () => {
    const { world } = nodes();
    await world.setDefaults(await world.channel());
    const INSERTED = `INSERT INTO deliveries (id, channel_pk, channel_id, channel_type, transition, status, created_at)
      SELECT 'recorded', pk, id, type, '{}', 1, 0 FROM alert_channels; COMMIT; BEGIN`;
    await between(() => world.notify(), CHANNELS, INSERTED);
    const rows = await nodes().execute<{ id: string }>("SELECT id FROM deliveries ORDER BY pk");
    expect(rows.map(({ id }) => id === "recorded")).toEqual([true, false]);
  });
});
