import { presentBlindSince } from "../../../src/domain/checks/blindness.ts";
import type { CheckResult } from "../../../src/domain/results/result.ts";
import type { Page } from "../../../src/store/page.ts";
import type { Store } from "../../../src/store/store.ts";
import type { Ledger } from "../ledger.ts";
import type { SimulatedDatabase } from "./database.ts";

const PAGE = 2000;

/** Reads what the database has at the end into the ledger. @param now milliseconds since 1970 */
export async function readOutcome(
  database: SimulatedDatabase,
  { ledger, organizationId, now }: { ledger: Ledger; organizationId: string; now: number },
): Promise<void> {
  const store = database.open();
  try {
    await readResults(store, organizationId, ledger);
    await readDeliveries(store, organizationId, ledger);
    nameParts(ledger);
    await readOutages(store, { organizationId, now }, ledger);
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
      createdAt,
    } of ofChannel.reverse()) {
      if (!monitor || !previousStatus || !newStatus) continue;
      ledger.deliveries.push({
        id,
        resultId,
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

async function readOutages(
  store: Store,
  { organizationId, now }: { organizationId: string; now: number },
  ledger: Ledger,
): Promise<void> {
  for (const [monitor, id] of ledger.monitorIds) {
    const { outages } = await store.monitors.findReport(organizationId, { id, range: "90d" }, now);
    for (const { start, end, status } of outages.reverse())
      ledger.outages.push({ monitor, startedAtWall: start, endedAtWall: end, status });
  }
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
