import { organizationPk } from "../accounts/organizations.ts";
import type { Engine } from "../engine.ts";

/** Monitors that are read at once. */
const AT_ONCE = 1000;

/** The latest result only of monitors whose results are all in a past, or that locations check. */
const READ_STATES = `SELECT monitors.pk, status, status_since, outage_pk, suspicion, blind_since,
    CASE WHEN type = 'SCHEDULED' OR locations IS NOT NULL THEN last_result_pk END AS latest
  FROM monitors JOIN monitor_states ON monitor_states.monitor_pk = monitors.pk
  WHERE monitors.organization_pk = $1 AND monitors.pk > $2 ORDER BY monitors.pk LIMIT ${AT_ONCE}`;

const READ_NEWEST = `SELECT (SELECT max(pk) FROM audit_entries WHERE organization_pk = $1) AS edit,
  (SELECT max(pk) FROM outages WHERE organization_pk = $1) AS outage, (SELECT max(pk) FROM deliveries) AS delivery,
  (SELECT count(*) FROM deliveries WHERE review_at IS NOT NULL) AS held`;

/**
 * A text that changes with everything in the past of an organization that a replay looks at, except for usual good results: while it is the
 * same, a past that was loaded is still right.
 *
 * @throws AppError `not_found` if the organization does not exist
 */
export async function pastVersion(engine: Engine, organizationId: string): Promise<string> {
  const organization = await engine.readSlice((tx) => organizationPk(tx, organizationId));
  const newest = await engine.readSlice((tx) => tx.query(READ_NEWEST, [organization]));
  let version = Bun.hash(JSON.stringify(newest));
  for (let after = 0, isMore = true; isMore; ) {
    const rows = await engine.readSlice((tx) => tx.query<{ pk: number }>(READ_STATES, [organization, after]));
    version = Bun.hash(JSON.stringify(rows), version as bigint);
    after = rows.at(-1)?.pk ?? after;
    isMore = rows.length === AT_ONCE;
  }
  return version.toString(36);
}
