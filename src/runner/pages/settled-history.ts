import {
  createSettler,
  type PageFacts,
  type SettledDays,
  type SettledHistory,
  settledStretch,
} from "../../domain/pages/component-status.ts";
import type { Store } from "../../store/store.ts";

/** The days of a page before yesterday, from the database. @property readAt milliseconds since 1970 */
export interface KeptHistory extends SettledHistory {
  readAt: number;
}

/** It is read again after this time, because results may be recorded late; milliseconds. */
const KEPT_FOR = 3_600_000;

/** Monitors of which the days are read at once. */
const SLICE = 10;

/** The days of a page before yesterday: known ones from memory, the others in slices from the database. */
export async function readSettledHistory(
  store: Pick<Store, "pages" | "changes">,
  { page, components }: PageFacts,
  { known, now }: { known: KeptHistory | undefined; now: number },
): Promise<KeptHistory> {
  const stretch = settledStretch(page.days, now);
  const kept = known && isValid(known, { ...stretch, now }) ? known : undefined;
  const byMonitor = new Map<string, SettledDays>(kept?.byMonitor);
  const missing = [...new Set(components.map(({ monitorId }) => monitorId))].filter(
    (id) => !byMonitor.has(id),
  );
  const settle = createSettler(stretch);
  for (let at = 0; at < missing.length; at += SLICE) {
    const slice = missing.slice(at, at + SLICE);
    await store.changes.turn();
    const counts = await store.pages.listSettledCounts(slice, stretch);
    for (const id of slice) byMonitor.set(id, settle(counts.get(id) ?? []));
  }
  return { ...stretch, byMonitor, readAt: kept?.readAt ?? now };
}

function isValid(
  known: KeptHistory,
  { since, until, now }: { since: number; until: number; now: number },
): boolean {
  return (
    known.since === since && known.until === until && known.readAt <= now && now < known.readAt + KEPT_FOR
  );
}
