import { dayOf } from "../../domain/results/rollup.ts";
import type { Sql } from "../tx.ts";
import type { Transaction } from "./connections.ts";

/*
 * `check_results` has a partition for each UTC day, named by the day: `check_results_20270131`. So has `result_segments`, for each
 * day that is packed.
 */

const DAY = 24 * 60 * 60 * 1000;

/** Serializes the creation of partitions. An arbitrary number. */
const LOCK = 5_355_504_832;

/** There is no partition for a result. Nothing of the transaction is kept. @property days the UTC days of its results */
export class MissingPartition extends Error {
  readonly days: number[];

  constructor(times: readonly number[]) {
    super("a day has no partition");
    this.days = [...new Set(times.map(dayOf))];
  }
}

export type Partitioned = "check_results" | "result_segments";

/** The name of the partition of a day. @param day milliseconds since 1970 */
export function partitionName(day: number, of: Partitioned = "check_results"): string {
  return `${of}_${new Date(day).toISOString().slice(0, 10).replaceAll("-", "")}`;
}

/** Attaches a table as the partition of a day. */
export async function attachPartition(sql: Sql, day: number, to: Partitioned): Promise<void> {
  const name = partitionName(day, to);
  await sql.query(`ALTER TABLE ${to} ATTACH PARTITION ${name} FOR VALUES FROM (${day}) TO (${day + DAY})`);
}

/**
 * Creates the partitions of some UTC days, in a transaction of its own.
 *
 * @param days milliseconds since 1970
 */
export async function createPartitions(
  { transaction }: { transaction: Transaction },
  days: readonly number[],
): Promise<void> {
  await transaction(async (sql) => {
    await sql.query("SELECT pg_advisory_xact_lock($1)", [LOCK]);
    for (const day of days) await createPartition(sql, day);
  });
}

/** Creates the table of the segments of a day, which is no partition yet. */
export async function createSegmentTable({ query }: Sql, day: number): Promise<void> {
  await query(`CREATE TABLE ${partitionName(day, "result_segments")} (LIKE result_segments INCLUDING ALL)`);
}

/** A table is created first and then attached, because that does not block those who read and write other days. */
async function createPartition(sql: Sql, day: number): Promise<void> {
  const name = partitionName(day);
  const [row] = await sql.query<{ exists: boolean }>("SELECT to_regclass($1) IS NOT NULL AS exists", [name]);
  if (row?.exists) return;
  await sql.query(`CREATE TABLE ${name} (LIKE check_results INCLUDING DEFAULTS)`);
  await attachPartition(sql, day, "check_results");
}

/** Housekeeping may delete the partition of an expired day before a late result of it is recorded. */
const ATTEMPTS = 3;

/**
 * Runs work that records results. If a day has no partition, creates it and runs the work again.
 *
 * @param times of the results that the work is expected to record, in milliseconds since 1970: the partitions of their days are
 *   created together, although the work stops at the first one that is missing
 */
export async function withPartitions<Result>(
  connections: { transaction: Transaction },
  work: () => Promise<Result>,
  times: readonly number[] = [],
): Promise<Result> {
  const created: number[] = [];
  const isHopeless = (day: number) => created.filter((one) => one === day).length >= ATTEMPTS;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof MissingPartition) || error.days.every(isHopeless)) throw error;
      await createPartitions(connections, [...new Set([...error.days, ...times.map(dayOf)])]);
      created.push(...error.days);
    }
  }
}
