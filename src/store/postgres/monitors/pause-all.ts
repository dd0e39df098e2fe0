import { notFound } from "../../../errors.ts";
import type { Sql } from "../../tx.ts";

const FIND_ORGANIZATION = "SELECT pk FROM organizations WHERE id = $1";

/** A user's edit, which must not run beside others: see `connections.ts`. */
const BEGIN_EDIT = "LOCK TABLE schema_versions IN SHARE ROW EXCLUSIVE MODE";

/** First, because recordings lock in this order. All locations, in the order of their numbers, because pauses are rare. */
const REVISE_WORK = `UPDATE locations SET revision = revision + 1 WHERE pk IN (
    SELECT pk FROM locations
    WHERE organization_pk = $1
      AND EXISTS (SELECT 1 FROM monitors WHERE organization_pk = $1 AND enabled AND locations IS NOT NULL)
    ORDER BY pk FOR UPDATE)`;

/** Waits for recordings of these monitors, and keeps later ones waiting. */
const LOCK = `SELECT monitor_pk AS pk FROM monitor_states
  WHERE organization_pk = $1 ORDER BY monitor_pk FOR UPDATE`;

const PAUSE = `UPDATE monitors SET enabled = false, revision = revision + 1, updated_at = $2
  WHERE pk = ANY($1) AND enabled RETURNING pk`;

const END_OUTAGES = "UPDATE outages SET ended_at = $2 WHERE monitor_pk = ANY($1) AND ended_at IS NULL";

const END_WORK = `UPDATE monitor_states
  SET outage_pk = NULL, next_check_at = NULL, deadline = NULL, suspicion = NULL,
    rhythm = jsonb_set(rhythm::jsonb, '{run}', 'null')::json
  WHERE monitor_pk = ANY($1)`;

const FORGET_LATEST = `UPDATE location_states
  SET latest_at = NULL, latest_status = NULL, latest = NULL, recheck_at = NULL
  WHERE monitor_pk = ANY($1) AND (latest_status IS NOT NULL OR recheck_at IS NOT NULL)`;

/** As `withdrawPaused` does. */
const WITHDRAW = `UPDATE deliveries
  SET review_at = NULL, next_attempt_at = NULL, status = 4, hold = '{"kind":"withdrawn","why":"paused"}'
  WHERE monitor_pk = ANY($1) AND review_at IS NOT NULL`;
const END_REMINDERS = `UPDATE alert_bindings SET remind_at = NULL
  WHERE monitor_pk = ANY($1) AND remind_at IS NOT NULL`;

/** In a few statements, however many monitors there are. */
export async function pauseAllMonitors({ query }: Sql, organizationId: string, now: number): Promise<number> {
  const [organization] = await query<{ pk: number }>(FIND_ORGANIZATION, [organizationId]);
  if (!organization) throw notFound();
  await query(BEGIN_EDIT);
  await query(REVISE_WORK, [organization.pk]);
  const locked = await query<{ pk: number }>(LOCK, [organization.pk]);
  const paused = await query<{ pk: number }>(PAUSE, [locked.map(({ pk }) => pk), now]);
  const pks = paused.map(({ pk }) => pk);
  await query(END_OUTAGES, [pks, now]);
  await query(END_WORK, [pks]);
  await query(FORGET_LATEST, [pks]);
  await query(WITHDRAW, [pks]);
  await query(END_REMINDERS, [pks]);
  return pks.length;
}
