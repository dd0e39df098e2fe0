import type { OutageChange } from "../../../domain/monitors/outage.ts";
import { createId } from "../../ids.ts";
import { findSubject, type StoredSubjects } from "../../recording/stored-subject.ts";
import { statusCodes } from "../../status-codes.ts";
import { arraysOf } from "../arrays.ts";
import type { Sql } from "../connections.ts";
import type { SavedResult } from "./save-results.ts";

/** An outage that the plan opens, as it is after the plan. @property status its code */
interface NewOutage {
  id: string;
  monitorPk: number;
  startedAt: number;
  endedAt: number | null;
  status: number;
  reason: string | null;
  resultPk: number;
  timings: Uint8Array | null;
  detailPk: number | null;
}

/** What the plan changes in a stored outage; null: nothing. */
interface ChangedOutage {
  pk: number;
  endedAt: number | null;
  status: number | null;
}

const OPEN = `INSERT INTO outages (id, monitor_pk, started_at, ended_at, status, reason, result_pk, timings, detail_pk)
  SELECT id, monitor_pk, started_at, ended_at, status, reason, result_pk, timings, detail_pk
  FROM unnest($1::text[], $2::integer[], $3::bigint[], $4::bigint[], $5::smallint[], $6::text[], $7::bigint[],
      $8::bytea[], $9::bigint[])
    WITH ORDINALITY
    AS opened (id, monitor_pk, started_at, ended_at, status, reason, result_pk, timings, detail_pk, place)
  ORDER BY place
  RETURNING pk, id`;

const OPEN_COLUMNS = [
  "id",
  "monitorPk",
  "startedAt",
  "endedAt",
  "status",
  "reason",
  "resultPk",
  "timings",
  "detailPk",
] as const;

const CHANGE = `UPDATE outages
  SET ended_at = coalesce(changed.ended_at, outages.ended_at), status = coalesce(changed.status, outages.status)
  FROM unnest($1::bigint[], $2::bigint[], $3::smallint[]) AS changed (pk, ended_at, status)
  WHERE outages.pk = changed.pk`;

interface Saved {
  subjects: StoredSubjects;
  results: readonly SavedResult[];
}

/** @returns the number of the open outage of each monitor that the changes concern, by its ID; null if it has none now */
export async function saveOutages(
  sql: Sql,
  saved: Saved,
  changes: readonly OutageChange[],
): Promise<Map<string, number | null>> {
  const open = new Map<string, NewOutage | ChangedOutage | null>();
  const opened: NewOutage[] = [];
  const changed = new Set<ChangedOutage>();
  for (const change of changes) {
    const { monitorId } = change;
    const known = open.get(monitorId);
    if (change.kind === "opened") {
      const outage = newOutage(saved, change);
      opened.push(outage);
      open.set(monitorId, outage);
      continue;
    }
    const outage = known ?? storedOutage(saved, monitorId);
    if (!("id" in outage)) changed.add(outage);
    if (change.kind === "closed") outage.endedAt = change.endedAt;
    else outage.status = statusCodes[change.status];
    open.set(monitorId, change.kind === "closed" ? null : outage);
  }
  const pks = await insert(sql, opened);
  await update(sql, [...changed]);
  return new Map([...open].map(([monitorId, outage]) => [monitorId, outage && pkOf(outage, pks)]));
}

function newOutage({ subjects, results }: Saved, change: OutageChange & { kind: "opened" }): NewOutage {
  const { monitorId, startedAt, status, reason, resultAt } = change;
  const result = results[resultAt];
  return {
    id: createId(),
    monitorPk: findSubject(subjects, monitorId).pk,
    startedAt,
    endedAt: null,
    status: statusCodes[status],
    reason,
    resultPk: result?.pk ?? 0,
    timings: result?.timings ?? null,
    detailPk: result?.detailPk ?? null,
  };
}

function storedOutage({ subjects }: Saved, monitorId: string): ChangedOutage {
  return { pk: findSubject(subjects, monitorId).outagePk ?? 0, endedAt: null, status: null };
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
  if (changed.length > 0) await sql.query(CHANGE, arraysOf(changed, ["pk", "endedAt", "status"]));
}
