import type { OutageChange } from "../../../domain/monitors/outage.ts";
import { createId } from "../../ids.ts";
import type { OpenedOutages } from "../../recording/plan-effects.ts";
import { findSubject, type StoredSubjects } from "../../recording/stored-subject.ts";
import { statusCodes } from "../../status-codes.ts";
import type { Sql } from "../../tx.ts";
import { arraysOf } from "../values.ts";
import { DownChanges } from "./save-downs.ts";
import type { SavedResult } from "./save-results.ts";

/** An outage that the plan opens, as it is after the plan. @property status its code */
interface NewOutage {
  id: string;
  organizationPk: number;
  monitorPk: number;
  startedAt: number;
  endedAt: number | null;
  status: number;
  reason: string | null;
  maintenanceId: string | null;
  resultPk: number;
  timings: Uint8Array | null;
  detailPk: number | null;
}

/** The changes of a stored outage; null leaves a field as it is. */
interface ChangedOutage {
  pk: number;
  endedAt: number | null;
  status: number | null;
  isUnacknowledged: boolean;
}

const OPEN = `INSERT INTO outages (id, organization_pk, monitor_pk, started_at, ended_at, status, reason, maintenance_id,
    result_pk, timings, detail_pk)
  SELECT id, organization_pk, monitor_pk, started_at, ended_at, status, reason, maintenance_id, result_pk, timings,
    detail_pk
  FROM unnest($1::text[], $2::integer[], $3::integer[], $4::bigint[], $5::bigint[], $6::smallint[], $7::text[],
      $8::text[], $9::bigint[], $10::bytea[], $11::bigint[])
    WITH ORDINALITY
    AS opened (id, organization_pk, monitor_pk, started_at, ended_at, status, reason, maintenance_id, result_pk,
      timings, detail_pk, place)
  ORDER BY place
  RETURNING pk, id`;

const OPEN_COLUMNS = [
  "id",
  "organizationPk",
  "monitorPk",
  "startedAt",
  "endedAt",
  "status",
  "reason",
  "maintenanceId",
  "resultPk",
  "timings",
  "detailPk",
] as const;

const CHANGE = `UPDATE outages
  SET ended_at = coalesce(changed.ended_at, outages.ended_at), status = coalesce(changed.status, outages.status)
  FROM unnest($1::bigint[], $2::bigint[], $3::smallint[]) AS changed (pk, ended_at, status)
  WHERE outages.pk = changed.pk`;

const UNACKNOWLEDGE = `UPDATE outages SET acknowledged_at = NULL, acknowledged_by = NULL, note = NULL
  WHERE pk = ANY($1::bigint[])`;

interface Saved {
  subjects: StoredSubjects;
  results: readonly SavedResult[];
}

/**
 * @property openOutages the number of the open outage of each monitor that the changes concern, by its ID; null if it has none
 *   now
 */
interface SavedOutages {
  openOutages: ReadonlyMap<string, number | null>;
  opened: OpenedOutages;
}

export async function saveOutages(
  sql: Sql,
  saved: Saved,
  changes: readonly OutageChange[],
): Promise<SavedOutages> {
  const open = new Map<string, NewOutage | ChangedOutage | null>();
  const opened = new Map<OutageChange, NewOutage>();
  const changed = new Set<ChangedOutage>();
  const downs = new DownChanges<NewOutage | ChangedOutage>();
  for (const change of changes) {
    const { monitorId } = change;
    const known = open.get(monitorId);
    if (change.kind === "opened") {
      const outage = newOutage(saved, change);
      opened.set(change, outage);
      open.set(monitorId, outage);
      continue;
    }
    const outage = known ?? storedOutage(saved, monitorId);
    open.set(monitorId, change.kind === "closed" ? null : outage);
    if (change.kind === "downBegan") downs.begin(outage, change.at);
    else if (change.kind === "downEnded") downs.end(outage, change.at);
    else {
      if (!("id" in outage)) changed.add(outage);
      apply(outage, change);
    }
  }
  const pks = await insert(sql, [...opened.values()]);
  await update(sql, [...changed]);
  await downs.save(sql, (outage) => pkOf(outage, pks));
  return {
    openOutages: new Map([...open].map(([monitorId, outage]) => [monitorId, outage && pkOf(outage, pks)])),
    opened: new Map([...opened].map(([change, { id }]) => [change, { id, pk: pks.get(id) ?? 0 }])),
  };
}

function apply(
  outage: NewOutage | ChangedOutage,
  change: Exclude<OutageChange, { kind: "opened" | "downBegan" | "downEnded" }>,
): void {
  if (change.kind === "closed") outage.endedAt = change.endedAt;
  else if (change.kind === "worsened") outage.status = statusCodes[change.status];
  else if (!("id" in outage)) outage.isUnacknowledged = true;
}

function newOutage({ subjects, results }: Saved, change: OutageChange & { kind: "opened" }): NewOutage {
  const { monitorId, startedAt, status, reason, maintenanceId, resultAt } = change;
  const result = results[resultAt];
  const { organizationPk, pk: monitorPk } = findSubject(subjects, monitorId);
  return {
    id: createId(),
    organizationPk,
    monitorPk,
    startedAt,
    endedAt: null,
    status: statusCodes[status],
    reason,
    maintenanceId,
    resultPk: result?.pk ?? 0,
    timings: result?.timings ?? null,
    detailPk: result?.detailPk ?? null,
  };
}

function storedOutage({ subjects }: Saved, monitorId: string): ChangedOutage {
  const pk = findSubject(subjects, monitorId).outagePk ?? 0;
  return { pk, endedAt: null, status: null, isUnacknowledged: false };
}

function pkOf(outage: NewOutage | ChangedOutage, pks: ReadonlyMap<string, number>): number | null {
  return "id" in outage ? (pks.get(outage.id) ?? null) : outage.pk;
}

async function insert(sql: Sql, opened: readonly NewOutage[]): Promise<Map<string, number>> {
  if (opened.length === 0) return new Map();
  const rows = await sql.query<{ pk: number; id: string }>(OPEN, arraysOf(opened, OPEN_COLUMNS));
  return new Map(rows.map(({ pk, id }) => [id, pk]));
}

async function update(sql: Sql, changed: readonly ChangedOutage[]): Promise<void> {
  if (changed.length === 0) return;
  await sql.query(CHANGE, arraysOf(changed, ["pk", "endedAt", "status"]));
  const unacknowledged = changed.filter(({ isUnacknowledged }) => isUnacknowledged).map(({ pk }) => pk);
  if (unacknowledged.length > 0) await sql.query(UNACKNOWLEDGE, [unacknowledged]);
}
