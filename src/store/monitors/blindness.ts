import { and, asc, count, eq, gte, isNotNull, isNull, ne } from "drizzle-orm";
import type { BlindnessNotice } from "../../domain/alerts/alert-event.ts";
import { createNotices } from "../alerts/open-incidents.ts";
import { findOpenWindows } from "../maintenance/calendars.ts";
import type { Sql, TimedTx, Tx } from "../tx.ts";

/** The most monitors that a notice names (behavior 1.60). */
const MAX_NAMED = 100;

/** Which monitors of an organization turned blind, and which are no longer blind. */
export interface BlindnessChange {
  organizationPk: number;
  /** @property lastResultPk of the row from which it follows */
  turned: readonly { pk: number; since: number; lastResultPk: number | null }[];
  /** Numbers of monitors. */
  resumed: readonly number[];
}

/** The numbers of the organizations that were notified of blind monitors, and not yet of their end. */
export async function listBlindOrganizations({ query }: Sql): Promise<number[]> {
  const rows = await query<{ pk: number }>("SELECT pk FROM organizations WHERE blind_since IS NOT NULL");
  return rows.map((row) => row.pk);
}

/**
 * Counts the blind monitors of all organizations.
 *
 * @returns `probed` is how many are enabled and probed; 0 if none is blind
 */
export async function countBlind(tx: Tx): Promise<{ blind: number; probed: number }> {
  if ((await listBlindOrganizations(tx)).length === 0) return { blind: 0, probed: 0 };
  const { db, tables } = tx;
  const { monitors, monitorStates } = tables;
  const [row] = await db
    .select({ blind: count() })
    .from(monitorStates)
    .innerJoin(monitors, eq(monitors.pk, monitorStates.monitorPk))
    .where(
      and(
        isNotNull(monitorStates.blindSince),
        eq(monitors.enabled, true),
        gte(monitorStates.blindSince, monitors.updatedAt),
      ),
    );
  const blind = row?.blind ?? 0;
  if (blind === 0) return { blind, probed: 0 };
  const isProbed = and(eq(monitors.enabled, true), ne(monitors.type, "SCHEDULED"));
  const [all] = await db.select({ probed: count() }).from(monitors).where(isProbed);
  return { blind, probed: all?.probed ?? 0 };
}

/**
 * Stores which monitors of an organization are blind, and notifies its default channels when the first one turns blind and
 * when none is any more (behavior 1.58 to 1.60).
 *
 * @returns whether channels are notified
 */
export async function storeBlindness(
  tx: TimedTx,
  { organizationPk, turned, resumed }: BlindnessChange,
): Promise<boolean> {
  const { db, sets, tables } = tx;
  const { monitorStates } = tables;
  const blind = turned.length > 0 ? await selectBlind(tx, { organizationPk, turned }) : [];
  await sets.update(
    monitorStates,
    blind.map(({ pk, since }) => ({ where: { monitorPk: pk }, set: { blindSince: since } })),
  );
  const isResumed = sets.among(monitorStates.monitorPk, resumed);
  if (resumed.length > 0) await db.update(monitorStates).set({ blindSince: null }).where(isResumed);
  const event = await findNotice(tx, { organizationPk, resumed });
  if (event) await createNotices(tx, { organizationPk, event });
  return event !== undefined;
}

/** Leaves out monitors that were checked, changed or deleted meanwhile, and those in a window of a maintenance. */
async function selectBlind(
  tx: TimedTx,
  { organizationPk, turned }: Pick<BlindnessChange, "organizationPk" | "turned">,
) {
  const { db, sets, tables } = tx;
  const { monitors, monitorStates } = tables;
  const calendar = await findOpenWindows(tx, organizationPk);
  const pks = turned.map(({ pk }) => pk);
  const rows = await db
    .select({
      pk: monitors.pk,
      id: monitors.id,
      tags: monitors.tags,
      updatedAt: monitors.updatedAt,
      lastResultPk: monitorStates.lastResultPk,
    })
    .from(monitors)
    .innerJoin(monitorStates, eq(monitorStates.monitorPk, monitors.pk))
    .where(and(sets.among(monitorStates.monitorPk, pks), isNull(monitorStates.blindSince)));
  const byPk = new Map(rows.map((row) => [row.pk, row]));
  return turned.filter(({ pk, since, lastResultPk }) => {
    const row = byPk.get(pk);
    if (!row || row.lastResultPk !== lastResultPk || row.updatedAt > since) return false;
    return calendar.windowOf(row, tx.now) === null;
  });
}

/** The notice that is due, if one is. Stores that it was created. */
async function findNotice(
  tx: TimedTx,
  { organizationPk, resumed }: Pick<BlindnessChange, "organizationPk" | "resumed">,
): Promise<BlindnessNotice | undefined> {
  const { db, sets, tables } = tx;
  const { monitors, monitorStates, organizations } = tables;
  const isThis = eq(organizations.pk, organizationPk);
  const { id, name, blindSince } = organizations;
  const [organization] = await db.select({ id, name, blindSince }).from(organizations).where(isThis);
  if (!organization) return undefined;
  const ofOrganization = eq(monitorStates.organizationPk, organizationPk);
  const isBlind = and(ofOrganization, isNotNull(monitorStates.blindSince));
  const [present] = await db.select({ count: count() }).from(monitorStates).where(isBlind);
  const blindCount = present?.count ?? 0;
  const { blindSince: before, ...owner } = organization;
  if (before === null ? blindCount === 0 : blindCount > 0) return undefined;
  const which = before === null ? isBlind : sets.among(monitorStates.monitorPk, resumed);
  const named = await db
    .select({ id: monitors.id, name: monitors.name, type: monitors.type })
    .from(monitors)
    .innerJoin(monitorStates, eq(monitorStates.monitorPk, monitors.pk))
    .where(which)
    .orderBy(asc(monitors.pk))
    .limit(MAX_NAMED);
  const since = before ?? (await findFirstSince(tx, organizationPk)) ?? tx.now;
  await db
    .update(organizations)
    .set({ blindSince: before === null ? since : null })
    .where(isThis);
  return {
    type: before === null ? "checks.blind" : "checks.resumed",
    ...{ organization: owner, since, monitors: named, at: tx.now },
    monitorCount: before === null ? blindCount : resumed.length,
  };
}

async function findFirstSince({ db, tables }: Tx, organizationPk: number): Promise<number | null> {
  const { blindSince, organizationPk: organization } = tables.monitorStates;
  const [first] = await db
    .select({ blindSince })
    .from(tables.monitorStates)
    .where(and(eq(organization, organizationPk), isNotNull(blindSince)))
    .orderBy(asc(blindSince))
    .limit(1);
  return first?.blindSince ?? null;
}
