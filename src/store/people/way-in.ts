import { AppError } from "../../errors.ts";
import type { Sql } from "../tx.ts";

/** An update without a change, which locks the row: two nodes must not end the last two ways in at the same time. */
const LOCK_GUARDED =
  "UPDATE organizations SET had_people = had_people WHERE pk = $1 AND had_people RETURNING pk";

/** The owners that can always get in: people who are active, and keys that do not expire. */
const COUNT_OWNERS = `SELECT
  (SELECT count(*) FROM memberships WHERE organization_pk = $1 AND role = 'owner' AND state = 'active')
  + (SELECT count(*) FROM api_keys WHERE organization_pk = $1 AND role = 'owner' AND expires_at IS NULL) AS count`;

const LAST = "the organization must keep an owner: an active person, or a key that does not expire";

/**
 * Makes a change of the owners of an organization, which keeps at least one way in if it ever had a person (behavior 19.40).
 *
 * @throws AppError `last_way_in` if the change ends the last one
 */
export async function keepingWayIn<Result>(
  { query }: Sql,
  organizationPk: number,
  change: () => Promise<Result>,
): Promise<Result> {
  const isGuarded = (await query(LOCK_GUARDED, [organizationPk])).length > 0;
  const before = isGuarded ? await countOwners({ query }, organizationPk) : 0;
  const result = await change();
  if (before > 0 && (await countOwners({ query }, organizationPk)) === 0)
    throw new AppError("last_way_in", LAST);
  return result;
}

async function countOwners({ query }: Sql, organizationPk: number): Promise<number> {
  const [row] = await query<{ count: number | string }>(COUNT_OWNERS, [organizationPk]);
  return Number(row?.count ?? 0);
}
