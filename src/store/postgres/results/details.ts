import type { Detail } from "../../../domain/checks/observation.ts";
import { detailText, USE_PRECISION } from "../../results/measured.ts";
import type { Sql } from "../../tx.ts";
import { arraysOf } from "../values.ts";

/** @property usedAt milliseconds since 1970 */
export interface StoredDetail {
  pk: number;
  hash: Uint8Array;
  usedAt: number;
}

/**
 * A detail to store; null if the result has none.
 *
 * @property last the detail of the previous result, which is usually equal
 * @property createdAt when it is used, milliseconds since 1970
 */
interface Use {
  monitorPk: number;
  detail: Detail | null;
  last: StoredDetail | null;
  createdAt: number;
}

interface NewDetail {
  monitorPk: number;
  hash: Uint8Array;
  text: string;
  usedAt: number;
}

type FoundDetail = Pick<NewDetail, "monitorPk" | "hash"> & { pk: number };

const FIND = `SELECT found.pk, wanted.monitor_pk AS "monitorPk", wanted.hash
  FROM unnest($1::integer[], $2::bytea[], $3::bigint[]) AS wanted (monitor_pk, hash, used_at)
  CROSS JOIN LATERAL (
    SELECT pk FROM details
    WHERE monitor_pk = wanted.monitor_pk AND hash = wanted.hash AND used_at >= wanted.used_at - $4::bigint LIMIT 1
  ) AS found`;

/** A detail that was not used lately may be deleted at the same time: then it is inserted again. */
const USE = `INSERT INTO details AS detail (monitor_pk, hash, text, used_at)
  SELECT * FROM unnest($1::integer[], $2::bytea[], $3::text[], $4::bigint[])
  ON CONFLICT (monitor_pk, hash) DO UPDATE SET used_at = greatest(detail.used_at, excluded.used_at)
  RETURNING pk, monitor_pk AS "monitorPk", hash`;

/**
 * Stores details, or finds the equal ones: most results of a monitor differ only in their timings. To be called within the
 * transaction of the results, after their monitors were locked.
 *
 * @returns the numbers of the details; null for a result without detail
 */
export async function internDetails(sql: Sql, uses: readonly Use[]): Promise<(number | null)[]> {
  const keys: (string | null)[] = [];
  const pks = new Map<string, number>();
  const wanted = new Map<string, NewDetail>();
  for (const { monitorPk, detail, last, createdAt: usedAt } of uses) {
    const stored = detail && { monitorPk, ...detailText(detail), usedAt };
    const key = stored && keyOf(stored);
    keys.push(key);
    if (!key || !stored || pks.has(key)) continue;
    if (last && isRecent(last, usedAt) && key === keyOf({ monitorPk, hash: last.hash }))
      pks.set(key, last.pk);
    else wanted.set(key, stored);
  }
  for (const [key, pk] of await findOrInsert(sql, wanted)) pks.set(key, pk);
  return keys.map((key) => (key === null ? null : (pks.get(key) ?? null)));
}

/** Whether its last use need not be updated. */
function isRecent({ usedAt }: StoredDetail, now: number): boolean {
  return now - usedAt <= USE_PRECISION;
}

async function findOrInsert(sql: Sql, wanted: ReadonlyMap<string, NewDetail>): Promise<Map<string, number>> {
  if (wanted.size === 0) return new Map();
  const values = arraysOf([...wanted.values()], ["monitorPk", "hash", "usedAt"]);
  const found = await sql.query<FoundDetail>(FIND, [...values, USE_PRECISION]);
  const pks = new Map(found.map((row) => [keyOf(row), row.pk]));
  const missing = [...wanted].flatMap(([key, detail]) => (pks.has(key) ? [] : [detail]));
  if (missing.length === 0) return pks;
  const columns = arraysOf(missing, ["monitorPk", "hash", "text", "usedAt"]);
  for (const row of await sql.query<FoundDetail>(USE, columns)) pks.set(keyOf(row), row.pk);
  return pks;
}

function keyOf({ monitorPk, hash }: Pick<NewDetail, "monitorPk" | "hash">): string {
  return `${monitorPk} ${hash.toHex()}`;
}
