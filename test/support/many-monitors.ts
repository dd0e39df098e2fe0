import type { Database } from "../../src/store/sqlite/open.ts";

/** Creates many jobs of an organization directly in the database. @returns their IDs, oldest first */
export function createMany(db: Database, count: number, organizationPk = 1): string[] {
  db.$client
    .query(
      `INSERT INTO monitors (id, organization_pk, name, type, config, status, enabled, created_at, updated_at)
       WITH RECURSIVE numbers(at) AS (SELECT 1 UNION ALL SELECT at + 1 FROM numbers WHERE at < ?)
       SELECT lower(hex(randomblob(11))), ?, 'job ' || at, 'SCHEDULED', '{"interval":300}', 'unknown', 1, 0, 0
       FROM numbers ORDER BY at`,
    )
    .run(count, organizationPk);
  return db.$client
    .query<{ id: string }, [number]>("SELECT id FROM monitors WHERE organization_pk = ? ORDER BY pk")
    .all(organizationPk)
    .map(({ id }) => id);
}
