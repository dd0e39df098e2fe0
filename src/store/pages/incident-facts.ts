import { and, desc, eq, gte, inArray, isNull, or, sql } from "drizzle-orm";
import { type IncidentUpdate, MOST_SHOWN_UPDATES, shownUpdates } from "../../domain/pages/incident.ts";
import type { IncidentFacts } from "../../domain/pages/page-facts.ts";
import type { Tx } from "../tx.ts";

/** A page and the start of its first day. Times are milliseconds since 1970, `minOutage` is in seconds. */
export interface PageDays {
  page: { pk: number; id: string; minOutage: number };
  since: number;
}

/** The most incidents of a page. */
export const MOST_INCIDENTS = 50;

/** @param componentIds those that exist */
export async function listIncidentFacts(
  tx: Tx,
  { page, since }: PageDays,
  componentIds: ReadonlySet<string>,
): Promise<IncidentFacts[]> {
  const rows = await listRows(tx, page.pk, since);
  const updates = await listUpdates(
    tx,
    rows.map(({ pk }) => pk),
  );
  return rows.map(({ pk, ...incident }) => ({
    ...incident,
    componentIds: incident.componentIds.filter((id) => componentIds.has(id)),
    updates: updates.get(pk) ?? [],
  }));
}

async function listRows({ db, tables: { incidents } }: Tx, pagePk: number, since: number) {
  const { pk, id, title, impact, componentIds, startedAt, resolvedAt, updatedAt } = incidents;
  const isShown = or(isNull(resolvedAt), gte(resolvedAt, since));
  return db
    .select({ pk, id, title, impact, componentIds, startedAt, resolvedAt, updatedAt })
    .from(incidents)
    .where(and(eq(incidents.pagePk, pagePk), isShown))
    .orderBy(sql`${resolvedAt} IS NOT NULL`, desc(startedAt), desc(pk))
    .limit(MOST_INCIDENTS);
}

/** Those of each incident, the newest first. */
async function listUpdates(
  { db, tables }: Tx,
  incidentPks: number[],
): Promise<Map<number, IncidentUpdate[]>> {
  if (incidentPks.length === 0) return new Map();
  const { incidentPk, pk, id, status, body, createdAt } = tables.incidentUpdates;
  const rows = await db
    .select({ incidentPk, id, status, body, createdAt })
    .from(tables.incidentUpdates)
    .where(inArray(incidentPk, incidentPks))
    .orderBy(desc(pk))
    .limit(MOST_SHOWN_UPDATES);
  const groups = Map.groupBy(shownUpdates(rows), (row) => row.incidentPk);
  return new Map([...groups].map(([of, group]) => [of, group.map(({ incidentPk: _, ...update }) => update)]));
}
