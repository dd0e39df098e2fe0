import type { Status } from "../../src/domain/monitors/status.ts";
import { statusCodes } from "../../src/store/sqlite/columns.ts";
import type { Database } from "../../src/store/sqlite/open.ts";

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
