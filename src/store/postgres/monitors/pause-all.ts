import { notFound } from "../../../errors.ts";
import type { Sql } from "../connections.ts";

const FIND_ORGANIZATION = "SELECT pk FROM organizations WHERE id = $1";

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

/** In a few statements, however many monitors there are. */
export async function pauseAllMonitors({ query }: Sql, organizationId: string, now: number): Promise<number> {
  const [organization] = await query<{ pk: number }>(FIND_ORGANIZATION, [organizationId]);
  if (!organization) throw notFound();
  const locked = await query<{ pk: number }>(LOCK, [organization.pk]);
  const paused = await query<{ pk: number }>(PAUSE, [locked.map(({ pk }) => pk), now]);
  const pks = paused.map(({ pk }) => pk);
  await query(END_OUTAGES, [pks, now]);
  await query(END_WORK, [pks]);
  return pks.length;
}
