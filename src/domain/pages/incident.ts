/** From the least to the worst. */
export const IMPACTS = ["none", "minor", "major", "critical"] as const;
export type Impact = (typeof IMPACTS)[number];

export const INCIDENT_STATUSES = ["investigating", "identified", "monitoring", "resolved"] as const;
export type IncidentStatus = (typeof INCIDENT_STATUSES)[number];

export const INCIDENT_LABELS: Record<IncidentStatus, string> = {
  investigating: "Investigating",
  identified: "Identified",
  monitoring: "Monitoring",
  resolved: "Resolved",
};

/** Times are milliseconds since 1970. @property body Markdown */
export interface IncidentUpdate {
  id: string;
  status: IncidentStatus;
  body: string;
  createdAt: number;
  /** When people last changed it; null if nobody did. */
  editedAt: number | null;
}

/** An incident that people wrote. Times are milliseconds since 1970. */
export interface Incident {
  id: string;
  title: string;
  impact: Impact;
  /** Components of its page. */
  componentIds: string[];
  startedAt: number;
  /** Null while it is open. */
  resolvedAt: number | null;
  /** The newest first. */
  updates: IncidentUpdate[];
}

/**
 * The status that an incident shows (behavior 15.25).
 *
 * @param updates the newest first
 * @param resolvedAt null while it is open
 */
export function incidentStatus({
  updates,
  resolvedAt,
}: {
  updates: readonly Pick<IncidentUpdate, "status">[];
  resolvedAt: unknown;
}): IncidentStatus {
  return updates[0]?.status ?? (resolvedAt === null ? "investigating" : "resolved");
}

/**
 * When an incident was resolved, after one of its updates was edited or deleted: the latest update decides (behavior 17.41).
 *
 * @param updates the newest first @param resolvedAt before the change; null while it was open
 * @returns null while it is open
 */
export function resolvedAtAfterEdit(
  updates: readonly Pick<IncidentUpdate, "status" | "createdAt">[],
  resolvedAt: number | null,
): number | null {
  if (updates[0]?.status !== "resolved") return null;
  const before = updates.findIndex(({ status }) => status !== "resolved");
  const first = before < 0 ? updates.at(-1) : updates[before - 1];
  return resolvedAt ?? first?.createdAt ?? null;
}

/** The most updates of a page (behavior 15.102). */
export const MAX_SHOWN_UPDATES = 500;

/** Characters of all updates of a page: what they cost to render must not delay checks. */
const MAX_TEXT_SIZE = 200_000;

/** The latest updates up to the limit of their text, and the last one of each incident. @param updates the newest first */
export function shownUpdates<Update extends { body: string; incidentPk: number }>(
  updates: readonly Update[],
): Update[] {
  let size = 0;
  const seen = new Set<number>();
  const shown: Update[] = [];
  for (const update of updates) {
    size += update.body.length;
    if (size <= MAX_TEXT_SIZE || !seen.has(update.incidentPk)) shown.push(update);
    seen.add(update.incidentPk);
  }
  return shown;
}
