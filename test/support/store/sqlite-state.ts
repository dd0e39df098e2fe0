import type { MonitorType } from "../../../src/domain/monitors/monitor.ts";
import type { Status } from "../../../src/domain/monitors/status.ts";
import type { Database } from "../../../src/store/sqlite/open.ts";
import { statusCodes } from "../../../src/store/status-codes.ts";

/*
 * States that the functions of the store cannot set or read. Outside `test/store/`, only helpers such as these have SQL, so
 * that the other tests do not depend on the storage engine.
 */

/** Sets the status of a monitor without a result. */
export function setStatus(db: Database, id: string, status: Status): void {
  db.$client.run(
    "UPDATE monitor_states SET status = ? WHERE monitor_pk = (SELECT pk FROM monitors WHERE id = ?)",
    [statusCodes[status], id],
  );
}

/** Creates many jobs of an organization directly in the database. @returns their IDs, oldest first */
export function createMany(db: Database, count: number, organizationPk = 1): string[] {
  db.$client
    .query(
      `INSERT INTO monitors (id, organization_pk, name, type, config, enabled, created_at, updated_at)
       WITH RECURSIVE numbers(at) AS (SELECT 1 UNION ALL SELECT at + 1 FROM numbers WHERE at < ?)
       SELECT lower(hex(randomblob(11))), ?, 'job ' || at, 'SCHEDULED', '{"interval":300}', 1, 0, 0
       FROM numbers ORDER BY at`,
    )
    .run(count, organizationPk);
  db.$client
    .query(
      `INSERT INTO monitor_states (monitor_pk, organization_pk, status)
       SELECT pk, organization_pk, 0 FROM monitors WHERE pk NOT IN (SELECT monitor_pk FROM monitor_states)`,
    )
    .run();
  return db.$client
    .query<{ id: string }, [number]>("SELECT id FROM monitors WHERE organization_pk = ? ORDER BY pk")
    .all(organizationPk)
    .map(({ id }) => id);
}

/** Sets the type of a monitor, which no update changes. */
export function setType(db: Database, id: string, type: MonitorType): void {
  db.$client.run("UPDATE monitors SET type = ? WHERE id = ?", [type, id]);
}

/** Lets all sessions end in the past. */
export function expireSessions(db: Database): void {
  db.$client.run("UPDATE sessions SET expires_at = 1");
}

/** How many sessions are stored, including those that have ended. */
export function countSessions(db: Database): number {
  return db.$client.query<{ n: number }, []>("SELECT count(*) AS n FROM sessions").get()?.n ?? 0;
}

/** All rows of the database as texts, except the last uses of keys, which every request changes. Bytes are in hex. */
export function storedRows(db: Database): string[] {
  const tables = db.$client
    .query<{ name: string }, []>("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
    .all();
  return tables.flatMap(({ name }) => {
    const rows = db.$client.query<Record<string, unknown>, []>(`SELECT * FROM "${name}"`).all();
    return rows.map(({ last_used_at: _, ...row }) => JSON.stringify(row, bytesAsHex));
  });
}

function bytesAsHex(_: string, value: unknown): unknown {
  return value instanceof Uint8Array ? value.toHex() : value;
}

/** The number of rows that this connection wrote, including those rolled back. */
export function countWrites(db: Database): number {
  return db.$client.query<{ n: number }, []>("SELECT total_changes() AS n").get()?.n ?? 0;
}

const ID_TABLES = { monitor: "monitors", channel: "alert_channels", key: "api_keys" };

/** The IDs of all organizations, oldest first. */
export function storedIds(db: Database, kind: keyof typeof ID_TABLES): string[] {
  const query = `SELECT id FROM ${ID_TABLES[kind]} ORDER BY pk`;
  return db.$client
    .query<{ id: string }, []>(query)
    .all()
    .map(({ id }) => id);
}

/** Lets the next attempt of each pending delivery be due now. */
export function skipDeliveryWaits(db: Database): void {
  db.$client.run("UPDATE deliveries SET next_attempt_at = 0 WHERE status = 0");
}
