import type { Sql } from "../connections.ts";
import { organizationPk } from "../organization-pk.ts";

/** Monitors in a slice: their rows are one answer of the database, which is parsed in one turn of the event loop. */
const SIZE = 50;

/**
 * The internal numbers of the monitors that an organization has at the start, oldest first, in slices. Monitors may be
 * deleted before their slice is yielded.
 *
 * @throws AppError `not_found` if the organization does not exist
 */
export async function* monitorSlices(sql: Sql, organizationId: string): AsyncGenerator<number[]> {
  const organization = await organizationPk(sql, organizationId);
  const rows = await sql.query<{ pk: number }>(
    "SELECT pk FROM monitors WHERE organization_pk = $1 ORDER BY pk",
    [organization],
  );
  yield* inSlices(rows.map(({ pk }) => pk));
}

export function* inSlices<Item>(items: Item[]): Generator<Item[]> {
  for (let at = 0; at < items.length; at += SIZE) yield items.slice(at, at + SIZE);
}
