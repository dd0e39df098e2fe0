import { organizationPk } from "../accounts/organizations.ts";
import type { Engine } from "../engine.ts";
import { IS_NOTIFIED } from "./bindings.ts";

/** How many monitors are read in one turn of the event loop. */
const SIZE = 5000;

const COUNT = `SELECT count(*) AS read, max(pk) AS last, sum(CASE WHEN notified THEN 0 ELSE 1 END) AS silent
  FROM (SELECT pk, ${IS_NOTIFIED} AS notified FROM monitors
    WHERE organization_pk = $1 AND enabled AND pk > $2 ORDER BY pk LIMIT ${SIZE}) AS part`;

/**
 * How many enabled monitors notify nobody, because none of their channels is enabled (behavior 16.266).
 *
 * @throws AppError `not_found` if the organization does not exist
 */
export async function countUnnotified(
  { readSlice }: Pick<Engine, "readSlice">,
  organizationId: string,
): Promise<number> {
  let count = 0;
  for (let after = 0; ; ) {
    const [row] = await readSlice(async (tx) =>
      tx.query<{ read: number; last: number; silent: number }>(COUNT, [
        await organizationPk(tx, organizationId),
        after,
      ]),
    );
    count += Number(row?.silent ?? 0);
    if (!row || Number(row.read) < SIZE) return count;
    after = row.last;
  }
}

const LIST = `SELECT pk, id, ${IS_NOTIFIED} AS notified FROM monitors
  WHERE organization_pk = $1 AND enabled AND pk > $2 ORDER BY pk LIMIT ${SIZE}`;

/**
 * The IDs of the monitors that `countUnnotified` counts, oldest first.
 *
 * @throws AppError `not_found` if the organization does not exist
 */
export async function listUnnotified(
  { readSlice }: Pick<Engine, "readSlice">,
  organizationId: string,
): Promise<string[]> {
  const ids: string[] = [];
  for (let after = 0; ; ) {
    const rows = await readSlice(async (tx) =>
      tx.query<{ pk: number; id: string; notified: boolean | number }>(LIST, [
        await organizationPk(tx, organizationId),
        after,
      ]),
    );
    ids.push(...rows.flatMap(({ id, notified }) => (notified ? [] : [id])));
    if (rows.length < SIZE) return ids;
    after = rows.at(-1)?.pk ?? after;
  }
}
