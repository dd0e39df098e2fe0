import type { CopiedRow, Value } from "./copy.ts";
import type { ResultRow } from "./results/result-items.ts";

const FIELDS: Record<string, (row: ResultRow) => Value> = {
  pk: ({ pk }) => pk,
  monitor_pk: ({ monitorPk }) => monitorPk,
  status: ({ status }) => status,
  timings: ({ timings }) => timings,
  detail_pk: ({ detailPk }) => detailPk,
  created_at: ({ createdAt }) => createdAt,
};

/** @param columns of `check_results` @returns a function that makes the row of a result in a copy */
export function copiedResult(columns: readonly string[]): (row: ResultRow) => CopiedRow {
  const fields = columns.map((column) => FIELDS[column] ?? (() => null));
  return (row) => fields.map((field) => field(row));
}
