import { type StatusSummary, summarize } from "../domain/monitors/status-schema.ts";
import type { Store } from "../store/store.ts";

/** The status summaries of organizations, counted again only after a commit. */
export interface StatusSummaryCache {
  of(organizationId: string): Promise<StatusSummary>;
}

export function createStatusSummaryCache(store: Store): StatusSummaryCache {
  const cached = new Map<string, StatusSummary>();
  let version: number | undefined;
  return {
    async of(organizationId) {
      const current = await store.changes.version();
      if (current !== version) cached.clear();
      version = current;
      const known = cached.get(organizationId);
      if (known) return known;
      const summary = summarize(await store.monitors.countStatuses(organizationId));
      // Another request may have found a later version meanwhile.
      if (version === current) cached.set(organizationId, summary);
      return summary;
    },
  };
}
