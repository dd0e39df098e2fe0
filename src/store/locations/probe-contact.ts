import { eq, sql } from "drizzle-orm";
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
}

/** @param $6 whether the lag is known, which may be null */
const NOTE_SEEN = `UPDATE locations SET last_seen_at = $2, version = $3::text, waiting = coalesce($4::bigint, waiting),
    dropped = coalesce($5::bigint, dropped), lag_ms = CASE WHEN $6 = 1 THEN $7::bigint ELSE lag_ms END
  WHERE pk = $1`;

/** Stores that a probe sent a request: each does so several times a minute. */
export async function noteSeen(
  { query }: Sql,
  pk: number,
  { now, version, waiting, dropped, lag }: ProbeContact,
): Promise<void> {
  const isLagKnown = lag === undefined ? 0 : 1;
  await query(NOTE_SEEN, [pk, now, version, waiting ?? null, dropped ?? null, isLagKnown, lag ?? null]);
}
