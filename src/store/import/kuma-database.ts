import type { Clock } from "../../clock.ts";
import { AppError } from "../../errors.ts";
import { withForeignCopy } from "./foreign-copy.ts";
import { type ForeignDatabase, type ForeignRow, openForeignDatabase } from "./foreign-database.ts";

/** The tables of Uptime Kuma that are read, by what they are called here. */
const TABLES = {
  monitors: "monitor",
  notifications: "notification",
  monitorNotifications: "monitor_notification",
  tags: "tag",
  monitorTags: "monitor_tag",
  maintenances: "maintenance",
  monitorMaintenances: "monitor_maintenance",
  pages: "status_page",
  pageDomains: "status_page_cname",
  groups: "group",
  monitorGroups: "monitor_group",
  settings: "setting",
} as const;

/** A document of more monitors is too large for a server (behavior 16.62, 16.63). */
export const MAX_MONITORS = 20_000;

/** The most rows of another table. */
const MAX_ROWS = 200_000;

/** Tables of which only the size is read. */
const OTHERS = ["proxy", "docker_host", "remote_browser", "api_key", "user", "incident"];

/** The same as `KumaData` of the importer, which the store may not import. */
export type KumaTables = Record<keyof typeof TABLES | "days", ForeignRow[]> & {
  others: Record<string, number>;
};

/**
 * Reads the database of Uptime Kuma 1 or 2, which may be running (behavior 16.94).
 *
 * @param since the first moment of the results by day, in milliseconds since 1970
 * @throws AppError `refused` if the file is no database, is damaged, or has no monitors of Uptime Kuma
 */
export function readKumaDatabase(
  path: string,
  { since, clock }: { since: number; clock: Pick<Clock, "sleep"> },
): Promise<KumaTables> {
  return withForeignCopy({ path, clock }, (copy) => {
    try {
      const database = openForeignDatabase(copy);
      try {
        return tablesOf(database, { path, since });
      } finally {
        database.close();
      }
    } catch (error) {
      if (error instanceof AppError) throw error;
      throw new AppError("refused", `${path} can't be read: ${(error as Error).message}`);
    }
  });
}

function tablesOf(database: ForeignDatabase, { path, since }: { path: string; since: number }): KumaTables {
  if (!database.has(TABLES.monitors) || !database.has(TABLES.notifications))
    throw new AppError("refused", `${path} is not a database of Uptime Kuma: it has no monitors`);
  const read = Object.entries(TABLES).map(([name, table]) => [
    name,
    database.rows(table, name === "monitors" ? MAX_MONITORS : MAX_ROWS),
  ]);
  const tables = Object.fromEntries(read);
  return {
    ...(tables as Record<keyof typeof TABLES, ForeignRow[]>),
    days: daysOf(database, since),
    others: Object.fromEntries(OTHERS.map((table) => [table, database.count(table)])),
  };
}

/** Version 2 counts the results of each day. Of version 1, they are counted here. */
function daysOf(database: ForeignDatabase, since: number): ForeignRow[] {
  const counted = database.has("stat_daily")
    ? database.query(
        "SELECT monitor_id, timestamp, up, down, ping FROM stat_daily WHERE timestamp >= ? LIMIT 1000000",
        since / 1000,
      )
    : [];
  if (counted.length > 0 || !database.has("heartbeat")) return counted;
  // Status 0 is down, 1 up, 2 a failure that is tried again, and 3 in a maintenance. Times are UTC, as text.
  return database.query(
    `SELECT monitor_id, CAST(strftime('%s', date(time)) AS INTEGER) AS timestamp,
            sum(status = 1) AS up, sum(status IN (0, 2)) AS down, avg(CASE status WHEN 1 THEN ping END) AS ping
       FROM heartbeat WHERE time >= ? GROUP BY monitor_id, date(time) LIMIT 1000000`,
    new Date(since).toISOString().slice(0, 10),
  );
}
