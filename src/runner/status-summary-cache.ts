import { type StatusSummary, summarize } from "../domain/monitors/status-summary.ts";
import { countStatuses } from "../store/monitors/monitors.ts";
import { type Database, ownChanges } from "../store/sqlite/open.ts";
import type { Authenticator } from "./authenticator.ts";

/** The status summaries of organizations, counted again only after a change. */
export interface StatusSummaryCache {
  /** Must follow the identification of the caller: that detects changes by other processes. */
  of(organizationId: string): Promise<StatusSummary>;
}

export function createStatusSummaryCache({
  db,
  authenticator,
}: {
  db: Database;
  authenticator: Pick<Authenticator, "dataVersion">;
}): StatusSummaryCache {
  const cached = new Map<string, StatusSummary>();
  let version = "";
  return {
    async of(organizationId) {
      const current = `${authenticator.dataVersion()} ${ownChanges(db)}`;
      if (current !== version) cached.clear();
      version = current;
      const known = cached.get(organizationId);
      if (known) return known;
      const summary = summarize(await countStatuses(db, organizationId));
      // Another request may have found a later version meanwhile.
      if (version === current) cached.set(organizationId, summary);
      return summary;
    },
  };
}
