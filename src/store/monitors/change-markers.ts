import { sql } from "drizzle-orm";
import { organizationPk } from "../accounts/organizations.ts";
import type { Database } from "../sqlite/open.ts";
import { alertChannels, monitorStates, monitors } from "../sqlite/schema.ts";

/** What of an organization moves; each number grows, or changes, with what it is named for. */
export interface ChangeMarkers {
  /** What its monitors are, and how they stand. */
  monitors: string;
  channels: string;
  /** The newest result. */
  results: string;
}

/** One pass over the monitors of an organization: cheap enough to be made each second while somebody watches. */
export async function findChangeMarkers(db: Database, organizationId: string): Promise<ChangeMarkers> {
  const its = organizationPk(db, organizationId);
  const monitor = db
    .select({
      count: sql<number>`count(*)`,
      edited: sql<number | null>`max(${monitors.updatedAt})`,
      turned: sql<number | null>`max(${monitorStates.statusSince})`,
      result: sql<number | null>`max(${monitorStates.lastResultPk})`,
    })
    .from(monitors)
    .innerJoin(monitorStates, sql`${monitorStates.monitorPk} = ${monitors.pk}`)
    .where(sql`${monitors.organizationPk} = ${its}`)
    .get();
  const channel = db
    .select({ count: sql<number>`count(*)`, edited: sql<number | null>`max(${alertChannels.updatedAt})` })
    .from(alertChannels)
    .where(sql`${alertChannels.organizationPk} = ${its}`)
    .get();
  return {
    monitors: `${monitor?.count} ${monitor?.edited} ${monitor?.turned}`,
    channels: `${channel?.count} ${channel?.edited}`,
    results: `${monitor?.result}`,
  };
}
