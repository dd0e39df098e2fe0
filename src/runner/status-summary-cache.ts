import { type StatusSummary, summarize } from "../domain/monitors/status-summary.ts";
import { countStatuses } from "../store/monitors/monitors.ts";
import { type Database, ownChanges } from "../store/sqlite/open.ts";
import type { Authenticator } from "./authenticator.ts";

/** The status summaries of organizations, counted anew only after something has changed. */
export interface StatusSummaryCache {
  /** To be asked only for a caller that was just identified: changes of other processes are seen then. */
  of(organizationId: string): Promise<StatusSummary>;
}

export function createStatusSummaryCache({
  db,
  callers,
}: {
  db: Database;
  callers: Authenticator;
}): StatusSummaryCache {
  const kept = new Map<string, StatusSummary>();
  let version = "";
  return {
    async of(organizationId) {
      const current = `${callers.dataVersion()} ${ownChanges(db)}`;
      if (current !== version) kept.clear();
      version = current;
      const known = kept.get(organizationId);
      if (known) return known;
      const counted = summarize(await countStatuses(db, organizationId));
      // Another request may have seen a later state since.
      if (version === current) kept.set(organizationId, counted);
      return counted;
    },
  };
}
