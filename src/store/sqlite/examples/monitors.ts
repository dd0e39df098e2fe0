import { eq } from "drizzle-orm";
import { baselineStart } from "../../../domain/checks/latency-baseline.ts";
import type { Detail } from "../../../domain/checks/observation.ts";
import type { MonitorConfig, MonitorType } from "../../../domain/monitors/monitor.ts";
import { type Status, statusesOf } from "../../../domain/monitors/status.ts";
import type { SavedResult } from "../../recording/recording-engine.ts";
import { statusOfCode } from "../../status-codes.ts";
import type { Store } from "../../store.ts";
import type { Tx } from "../../tx.ts";
import { databaseOf } from "../database.ts";
import type { SqliteEngine } from "../driver.ts";
import { insertResult } from "../recording/save-states.ts";
import { dailyRollups, hourlyRollups, locationStates, monitorStates, monitors, outages } from "../schema.ts";
import { createExamplePage } from "./page.ts";
import { createExampleRuns } from "./runs.ts";

/** A monitor with a history of 90 days. */
export interface Example {
  name: string;
  type: MonitorType;
  config: MonitorConfig;
  status: Status;
  /** Milliseconds. */
  latency?: number;
  enabled?: boolean;
  /** The hours ago in which it was worse, and the position of its status then. */
  troubles?: [hoursAgo: number, status: number][];
  detail?: Detail;
  /** Whether it reports when it starts and ends. */
  hasRuns?: true;
  /** Whether it is checked. By default its target does not exist. */
  isLive?: true;
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const web = (host: string) => ({ url: `https://${host}/`, interval: 60 });

export const EXAMPLES: readonly Example[] = [
  {
    name: "Checkout",
    type: "HTTP",
    config: web("pay.example.com"),
    status: "degraded",
    latency: 612,
    troubles: [
      [1, 2],
      [0, 2],
      [290, 1],
      [291, 1],
      [900, 2],
      [1500, 1],
    ],
  },
  {
    name: "Shop front",
    type: "HTTP",
    config: web("shop.example.com"),
    status: "up",
    latency: 43,
    troubles: [[700, 2]],
  },
  { name: "Public API", type: "HTTP", config: web("api.example.com"), status: "up", latency: 28 },
  {
    name: "Documentation",
    type: "HTTP",
    config: web("docs.example.com"),
    status: "up",
    latency: 61,
    troubles: [[1200, 1]],
  },
  {
    name: "Mail",
    type: "TCP",
    config: { host: "mail.example.com", port: 993, interval: 60 },
    status: "down",
    troubles: [
      [2, 1],
      [1, 1],
      [0, 1],
      [500, 1],
    ],
    detail: { reason: "refused", message: "connect ECONNREFUSED 203.0.113.7:993", address: "203.0.113.7" },
  },
  {
    name: "Database",
    type: "TCP",
    config: { host: "db.internal", port: 5432, interval: 30 },
    status: "up",
    latency: 1.2,
  },
  {
    name: "shop.example.com",
    type: "TLS",
    config: { host: "shop.example.com", port: 443, interval: 3600 },
    status: "active",
    latency: 38,
  },
  { name: "example.com", type: "DNS", config: { hostname: "example.com", interval: 300 }, status: "present" },
  {
    name: "Nightly backup",
    type: "SCHEDULED",
    config: { interval: 300, cron: "0 3 * * *", timezone: "Europe/Berlin" },
    status: "ok",
    troubles: [[800, 1]],
    hasRuns: true,
  },
  { name: "Invoices", type: "SCHEDULED", config: { interval: 300 }, status: "ok" },
  {
    name: "Old shop",
    type: "HTTP",
    config: web("old.example.com"),
    status: "up",
    latency: 90,
    enabled: false,
  },
];

interface Filled {
  engine: Pick<SqliteEngine, "write">;
  /** On the engine. */
  store: Store;
  organizationId: string;
  /** Milliseconds since 1970. */
  now: number;
}

/** Fills a database with monitors that have 90 days of results, and a public page. @returns the IDs of the monitors by their names */
export async function createExamples(
  { engine, store, organizationId, now }: Filled,
  examples: readonly Example[] = EXAMPLES,
): Promise<Map<string, string>> {
  const owner = { organizationId, plan: "enterprise" } as const;
  const ids = new Map<string, string>();
  for (const example of examples) {
    const { name, type, config } = example;
    const { id } = await store.monitors.create(owner, { name, type, config }, now - 90 * DAY);
    ids.set(name, id);
    await engine.write((tx) => addHistory(tx, id, example, now));
  }
  await createExamplePage(store, { organizationId, monitorIds: ids }, now);
  return ids;
}

async function addHistory(tx: Tx, id: string, example: Example, now: number): Promise<void> {
  const db = databaseOf(tx);
  const { type, status, latency, troubles = [], enabled = true, detail } = example;
  const monitor = db.select().from(monitors).where(eq(monitors.id, id)).get();
  if (!monitor) return;
  const perHour = type === "SCHEDULED" ? 1 : 60;
  const days = new Map<number, number[]>();
  const statuses = statusesOf[type];
  const hourly: ReturnType<typeof rollups> = [];
  for (let hours = 90 * 24; hours >= 0; hours--) {
    const start = Math.floor(now / HOUR) * HOUR - hours * HOUR;
    const trouble = troubles.find(([ago]) => ago === hours)?.[1];
    const counts = statuses.map(() => 0);
    counts[0] = trouble === undefined ? perHour : Math.max(0, perHour - 12);
    if (trouble !== undefined) counts[trouble] = 12;
    hourly.push(...rollups(monitor, start, counts, latency, hours));
    const day = Math.floor(start / DAY) * DAY;
    days.set(
      day,
      counts.map((count, at) => count + (days.get(day)?.[at] ?? 0)),
    );
  }
  const daily = [...days].flatMap(([start, counts]) => rollups(monitor, start, counts, latency, 0));
  // As one prepared statement: drizzle would build a statement for each row, which takes seconds.
  await tx.sets.insert(hourlyRollups, hourly);
  await tx.sets.insert(dailyRollups, daily);
  const since =
    now - (troubles[0]?.[0] === undefined || status === statusesOf[type][0] ? 41 * DAY : 134 * 60_000);
  let first: SavedResult | undefined;
  let last: SavedResult | undefined;
  for (let minutes = 24 * 60; minutes > 0; minutes -= type === "SCHEDULED" ? 60 : 2) {
    const createdAt = now - minutes * 60_000;
    const one = createdAt < since ? statusesOf[type][0] : status;
    const slow = one === "degraded" ? 1 : wave(minutes) * 0.55;
    last = insertResult(db, monitor, {
      status: one,
      latencyMs:
        latency === undefined || one === "down" ? null : latency * slow * (0.9 + Math.random() * 0.2),
      detail: one === status ? (detail ?? null) : null,
      createdAt,
    });
    if (createdAt >= since) first ??= last;
  }
  const isHealthy = status === statuses[0];
  const outage = isHealthy
    ? undefined
    : db
        .insert(outages)
        .values({
          id: `${id} outage`,
          monitorPk: monitor.pk,
          startedAt: since,
          status,
          resultPk: first?.pk ?? 0,
          timings: first?.timings ?? null,
          detailPk: first?.detailPk ?? null,
          reason: null,
        })
        .returning({ pk: outages.pk })
        .get();
  db.update(monitors).set({ enabled }).where(eq(monitors.pk, monitor.pk)).run();
  db.update(monitorStates)
    .set({
      status,
      statusSince: since,
      troubleSince: isHealthy ? null : since,
      outagePk: outage?.pk ?? null,
      lastResultPk: last?.pk ?? null,
      lastStatus: last ? statusOfCode(last.status) : null,
      lastTimings: last?.timings ?? null,
      lastDetailPk: last?.detailPk ?? null,
      lastResultAt: last?.createdAt ?? null,
      nextCheckAt: example.isLive ? now : null,
    })
    .where(eq(monitorStates.monitorPk, monitor.pk))
    .run();
  if (example.hasRuns) createExampleRuns(db, monitor.pk, now);
  if (latency === undefined) return;
  const normal = latency * (status === "degraded" ? 0.3 : 0.6) * 10;
  db.insert(locationStates)
    .values({
      monitorPk: monitor.pk,
      location: 0,
      baselineCount: 1000,
      baselineSum: Math.round(1000 * normal),
      baselineSquares: Math.round(1000 * normal * normal * 1.02),
      baselineStart: baselineStart(now) / HOUR,
    })
    .run();
}

/** One for each status that occurred. */
function rollups(
  { pk, type }: { pk: number; type: MonitorType },
  start: number,
  counts: number[],
  latency: number | undefined,
  at: number,
) {
  const tenths = Math.round((latency ?? 0) * 10 * 0.5 * wave(at * 30));
  return statusesOf[type].flatMap((status, place) => {
    const count = counts[place] ?? 0;
    if (count === 0) return [];
    const latencyCount = latency === undefined || place > 0 ? 0 : count;
    return {
      monitorPk: pk,
      start: start / HOUR,
      location: 0,
      status,
      count,
      latencyCount,
      latencySum: tenths * latencyCount,
      latencySquares: tenths ** 2 * latencyCount,
      shortest: latencyCount === 0 ? null : Math.round(tenths * 0.7),
      longest: latencyCount === 0 ? null : Math.round(tenths * 1.6),
    };
  });
}

/** A load that varies over the day. */
function wave(minutes: number): number {
  return 0.75 + 0.25 * Math.sin((minutes / 720) * Math.PI);
}
