import { eq, sql } from "drizzle-orm";
import type { PingAccess } from "../../domain/locations/ping-access.ts";
import { preparedOnce, type Sql, type Tx } from "../tx.ts";

/** The location whose probe sends a request, as its key identifies it. */
export interface ProbeCaller {
  pk: number;
  id: string;
  name: string;
  organizationId: string;
}

/** The location whose probe has the key of this hash; undefined if the key is unknown. */
export async function findProbe(tx: Tx, hash: Uint8Array): Promise<ProbeCaller | undefined> {
  const [found] = await selectProbe(tx).execute({ hash });
  return found;
}

/** Prepared, because each request with a bad key runs it. */
const selectProbe = preparedOnce(({ db, tables: { locations, organizations } }) =>
  db
    .select({
      pk: locations.pk,
      id: locations.id,
      name: locations.name,
      organizationId: organizations.id,
    })
    .from(locations)
    .innerJoin(organizations, eq(organizations.pk, locations.organizationPk))
    .where(eq(locations.keyHash, sql.placeholder("hash")))
    .prepare(),
);

/** @property lag the age of the observations that it sends, in milliseconds; null if it is unknown */
export interface ProbeContact {
  now: number;
  version: string | null;
  /** Missing values stay as they are. */
  waiting?: number | undefined;
  dropped?: number | undefined;
  lag?: number | null | undefined;
  /** Null if it did not say. */
  ping?: PingAccess | null | undefined;
}

/** @param $6 whether the lag is known, which may be null @param $8 the same of the access to pings */
const NOTE_SEEN = `UPDATE locations SET last_seen_at = $2, version = $3::text, waiting = coalesce($4::bigint, waiting),
    dropped = coalesce($5::bigint, dropped), lag_ms = CASE WHEN $6 = 1 THEN $7::bigint ELSE lag_ms END,
    ping_access = CASE WHEN $8 = 1 THEN $9::text ELSE ping_access END
  WHERE pk = $1`;

/** Stores that a probe sent a request: each does so several times a minute. */
export async function noteSeen(
  { query }: Sql,
  pk: number,
  { now, version, waiting, dropped, lag, ping }: ProbeContact,
): Promise<void> {
  const known = (value: unknown) => (value === undefined ? 0 : 1);
  const counts = [waiting ?? null, dropped ?? null];
  const optional = [known(lag), lag ?? null, known(ping), ping ?? null];
  await query(NOTE_SEEN, [pk, now, version, ...counts, ...optional]);
}
