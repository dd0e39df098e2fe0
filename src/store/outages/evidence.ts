import { eq } from "drizzle-orm";
import type { KeptEvidence, Why } from "../../domain/evidence/evidence.ts";
import { factsOf } from "../../domain/evidence/evidence-data.ts";
import { HERE, HERE_ID } from "../../domain/locations/location.ts";
import { AppError } from "../../errors.ts";
import { organizationPk } from "../accounts/organizations.ts";
import { unpackEvidence } from "../recording/evidence-rows.ts";
import { findSource } from "../results/results.ts";
import { statusOfCode } from "../status-codes.ts";
import { found, type Page, type PageRequest, type Sql, type Tx } from "../tx.ts";

/** @property location its name; null if it was deleted since */
export interface ShownEvidence extends Omit<KeptEvidence, "location"> {
  location: string | null;
}

interface Row extends Why {
  pk: number;
  id: string;
  monitorId: string;
  outageId: string | null;
  location: number;
  locationName: string | null;
  at: number;
  status: number;
  reason: string | null;
  data: Uint8Array | null;
}

const COLUMNS = `SELECT evidence.pk, evidence.id, monitors.id AS "monitorId", outages.id AS "outageId", evidence.location,
    locations.name AS "locationName", evidence.at, evidence.status, evidence.reason, layer, summary, data
  FROM evidence JOIN monitors ON monitors.pk = evidence.monitor_pk
  LEFT JOIN outages ON outages.pk = evidence.outage_pk LEFT JOIN locations ON locations.pk = evidence.location`;
const LIST_OF_OUTAGE = `${COLUMNS} WHERE evidence.outage_pk = $1 ORDER BY evidence.at, evidence.pk`;
const LIST_OF_MONITOR = `${COLUMNS}
  WHERE evidence.monitor_pk = $1 AND (evidence.at < $2 OR (evidence.at = $2 AND evidence.pk < $3))
  ORDER BY evidence.at DESC, evidence.pk DESC LIMIT $4`;

/** The evidence of an outage, the oldest first (behavior 22.8). @throws AppError `not_found` */
export async function listOutageEvidence(
  tx: Tx,
  organizationId: string,
  outageId: string,
): Promise<ShownEvidence[]> {
  const { outages, monitors } = tx.tables;
  const organization = await organizationPk(tx, organizationId);
  const rows = await tx.db
    .select({ pk: outages.pk, organizationPk: outages.organizationPk })
    .from(outages)
    .innerJoin(monitors, eq(monitors.pk, outages.monitorPk))
    .where(eq(outages.id, outageId));
  const { pk } = found(rows.filter((row) => row.organizationPk === organization));
  return (await tx.query<Row>(LIST_OF_OUTAGE, [pk])).map(shown);
}

/**
 * One page of the evidence of a monitor, the newest first (behavior 22.8).
 *
 * @throws AppError `not_found`; `invalid` for a cursor that no page gave
 */
export async function listMonitorEvidence(
  tx: Tx,
  organizationId: string,
  { monitorId, limit, cursor }: PageRequest & { monitorId: string },
): Promise<Page<ShownEvidence>> {
  const { pk } = await findSource(tx, organizationId, monitorId);
  const { at, pk: before } = cursor === undefined ? START : positionOf(cursor);
  const rows = await tx.query<Row>(LIST_OF_MONITOR, [pk, at, before, limit + 1]);
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return { items: page.map(shown), cursor: last ? `${last.at}-${last.pk}` : null };
}

const START = { at: Number.MAX_SAFE_INTEGER, pk: 0 };

/** Evidence may be deleted, and its cursor still works. */
function positionOf(cursor: string): { at: number; pk: number } {
  const [, at, pk] = /^(\d{1,15})-(\d{1,15})$/.exec(cursor) ?? [];
  if (at === undefined) throw new AppError("invalid", "cursor must be one that an earlier page gave");
  return { at: Number(at), pk: Number(pk) };
}

function shown({ pk: _, location, locationName, status, data, ...row }: Row): ShownEvidence {
  const facts = factsOf(data && unpackEvidence(data));
  return {
    ...row,
    ...facts,
    location: location === HERE ? HERE_ID : locationName,
    status: statusOfCode(status),
  };
}

/** The oldest evidence of each outage whose layer is known. */
const FIND_WHYS = `SELECT outages.pk, outages.id, layer, summary FROM outages JOIN evidence ON evidence.pk = (
    SELECT one.pk FROM evidence AS one WHERE one.outage_pk = outages.pk AND one.layer <> 'unknown'
    ORDER BY one.at, one.pk LIMIT 1)`;
const BY_PK = `${FIND_WHYS} WHERE outages.pk = ANY($1::bigint[])`;
const BY_ID = `${FIND_WHYS} WHERE outages.id = ANY($1::text[])`;

type WhyRow = Why & { pk: number; id: string };

/** Adds to outages why each of them began, as far as that is known (behavior 22.9). */
export async function withWhys<Row extends { pk: number }>(
  { query }: Sql,
  outages: readonly Row[],
): Promise<(Row & { why: Why | null })[]> {
  if (outages.length === 0) return [];
  const rows = await query<WhyRow>(BY_PK, [outages.map(({ pk }) => pk)]);
  const whys = new Map(rows.map(({ pk, layer, summary }) => [pk, { layer, summary }]));
  return outages.map((one) => ({ ...one, why: whys.get(one.pk) ?? null }));
}

/** Why some outages began, by their IDs. */
export async function findWhys({ query }: Sql, outageIds: readonly string[]): Promise<Map<string, Why>> {
  if (outageIds.length === 0) return new Map();
  const rows = await query<WhyRow>(BY_ID, [[...new Set(outageIds)]]);
  return new Map(rows.map(({ id, layer, summary }) => [id, { layer, summary }]));
}
