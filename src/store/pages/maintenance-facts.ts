import { and, desc, eq, gt, gte, isNotNull, isNull, or } from "drizzle-orm";
import type { MaintenanceFacts, RunFacts } from "../../domain/pages/page-facts.ts";
import { DAY } from "../../domain/results/rollup.ts";
import type { Tx } from "../tx.ts";
import { publicId } from "./public-id.ts";

interface Owner {
  organizationPk: number;
  pageId: string;
}

/** How long an ended window is listed. */
const KEPT = 30 * DAY;

/** The most windows that are looked at. */
const MOST_RUNS = 200;

/** The end of a window may be noticed later: until then, its definition says when it was. */
const NOTICED_WITHIN = DAY;

/** The maintenances of an organization that may have a window now or later, or had one lately. */
export async function listMaintenanceFacts(
  { db, tables: { maintenances } }: Tx,
  { organizationPk, pageId }: Owner,
  now: number,
): Promise<MaintenanceFacts[]> {
  const { id, title, message, selector, startsAt, endsAt, cron, timezone, duration, until } = maintenances;
  const { endedRun, endedRunAt, updatedAt } = maintenances;
  const rows = await db
    .select({
      ...{ id, title, message, selector, updatedAt },
      ...{ startsAt, endsAt, cron, timezone, duration, until, endedRun, endedRunAt },
    })
    .from(maintenances)
    .where(
      and(
        eq(maintenances.organizationPk, organizationPk),
        or(isNotNull(cron), gt(endsAt, now - NOTICED_WITHIN)),
      ),
    )
    .orderBy(maintenances.pk);
  return rows.map((row) => ({ ...row, id: publicId(pageId, "maintenance", row.id) }));
}

/** The windows of an organization that are open or ended lately, the newest first. */
export async function listRunFacts(
  { db, tables: { maintenanceRuns: runs, maintenances } }: Tx,
  { organizationPk, pageId }: Owner,
  now: number,
): Promise<RunFacts[]> {
  const { maintenanceId, title, selector, startsAt, endsAt } = runs;
  const isLate = or(isNull(endsAt), gte(endsAt, now - KEPT));
  const rows = await db
    .select({
      ...{ maintenanceId, title, selector, startsAt, endsAt },
      message: maintenances.message,
      updatedAt: maintenances.updatedAt,
    })
    .from(runs)
    .leftJoin(maintenances, eq(maintenances.id, maintenanceId))
    .where(and(eq(runs.organizationPk, organizationPk), isLate))
    .orderBy(desc(startsAt), desc(runs.pk))
    .limit(MOST_RUNS);
  return rows.map((row) => ({ ...row, maintenanceId: publicId(pageId, "maintenance", row.maintenanceId) }));
}
