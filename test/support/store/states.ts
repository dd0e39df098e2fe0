import type { Selector } from "../../../src/domain/monitors/selector.ts";
import type { Status } from "../../../src/domain/monitors/status.ts";
import { statusCodes } from "../../../src/store/status-codes.ts";
import type { Backdoor } from "./backdoor.ts";

/*
 * States that the functions of the store cannot set or read. Outside `test/store/`, only helpers such as these have SQL, so
 * that the other tests do not depend on the storage engine.
 */

/** Sets the status of a monitor without a result. */
export function setStatus(db: Backdoor, id: string, status: Status): Promise<void> {
  return db.run(
    "UPDATE monitor_states SET status = $1 WHERE monitor_pk = (SELECT pk FROM monitors WHERE id = $2)",
    statusCodes[status],
    id,
  );
}

const RANDOM_ID = { sqlite: "lower(hex(randomblob(11)))", postgres: "left(md5(random()::text), 22)" };

/** Creates many jobs of an organization directly in the database. @returns their IDs, oldest first */
export async function createMany(db: Backdoor, count: number, organizationPk = 1): Promise<string[]> {
  await db.run(
    `INSERT INTO monitors (id, organization_pk, name, type, config, enabled, created_at, updated_at)
     WITH RECURSIVE numbers(at) AS (SELECT 1 UNION ALL SELECT at + 1 FROM numbers WHERE at < $1)
     SELECT ${RANDOM_ID[db.engine]}, CAST($2 AS integer), 'job ' || at, 'SCHEDULED', '{"interval":300}', true, 0, 0
     FROM numbers ORDER BY at`,
    count,
    organizationPk,
  );
  await db.run(
    `INSERT INTO monitor_states (monitor_pk, organization_pk, status)
     SELECT pk, organization_pk, 0 FROM monitors WHERE pk NOT IN (SELECT monitor_pk FROM monitor_states)`,
  );
  // As after an edit of many monitors.
  if (db.engine === "postgres") await db.run("ANALYZE monitors, monitor_states");
  const rows = await db.rows<{ id: string }>(
    "SELECT id FROM monitors WHERE organization_pk = $1 ORDER BY pk",
    organizationPk,
  );
  return rows.map(({ id }) => id);
}

/** Stores a window of a maintenance of all monitors. Times are milliseconds since 1970; `endsAt` is null while it is open. */
export function createMaintenanceRun(
  db: Backdoor,
  {
    startsAt,
    endsAt,
    selector = { all: true },
  }: { startsAt: number; endsAt: number | null; selector?: Selector },
  organizationPk = 1,
): Promise<void> {
  return db.run(
    `INSERT INTO maintenance_runs (organization_pk, maintenance_id, title, selector, starts_at, ends_at)
     VALUES ($1, 'm', 'Upgrade', $2, $3, ${endsAt === null ? "NULL" : String(endsAt)})`,
    organizationPk,
    JSON.stringify(selector),
    startsAt,
  );
}

/** The stored windows of maintenances, in the order of their starts. */
export function listMaintenanceRuns(db: Backdoor): Promise<{ startsAt: number; endsAt: number | null }[]> {
  return db.rows(
    'SELECT starts_at AS "startsAt", ends_at AS "endsAt" FROM maintenance_runs ORDER BY starts_at, pk',
  );
}

/** How many rows a table has. */
export async function countRows(db: Backdoor, table: "maintenance_runs" | "status_changes"): Promise<number> {
  const [row] = await db.rows<{ n: number }>(`SELECT count(*) AS n FROM ${table}`);
  return Number(row?.n ?? 0);
}

/** Lets all sessions end in the past. */
export function expireSessions(db: Backdoor): Promise<void> {
  return db.run("UPDATE sessions SET expires_at = 1");
}

/** How many sessions are stored, including those that have ended. */
export async function countSessions(db: Backdoor): Promise<number> {
  const [row] = await db.rows<{ n: number }>("SELECT count(*) AS n FROM sessions");
  return row?.n ?? 0;
}

const TABLES = {
  sqlite: "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name",
  postgres: `SELECT relname AS name FROM pg_class
             WHERE relkind IN ('r', 'p') AND NOT relispartition AND relnamespace = 'public'::regnamespace
             ORDER BY relname`,
};

/** All rows of the database as texts, except the last uses of keys, which every request changes. Bytes are in hex. */
export async function storedRows(db: Backdoor): Promise<string[]> {
  const texts: string[] = [];
  for (const { name } of await db.rows<{ name: string }>(TABLES[db.engine])) {
    const rows = await db.rows<Record<string, unknown>>(`SELECT * FROM "${name}"`);
    texts.push(...rows.map(asText).sort());
  }
  return texts;
}

function asText({ last_used_at: _, ...row }: Record<string, unknown>): string {
  const columns = Object.entries(row).map(([name, value]) => [
    name,
    value instanceof Uint8Array ? Buffer.from(value).toString("hex") : value,
  ]);
  return JSON.stringify(Object.fromEntries(columns));
}

/** On PostgreSQL, the number that the next transaction that writes will get. */
const WRITES = {
  sqlite: "SELECT total_changes() AS n",
  postgres: "SELECT pg_snapshot_xmax(pg_current_snapshot())::text::bigint AS n",
};

/** A number that grows with each write of the server, those rolled back included, and maybe at other times. */
export async function countWrites(db: Backdoor): Promise<number> {
  const [row] = await db.rows<{ n: number }>(WRITES[db.engine]);
  return row?.n ?? 0;
}

const ID_TABLES = {
  monitor: "monitors",
  channel: "alert_channels",
  key: "api_keys",
  location: "locations",
  outage: "outages",
  page: "pages",
  component: "page_components",
  incident: "incidents",
};

/** The IDs of all organizations, oldest first. */
export async function storedIds(db: Backdoor, kind: keyof typeof ID_TABLES): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(`SELECT id FROM ${ID_TABLES[kind]} ORDER BY pk`);
  return rows.map(({ id }) => id);
}

/** Makes every report by mail due now, about the last period. */
export function makeReportsDue(db: Backdoor): Promise<void> {
  return db.run("UPDATE report_mails SET next_at = 0, done_until = '2000-01-03'");
}

/** Makes every pending delivery due now. */
export function makeDeliveriesDue(db: Backdoor): Promise<void> {
  return db.run("UPDATE deliveries SET next_attempt_at = 0 WHERE status = 0");
}

const SET_RUN = {
  sqlite: "json_set(rhythm, '$.run', $1)",
  postgres: "jsonb_set(rhythm::jsonb, '{run}', to_jsonb($1::bigint))",
};

/** Stores a schedule in a time zone that does not exist, so that every computation of the rhythm of a job fails. */
export async function breakRhythm(db: Backdoor, monitorId: string, run: number): Promise<void> {
  const config = JSON.stringify({ interval: 300, cron: "0 3 * * *", timezone: "Mars/Olympus" });
  await db.run("UPDATE monitors SET config = $1 WHERE id = $2", config, monitorId);
  await db.run(
    `UPDATE monitor_states SET rhythm = ${SET_RUN[db.engine]}
     WHERE monitor_pk = (SELECT pk FROM monitors WHERE id = $2)`,
    run,
    monitorId,
  );
}

const SET_TIME = {
  sqlite: "json_set(transition, '$.result.createdAt', 9e18)",
  postgres: "jsonb_set(transition::jsonb, '{result,createdAt}', '9e18')",
};

/** Gives every delivery a result whose time is outside the range of Date, so that it can't be formatted. */
export function breakMessages(db: Backdoor): Promise<void> {
  return db.run(`UPDATE deliveries SET transition = ${SET_TIME[db.engine]}`);
}

/** All rows of the tables that may contain no secret of a monitor: all except `monitors`. */
export async function dumpWithoutMonitors(db: Backdoor): Promise<string> {
  const tables = await db.rows<{ name: string }>(TABLES[db.engine]);
  const others = tables.filter(({ name }) => name !== "monitors");
  const rows = await Promise.all(others.map(({ name }) => db.rows(`SELECT * FROM "${name}"`)));
  return JSON.stringify(rows);
}
