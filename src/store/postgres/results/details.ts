import type { Detail } from "../../../domain/checks/observation.ts";
import { detailText, USE_PRECISION } from "../../results/detail-text.ts";
import { arraysOf } from "../arrays.ts";
import type { Sql } from "../connections.ts";

/** A detail to store; null if the result has none. @property createdAt when it is used, milliseconds since 1970 */
interface Use {
  monitorPk: number;
  detail: Detail | null;
  createdAt: number;
}

interface StoredDetail {
  monitorPk: number;
  hash: Uint8Array;
  text: string;
  usedAt: number;
}

type FoundDetail = Pick<StoredDetail, "monitorPk" | "hash"> & { pk: number };

const FIND = `SELECT details.pk, details.monitor_pk AS "monitorPk", details.hash
  FROM unnest($1::integer[], $2::bytea[], $3::bigint[]) AS wanted (monitor_pk, hash, used_at)
  JOIN details ON details.monitor_pk = wanted.monitor_pk AND details.hash = wanted.hash
    AND details.used_at >= wanted.used_at - $4::bigint`;

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
  const wanted = new Map<string, StoredDetail>();
  for (const { monitorPk, detail, createdAt } of uses) {
    const stored = detail && { monitorPk, ...detailText(detail), usedAt: createdAt };
    const key = stored && keyOf(stored);
    keys.push(key);
    if (key && stored)
      wanted.set(key, { ...stored, usedAt: Math.max(createdAt, wanted.get(key)?.usedAt ?? 0) });
  }
  const pks = await findOrInsert(sql, wanted);
  return keys.map((key) => (key === null ? null : (pks.get(key) ?? null)));
}

async function findOrInsert(
  sql: Sql,
  wanted: ReadonlyMap<string, StoredDetail>,
): Promise<Map<string, number>> {
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

function keyOf({ monitorPk, hash }: Pick<StoredDetail, "monitorPk" | "hash">): string {
  return `${monitorPk} ${hash.toHex()}`;
}
