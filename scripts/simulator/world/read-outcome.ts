import { presentBlindSince } from "../../../src/domain/checks/blindness.ts";
import { HERE_ID } from "../../../src/domain/locations/location.ts";
import {
  monthlyFigures,
  monthSpan,
  type Span,
  sumUpMonth,
} from "../../../src/domain/reports/monthly-report.ts";
import type { CheckResult } from "../../../src/domain/results/history.ts";
import type { MonitorMonth, Store } from "../../../src/store/store.ts";
import type { Page } from "../../../src/store/tx.ts";
import type { Ledger } from "../ledger.ts";
import type { SimulatedDatabase } from "./database.ts";

const PAGE = 2000;

/** Reads what the database has at the end into the ledger. @param now milliseconds since 1970 */
export async function readOutcome(
  database: SimulatedDatabase,
  { ledger, organizationId, now }: { ledger: Ledger; organizationId: string; now: number },
): Promise<void> {
  const store = database.open();
  for (const { request, accepted } of ledger.requests)
    if (accepted && request.kind === "delete") ledger.monitorIds.delete(request.monitor);
  try {
    await readResults(store, organizationId, ledger);
    await readDeliveries(store, organizationId, ledger);
    nameParts(ledger);
    await readOutages(store, organizationId, ledger);
    await readEvidence(store, organizationId, ledger);
    if (ledger.scenario.whole) await readMonths(store, { organizationId, now }, ledger);
    for await (const monitors of store.monitors.list(
      organizationId,
      { type: undefined, range: "90d" },
      now,
    )) {
      for (const monitor of monitors) {
        const { name, uptime, status } = monitor;
        ledger.blindSince.set(name, presentBlindSince(monitor));
        ledger.uptimes.set(name, uptime);
        ledger.statuses.set(name, status);
      }
    }
  } finally {
    await store.close();
  }
}

async function readResults(store: Store, organizationId: string, ledger: Ledger): Promise<void> {
  const found: (CheckResult & { name: string })[] = [];
  for (const [name, monitorId] of ledger.monitorIds) {
    const ofMonitor = await everyPage((cursor) =>
      store.results.list(organizationId, { monitorId, limit: PAGE, cursor }),
    );
    for (const result of ofMonitor) found.push({ ...result, name });
  }
  found.sort((a, b) => (a.id < b.id ? -1 : 1));
  ledger.results = found.map(({ name, status, latencyMs, detail, createdAt }) => ({
    monitor: name,
    status,
    latencyMs,
    detail,
    createdAtWall: createdAt,
  }));
}

async function readDeliveries(store: Store, organizationId: string, ledger: Ledger): Promise<void> {
  for (const [channel, channelId] of ledger.channelIds) {
    const ofChannel = await everyPage((cursor) =>
      store.deliveries.list(organizationId, channelId, { limit: PAGE, cursor }),
    );
    for (const {
      id,
      resultId,
      monitor,
      previousStatus,
      newStatus,
      status,
      attempts,
      firstAttemptAt,
      nextAttemptAt,
      createdAt,
    } of ofChannel.reverse()) {
      if (!monitor || !previousStatus || !newStatus) continue;
      ledger.deliveries.push({
        id,
        resultId,
        releasedByWall: firstAttemptAt ?? nextAttemptAt,
        channel,
        monitor: monitor.name,
        previousStatus,
        newStatus,
        status,
        attempts,
        createdAtWall: createdAt,
      });
    }
  }
}

/** A message with several notifications has only the ID of the first one. */
function nameParts({ attempts, deliveries }: Ledger): void {
  for (const attempt of attempts) {
    const { channel, monitor, resultId, reminder, startedAt } = attempt;
    if (attempt.id !== "") continue;
    const found = deliveries.findLast((one) => {
      const isSame = one.channel === channel && one.monitor === monitor && one.createdAtWall <= startedAt;
      return isSame && one.resultId === (reminder ? null : resultId);
    });
    attempt.id = found?.id ?? "";
  }
}

async function readOutages(store: Store, organizationId: string, ledger: Ledger): Promise<void> {
  for (const [monitor, monitorId] of ledger.monitorIds) {
    const filter = { monitorId, limit: PAGE };
    const outages = await everyPage((cursor) => store.outages.list(organizationId, { ...filter, cursor }));
    for (const { startedAt, endedAt, status } of outages.reverse())
      ledger.outages.push({ monitor, startedAtWall: startedAt, endedAtWall: endedAt, status });
  }
}

async function readEvidence(store: Store, organizationId: string, ledger: Ledger): Promise<void> {
  for (const [monitor, monitorId] of ledger.monitorIds) {
    const all = await everyPage((cursor) =>
      store.evidence.listOfMonitor(organizationId, { monitorId, limit: PAGE, cursor }),
    );
    for (const { location, status, layer, summary, at } of all.reverse()) {
      const place = location === HERE_ID ? null : location;
      ledger.evidence.push({ monitor, place, status, layer, summary, atWall: at });
    }
  }
}

/** The figures of `GET /api/v1/reports/monthly` of each month of the scenario. */
async function readMonths(
  store: Store,
  { organizationId, now }: { organizationId: string; now: number },
  { scenario, months }: Ledger,
): Promise<void> {
  const day = 86_400_000;
  const names = new Set<string>();
  for (let at = scenario.from; at < now + day; at += day)
    names.add(new Date(Math.min(at, now)).toISOString().slice(0, 7));
  for (const month of names) {
    const span = monthSpan(month, now);
    for (const { name, ...history } of await everyMonitor(store, organizationId, span)) {
      const { downMs, maintenanceMs, unknownMs, outages } = monthlyFigures(sumUpMonth(history, span));
      const sum = months.get(name) ?? { downMs: 0, maintenanceMs: 0, unknownMs: 0, outages: 0 };
      months.set(name, {
        downMs: sum.downMs + downMs,
        maintenanceMs: sum.maintenanceMs + maintenanceMs,
        unknownMs: sum.unknownMs + unknownMs,
        outages: sum.outages + outages,
      });
    }
  }
}

async function everyMonitor(store: Store, organizationId: string, month: Span): Promise<MonitorMonth[]> {
  const all: MonitorMonth[] = [];
  for (let after: number | null = 0; after !== null; ) {
    const { monitors, end } = await store.reports.readMonth(organizationId, { month, after });
    all.push(...monitors);
    after = end;
  }
  return all;
}

async function everyPage<Item>(read: (cursor: string | undefined) => Promise<Page<Item>>): Promise<Item[]> {
  const items: Item[] = [];
  let cursor: string | undefined;
  do {
    const page = await read(cursor);
    for (const item of page.items) items.push(item);
    cursor = page.cursor ?? undefined;
  } while (cursor !== undefined);
  return items;
}
