import type { Sql } from "../connections.ts";
import { organizationPk } from "../organization-pk.ts";

/** Monitors in the first slice, so that a list begins soon. */
const FIRST = 50;

/** Monitors in a later slice: more take less time in all, but block other requests for longer. */
const MOST = 200;

/**
 * The internal numbers of the monitors that an organization has at the start, oldest first, in slices. Monitors may be
 * deleted before their slice is yielded.
 *
 * @throws AppError `not_found` if the organization does not exist
 */
export async function* monitorSlices(sql: Sql, organizationId: string): AsyncGenerator<number[]> {
  const organization = await organizationPk(sql, organizationId);
  const [row] = await sql.query<{ pks: number[] }>(
    "SELECT coalesce(json_agg(pk ORDER BY pk), '[]') AS pks FROM monitors WHERE organization_pk = $1",
    [organization],
  );
  yield* inSlices(row?.pks ?? []);
}

export function* inSlices<Item>(items: Item[]): Generator<Item[]> {
  for (let at = 0, size = FIRST; at < items.length; at += size, size = MOST) yield items.slice(at, at + size);
}
