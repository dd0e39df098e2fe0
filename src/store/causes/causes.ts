import {
  type CauseWords,
  type Fact,
  type NotifiedCause,
  type ShownCause,
  titleOf,
} from "../../domain/causes/causes.ts";
import type { MonitorType } from "../../domain/monitors/monitor.ts";
import { notFound } from "../../errors.ts";
import { organizationPk } from "../accounts/organizations.ts";
import { cursorAfter, parseCursor } from "../results/result-items.ts";
import type { Page, PageRequest, Sql, Tx } from "../tx.ts";

/** A cause of failures (behavior 22.23). Times are milliseconds since 1970. @property monitors the first 100 */
export interface CauseWithMonitors extends ShownCause {
  startedAt: number;
  endedAt: number | null;
  refutedAt: number | null;
  monitors: { id: string; name: string; type: MonitorType }[];
  monitorCount: number;
}

interface Row extends Fact {
  pk: number;
  id: string;
  label: string | null;
  endsAfter: string | null;
  isOnlyLocation: boolean;
  startedAt: number;
  endedAt: number | null;
  refutedAt: number | null;
}

const COLUMNS = `causes.pk, causes.id, kind, value, label, ends_after AS "endsAfter", is_only_location AS "isOnlyLocation",
    causes.started_at AS "startedAt", causes.ended_at AS "endedAt", refuted_at AS "refutedAt"`;

const LIST = `SELECT ${COLUMNS} FROM causes
  WHERE organization_pk = $1 AND pk < $2 AND ($3::integer IS NULL OR (ended_at IS NULL) = ($3 = 1))
  ORDER BY pk DESC LIMIT $4`;

/**
 * One page of the causes of an organization, the latest first.
 *
 * @property isOpen without it, both kinds
 * @throws AppError `invalid` for a cursor that no page gave
 */
export async function listCauses(
  tx: Tx,
  organizationId: string,
  { isOpen, limit, cursor }: PageRequest & { isOpen?: boolean | undefined },
): Promise<Page<CauseWithMonitors>> {
  const before = parseCursor(cursor) ?? Number.MAX_SAFE_INTEGER;
  const organization = await organizationPk(tx, organizationId);
  const open = isOpen === undefined ? null : Number(isOpen);
  const rows = await tx.query<Row>(LIST, [organization, before, open, limit + 1]);
  const pks = rows.map(({ pk }) => pk);
  return { items: await withMonitors(tx, rows.slice(0, limit)), cursor: cursorAfter(pks, limit) };
}

const FIND = `SELECT ${COLUMNS} FROM causes WHERE id = $1 AND organization_pk = $2`;

/** @throws AppError `not_found` */
export async function findCause(tx: Tx, organizationId: string, id: string): Promise<CauseWithMonitors> {
  const rows = await tx.query<Row>(FIND, [id, await organizationPk(tx, organizationId)]);
  const [cause] = await withMonitors(tx, rows);
  if (!cause) throw notFound();
  return cause;
}

const MAX_MONITORS = 100;

const LIST_MONITORS = `SELECT cause_pk AS "causePk", id, name, type FROM (
    SELECT cause_pk, monitors.pk, id, name, type,
      row_number() OVER (PARTITION BY cause_pk ORDER BY monitors.pk) AS place
    FROM (SELECT DISTINCT cause_pk, monitor_pk FROM cause_members WHERE cause_pk = ANY($1::bigint[])) AS member
    JOIN monitors ON monitors.pk = member.monitor_pk
  ) AS numbered WHERE place <= ${MAX_MONITORS} ORDER BY cause_pk, pk`;

/** Deleted monitors have left. */
async function withMonitors(sql: Sql, rows: readonly Row[]): Promise<CauseWithMonitors[]> {
  if (rows.length === 0) return [];
  const pks = rows.map(({ pk }) => pk);
  const found = await sql.query<CauseWithMonitors["monitors"][number] & { causePk: number }>(LIST_MONITORS, [
    pks,
  ]);
  const monitors = Map.groupBy(found, ({ causePk }) => causePk);
  const counts = await countMonitors(sql, pks);
  return rows.map((row) => {
    const { startedAt, endedAt, refutedAt } = row;
    const monitorCount = counts.get(row.pk) ?? 0;
    const named = (monitors.get(row.pk) ?? []).map(({ causePk: _, ...monitor }) => monitor);
    return { ...shown(row, monitorCount), startedAt, endedAt, refutedAt, monitors: named, monitorCount };
  });
}

const COUNT_MONITORS = `SELECT cause_pk AS "causePk", count(DISTINCT monitor_pk) AS count
  FROM cause_members JOIN monitors ON monitors.pk = monitor_pk
  WHERE cause_pk = ANY($1::bigint[]) GROUP BY cause_pk`;

async function countMonitors({ query }: Sql, pks: readonly number[]): Promise<Map<number, number>> {
  const rows = await query<{ causePk: number; count: number }>(COUNT_MONITORS, [pks]);
  return new Map(rows.map(({ causePk, count }) => [causePk, Number(count)]));
}

function shown(row: Row, monitorCount: number): ShownCause {
  const { id, kind, value } = row;
  return { id, kind, value, title: titleOf(wordsOf(row, monitorCount)) };
}

function wordsOf({ kind, value, label, endsAfter, isOnlyLocation }: Row, count: number): CauseWords {
  const end = endsAfter ?? undefined;
  return { kind, value: label ?? value, count, endsAfter: end, isOnlyLocation: Boolean(isOnlyLocation) };
}

const OF_OUTAGES = `SELECT outages.pk AS "outagePk", outages.id AS "outageId", ${COLUMNS}
  FROM outages JOIN cause_members ON cause_members.outage_pk = outages.pk
  JOIN causes ON causes.pk = cause_pk AND refuted_at IS NULL`;
const OF_PKS = `${OF_OUTAGES} WHERE outages.pk = ANY($1::bigint[])`;
const OF_IDS = `${OF_OUTAGES} WHERE outages.id = ANY($1::text[])`;

type MemberRow = Row & { outagePk: number; outageId: string };

/** Adds its cause to each of some outages (behavior 22.23). */
export async function withCauses<Outage extends { pk: number }>(
  sql: Sql,
  outages: readonly Outage[],
): Promise<(Outage & { cause: ShownCause | null })[]> {
  if (outages.length === 0) return [];
  const rows = await sql.query<MemberRow>(OF_PKS, [outages.map(({ pk }) => pk)]);
  const causes = await shownCauses(sql, rows);
  const byOutage = new Map(rows.map(({ outagePk, pk }) => [outagePk, causes.get(pk)]));
  return outages.map((one) => ({ ...one, cause: byOutage.get(one.pk) ?? null }));
}

/** The causes of some outages, by the ID of the outage. */
export async function findCausesOf(
  sql: Sql,
  outageIds: readonly string[],
): Promise<Map<string, NotifiedCause>> {
  if (outageIds.length === 0) return new Map();
  const rows = await sql.query<MemberRow>(OF_IDS, [[...new Set(outageIds)]]);
  const counts = await countMonitors(sql, [...new Set(rows.map(({ pk }) => pk))]);
  return new Map(
    rows.map((row) => {
      const count = counts.get(row.pk) ?? 0;
      return [row.outageId, { ...shown(row, count), words: wordsOf(row, count) }];
    }),
  );
}

async function shownCauses(sql: Sql, rows: readonly Row[]): Promise<Map<number, ShownCause>> {
  if (rows.length === 0) return new Map();
  const causes = new Map(rows.map((row) => [row.pk, row]));
  const counts = await countMonitors(sql, [...causes.keys()]);
  return new Map([...causes].map(([pk, row]) => [pk, shown(row, counts.get(pk) ?? 0)]));
}
