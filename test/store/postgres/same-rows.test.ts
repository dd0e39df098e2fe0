import { expect, setDefaultTimeout, test } from "bun:test";
import fc from "fast-check";
import type { Evidence } from "../../../src/domain/checks/observation.ts";
import type { Observed } from "../../../src/domain/locations/protocol.ts";
import type { MonitorChanges } from "../../../src/domain/monitors/monitor-update.ts";
import type { Recording } from "../../../src/domain/monitors/recording-plan.ts";
import { walks } from "../../support/long.ts";
import { findPrograms } from "../../support/store/postgres/programs.ts";
import { openPostgresSide, openSqliteSide, type Side } from "./both-engines.ts";

setDefaultTimeout(300_000);

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const NOW = Date.UTC(2027, 5, 1, 12);

const IDS = ["web", "port", "name", "job", "far", "away"];

/** The number of the location besides the server, the first one of a new database. */
const FRA = 1;

const evidence = fc.oneof(
  fc.record({
    outcome: fc.constant("reached" as const),
    latencyMs: fc.oneof(
      fc.integer({ min: 500, max: 60_000 }).map((value) => value / 100),
      fc.constant(null),
    ),
    detail: fc.constantFrom(
      {},
      { statusCode: 200 },
      { text: 'a"\\{},\u0000\ud800é' },
      { phases: { connect: 1.5 } },
    ),
  }),
  fc.record({
    outcome: fc.constant("failed" as const),
    reason: fc.constantFrom("refused" as const, "timeout" as const),
    detail: fc.constantFrom({}, { message: "\u0000" }),
  }),
);

const gap = fc.oneof(
  { weight: 20, arbitrary: fc.integer({ min: 0, max: 40 * MINUTE }) },
  { weight: 1, arbitrary: fc.integer({ min: -2 * DAY, max: 40 * DAY }) },
);

type Step =
  | { kind: "events"; events: { id: string; evidence: Evidence; word: string; gap: number }[] }
  | { kind: "edit"; id: string; changes: MonitorChanges }
  /** Acknowledges all open outages, or takes that back. */
  | { kind: "acknowledge"; isBack: boolean }
  | { kind: "review" };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.record({
      kind: fc.constant("events" as const),
      events: fc.array(
        fc.record({
          id: fc.constantFrom(...IDS),
          evidence,
          word: fc.constantFrom("ok", "fail", "silence"),
          gap,
        }),
        { maxLength: 8 },
      ),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("edit" as const),
      id: fc.constantFrom("web", "port", "job", "far"),
      changes: fc.constantFrom<MonitorChanges[]>(
        { enabled: false },
        { enabled: true },
        { confirmations: 1, recoveries: 1 },
        { confirmations: 0, recoveries: 0 },
        { dependsOn: ["name"] },
        { dependsOn: [], tags: ["a"] },
        { alertBindings: [{ alertChannelId: "all", after: 60, every: 300 }, { alertChannelId: "some" }] },
        { alertChannelIds: ["all", "some"] },
      ),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.oneof(
      fc.constant({ kind: "review" as const }),
      fc.record({ kind: fc.constant("acknowledge" as const), isBack: fc.boolean() }),
    ),
  },
);

test.skipIf(findPrograms() === undefined)(
  "recordings leave the same rows as on the embedded engine",
  async () => {
    const walk = fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
      await using sqlite = await openSqliteSide();
      await using postgres = await openPostgresSide();
      const ends = [];
      for (const side of [sqlite, postgres]) {
        await createMonitors(side);
        const recorded = withoutIds(await play(side, steps));
        ends.push({ recorded, rows: await dump(side) });
      }
      expect(ends[1]).toEqual(ends[0]);
    });
    await fc.assert(walk, { numRuns: walks(10) });
  },
);

/** The same IDs on both sides, because the slots of a monitor follow from its ID. */
async function createMonitors({ store, organizationId, rows }: Side): Promise<void> {
  const owner = { organizationId, plan: "enterprise" } as const;
  const base = { type: "WEBHOOK", config: { url: "http://127.0.0.1/" }, enabled: true } as const;
  const all = await store.channels.create(owner, { ...base, name: "all" }, NOW);
  const some = await store.channels.create(owner, { ...base, name: "some", notifyOn: ["down"] }, NOW);
  const off = await store.channels.create(owner, { ...base, name: "off", enabled: false }, NOW);
  const alertChannelIds = [all.id, some.id, off.id];
  const configs = [
    { name: "web", type: "HTTP", config: { url: "http://a/", interval: 60 } },
    { name: "port", type: "TCP", config: { host: "a", port: 1, interval: 60 } },
    { name: "name", type: "TCP", config: { host: "b", port: 1, interval: 60 } },
    { name: "job", type: "SCHEDULED", config: { interval: 600 } },
  ] as const;
  for (const config of configs) await store.monitors.create(owner, { ...config, alertChannelIds }, NOW);
  const fra = await store.locations.create({ organizationId, name: "fra", key: "k" }, NOW);
  await store.locations.noteSeen(FRA, { now: NOW, version: "1.0.0" });
  const placed = { type: "TCP", config: { host: "c", port: 1, interval: 60 }, alertChannelIds } as const;
  const downWhen = "any";
  await store.monitors.create(owner, { ...placed, name: "far", locations: ["here", fra.id], downWhen }, NOW);
  await store.monitors.create(owner, { ...placed, name: "away", locations: [fra.id] }, NOW);
  await rows("UPDATE monitors SET id = name RETURNING id");
  await rows("UPDATE alert_channels SET id = name RETURNING id");
  await rows("UPDATE organizations SET id = 'A' RETURNING id");
}

/** @returns what was recorded of each event */
async function play({ store, rows }: Side, steps: Step[]) {
  const owner = { organizationId: "A", plan: "enterprise" } as const;
  const recorded: unknown[] = [];
  const remote: { observed: Omit<Observed, "sequence">; receivedAt: number }[] = [];
  let at = NOW;
  let sequence = 0;
  for (const step of steps) {
    if (step.kind === "edit") {
      await store.monitors.update(owner, step.id, step.changes, at);
      continue;
    }
    if (step.kind === "review") {
      while ((await store.alertReviews.review(at, 100)).isMore);
      continue;
    }
    if (step.kind === "acknowledge") {
      const { items } = await store.outages.list("A", { limit: 50, isOpen: true });
      for (const { id } of items)
        if (step.isBack) await store.outages.unacknowledge("A", id, at);
        else await store.outages.acknowledge("A", id, { by: "Ada", note: null }, at);
      continue;
    }
    const revisions = await rows("SELECT id, revision FROM monitors");
    const events = step.events.flatMap(({ id, evidence, word, gap }): Recording[] => {
      at += gap;
      const revision = Number(revisions.find((row) => row.id === id)?.revision);
      if (isRemote(id, word)) {
        // Some are late.
        const seenAt = word === "silence" ? at - 10 * MINUTE : at;
        const observed = { monitorId: id, revision, evidence, at: seenAt, startAt: seenAt };
        remote.push({ observed, receivedAt: at });
        return [];
      }
      return [here({ id, evidence, word, revision, at })];
    });
    recorded.push(...(await store.recording.record(events)));
    for (const { observed, receivedAt } of remote.splice(0)) {
      const observations = [{ ...observed, sequence: ++sequence }];
      const batch = { location: FRA, stream: "s".repeat(22), observations, receivedAt };
      recorded.push(await store.recording.recordObservations(batch));
    }
    recorded.push(
      await (step.events.length % 3 === 0
        ? store.locations.silence(FRA, at)
        : store.locations.reconnect(FRA, at)),
    );
  }
  return recorded;
}

function isRemote(id: string, word: string): boolean {
  return id === "away" || (id === "far" && word !== "ok");
}

/** An event of this server. */
function here({
  id,
  evidence,
  word,
  revision,
  at,
}: {
  id: string;
  evidence: Evidence;
  word: string;
  revision: number;
  at: number;
}): Recording {
  if (id === "job" && word === "silence") return { kind: "silence", monitorId: id, at };
  if (id === "job") return { kind: "checkin", monitorId: id, status: word, at };
  return { kind: "check", monitorId: id, revision, evidence, at };
}

const DUMP = {
  results: `SELECT monitor_pk, status, timings, created_at,
      (SELECT text FROM details WHERE details.pk = detail_pk) AS detail
    FROM check_results ORDER BY pk`,
  hours: "SELECT * FROM hourly_rollups ORDER BY monitor_pk, start, location, status",
  days: "SELECT * FROM daily_rollups ORDER BY monitor_pk, start, location, status",
  states: `SELECT monitor_pk, status, status_since, trouble_since, next_check_at, last_good_latency, deadline, rhythm,
      suspicion, places_since, status_before, open_start, open_status, open_count, open_latency_count, open_latency_sum,
      open_latency_squares, open_shortest, open_longest, (SELECT started_at FROM outages WHERE outages.pk = outage_pk) AS outage,
      (SELECT created_at FROM check_results WHERE check_results.pk = last_result_pk) AS result_at,
      last_status, last_timings, (SELECT text FROM details WHERE details.pk = last_detail_pk) AS last_detail, last_result_at
    FROM monitor_states ORDER BY monitor_pk`,
  locations: "SELECT * FROM location_states ORDER BY monitor_pk, location",
  probes: "SELECT silent_at, stream, acknowledged FROM locations",
  changes: `SELECT organization_pk, monitor_pk, previous_status, created_at,
      (SELECT status FROM check_results WHERE check_results.pk = result_pk) AS status
    FROM status_changes ORDER BY result_pk`,
  bindings: `SELECT monitor_pk, channel_pk, notified_status, CASE WHEN incident IS NULL THEN 0 ELSE 1 END AS incidents, "after", every, kept_after, kept_every, remind_at,
      (SELECT started_at FROM outages WHERE outages.pk = kept_for_outage) AS kept_for
    FROM alert_bindings ORDER BY monitor_pk, channel_pk`,
  outages: `SELECT organization_pk, monitor_pk, started_at, ended_at, status, reason, acknowledged_at, acknowledged_by,
      (SELECT created_at FROM check_results WHERE check_results.pk = result_pk) AS result_at,
      timings, (SELECT text FROM details WHERE details.pk = detail_pk) AS detail
    FROM outages ORDER BY pk`,
  deliveries: `SELECT monitor_pk, channel_pk, channel_id, channel_type, transition, status, attempts, next_attempt_at,
      created_at, hold, review_at, (SELECT started_at FROM outages WHERE outages.pk = outage_pk) AS outage_at,
      (SELECT created_at FROM check_results WHERE check_results.pk = result_pk) AS result_at
    FROM deliveries ORDER BY pk`,
  details: "SELECT monitor_pk, hash, text FROM details ORDER BY monitor_pk, text",
};

/** The IDs of evidence are random. */
function withoutIds(recorded: unknown): unknown {
  return JSON.parse(JSON.stringify(recorded, (name, value) => (name === "evidenceId" ? "" : value)));
}

async function dump({ rows }: Side) {
  const tables: Record<string, unknown> = {};
  for (const [name, sql] of Object.entries(DUMP)) tables[name] = (await rows(sql)).map(normal);
  return tables;
}

const JSON_COLUMNS = ["rhythm", "suspicion", "memory", "transition", "latest", "acknowledged", "hold"];

function normal(row: Record<string, unknown>) {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => {
      if (value instanceof Uint8Array) return [name, Buffer.from(value).toString("hex")];
      const parsed = JSON_COLUMNS.includes(name) && typeof value === "string" ? JSON.parse(value) : value;
      if (name === "transition") parsed.result.id = "";
      // Random.
      if (name === "transition" && parsed.outage) parsed.outage.id = "";
      if (name === "hold" && parsed?.by) parsed.by.outageId = "";
      return [name, parsed];
    }),
  );
}
