import type { AuditAction, AuditResource, OldValues } from "../../domain/accounts/audit.ts";
import type { MonitorEdit, PastEdit } from "../../domain/replay/past-settings.ts";
import type { Engine } from "../engine.ts";
import { fromJson } from "../tx.ts";

/** An entry of the audit log. */
interface Entry extends PastEdit {
  action: AuditAction;
  resource: AuditResource;
}

/** The entries of the audit log that a replay needs, each list oldest first. Times are milliseconds since 1970. */
export interface PastEdits {
  /** Also the pauses of all monitors. */
  ofMonitor(id: string): readonly MonitorEdit[];
  /** Updates of a channel or a maintenance. */
  of(id: string): readonly PastEdit[];
  deleted(type: "channel" | "maintenance"): readonly Entry[];
  /** When a maintenance was created; undefined if that was earlier. */
  createdAt(id: string): number | undefined;
  /** The IDs of locations by names that they had before. */
  renamedLocations(): ReadonlyMap<string, string>;
  /** Acknowledgements of an outage, and when they were taken back. */
  ofOutage(id: string): readonly { at: number; isAcknowledged: boolean }[];
}

const NEEDED: ReadonlySet<AuditAction> = new Set<AuditAction>([
  ...(["monitor.updated", "monitor.all_paused", "channel.updated", "channel.deleted"] as const),
  ...(["maintenance.created", "maintenance.updated", "maintenance.deleted"] as const),
  ...(["location.updated", "outage.acknowledged", "outage.unacknowledged"] as const),
]);

interface Row {
  pk: number;
  at: number;
  action: AuditAction;
  resource: AuditResource | string;
  before: OldValues | string | null;
}

const AT_ONCE = 500;

/** Newest first, by the index of the list. */
const LIST = `SELECT pk, created_at AS at, action, resource, before FROM audit_entries
  WHERE organization_pk = $1 AND pk < $2 ORDER BY pk DESC LIMIT ${AT_ONCE}`;

/** @param since the time of the oldest entry */
export async function readEdits(engine: Engine, organization: number, since: number): Promise<PastEdits> {
  const entries: Entry[] = [];
  for (let before = Number.MAX_SAFE_INTEGER, isMore = true; isMore; ) {
    const rows = await engine.readSlice((tx) => tx.query<Row>(LIST, [organization, before]));
    for (const { at, action, ...row } of rows)
      if (at >= since && NEEDED.has(action))
        entries.push({ at, action, resource: fromJson(row.resource), before: fromJson(row.before) ?? {} });
    const last = rows.at(-1);
    isMore = rows.length === AT_ONCE && last !== undefined && last.at >= since;
    before = last?.pk ?? 0;
  }
  return editsOf(entries.reverse());
}

function editsOf(entries: readonly Entry[]): PastEdits {
  const updates = entries.filter(({ action }) => action.endsWith(".updated"));
  const byId = Map.groupBy(updates, ({ resource }) => resource.id);
  const pauses = entries.flatMap(({ action, at }): MonitorEdit[] =>
    action === "monitor.all_paused" ? [{ kind: "all_paused", at, before: {} }] : [],
  );
  const ofOutages = Map.groupBy(
    entries.filter(({ resource }) => resource.type === "outage"),
    ({ resource }) => resource.id,
  );
  return {
    ofMonitor(id) {
      const own = (byId.get(id) ?? []).map(
        ({ at, before }): MonitorEdit => ({ kind: "updated", at, before }),
      );
      return pauses.length === 0 ? own : [...own, ...pauses].sort((a, b) => a.at - b.at);
    },
    of: (id) => byId.get(id) ?? [],
    deleted: (type) => entries.filter(({ action }) => action === `${type}.deleted`),
    createdAt: (id) =>
      entries.find(({ action, resource }) => action === "maintenance.created" && resource.id === id)?.at,
    renamedLocations: () =>
      new Map(
        updates.flatMap(({ resource, before: { name } }) =>
          resource.type === "location" && typeof name === "string" ? [[name, resource.id] as const] : [],
        ),
      ),
    ofOutage: (id) =>
      (ofOutages.get(id) ?? []).map(({ at, action }) => ({
        at,
        isAcknowledged: action === "outage.acknowledged",
      })),
  };
}
