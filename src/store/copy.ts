import { AppError } from "../errors.ts";
import type { SegmentRow } from "./results/segment-rows.ts";

/** A value as SQLite stores it: booleans are 0 and 1, JSON is text. */
export type Value = number | string | Uint8Array | null;

/** The values of a row, in the order of the columns that were asked for. */
export type CopiedRow = Value[];

/** The last number that each table gave to a row, also to one that was deleted since. */
export type LastNumbers = Map<CopiedTable, number>;

/** A database of this version on which no server runs, and a snapshot of it. */
export interface CopySource {
  /** Its path or name, without a password. */
  name: string;
  /** The columns of a table, and columns that this engine can derive for the other engine. */
  listColumns(table: CopiedTable): Promise<string[]>;
  /** Packed results count as rows of `check_results`. */
  count(table: CopiedTable): Promise<number>;
  /** How many of these rows `read` left out, because packed results that they need are damaged. */
  countLeftOut(table: CopiedTable): number;
  /**
   * The packed results in batches, by monitor and number. The segments of a monitor do not overlap, and the results that `read` returns
   * have larger numbers.
   */
  readSegments(): AsyncIterable<SegmentRow[]>;
  /** All rows of a table, in batches. */
  read(table: CopiedTable, columns: string[]): AsyncIterable<CopiedRow[]>;
  findLastNumbers(): Promise<LastNumbers>;
  /** @throws AppError `refused` if a server was started since */
  assertUnused(): Promise<void>;
  close(): Promise<void>;
}

/** An empty database of this version. It stays empty until `commit`. */
export interface CopyTarget {
  /** Its path or name, without a password. */
  name: string;
  listColumns(table: CopiedTable): Promise<string[]>;
  write(table: CopiedTable, columns: string[], rows: CopiedRow[]): Promise<void>;
  writeSegments(segments: SegmentRow[]): Promise<void>;
  /** To be called after the last segment, and before results are written as rows. */
  finishSegments(): Promise<void>;
  /** Completes what depends on the rows: numbers of later rows, indexes. To be called after the last row. */
  finish(lastNumbers: LastNumbers): Promise<void>;
  /** As `CopySource.count`. */
  count(table: CopiedTable): Promise<number>;
  /** @throws AppError `refused` if something else was created in its place, which then stays */
  commit(): Promise<void>;
  /** Without a commit, nothing of the copy remains. */
  close(): Promise<void>;
}

/**
 * @property step a table, or what follows the last one
 * @property done how many rows of the table are copied
 * @property share of the rows of all tables, from 0 to 1
 */
export interface CopyProgress {
  step: CopiedTable | "indexes and counts";
  done: number;
  total: number;
  share: number;
}

/**
 * Copies every row with its numbers and IDs, and leaves the source as it is (behavior 12.50 to 12.53).
 *
 * @param onProgress called after each batch, at least once for each table
 * @returns how many rows, and how many were left out because packed results that they need are damaged
 * @throws AppError `refused` if a table of the target has not as many rows as in the source: nothing is copied
 */
export async function copyDatabase(
  source: CopySource,
  target: CopyTarget,
  onProgress: (progress: CopyProgress) => void,
): Promise<{ rows: number; leftOut: number }> {
  const totals = new Map<CopiedTable, number>();
  for (const table of COPIED_TABLES) totals.set(table, await source.count(table));
  const all = [...totals.values()].reduce((sum, total) => sum + total, 0);
  let before = 0;
  for (const [table, total] of totals) {
    const onRows = (done: number) =>
      onProgress({ step: table, done, total, share: all === 0 ? 1 : (before + done) / all });
    await copyTable(source, target, { table, onRows });
    before += total;
  }
  onProgress({ step: "indexes and counts", done: 0, total: 0, share: 1 });
  await target.finish(await source.findLastNumbers());
  let leftOut = 0;
  for (const [table, total] of totals) {
    const missing = source.countLeftOut(table);
    assertCopied(source, { table, total: total - missing, copied: await target.count(table) });
    leftOut += missing;
  }
  await source.assertUnused();
  await target.commit();
  return { rows: all - leftOut, leftOut };
}

/** @returns how many results are packed */
async function copySegments(
  source: CopySource,
  target: CopyTarget,
  onRows: (done: number) => void,
): Promise<number> {
  let done = 0;
  for await (const segments of source.readSegments()) {
    await target.writeSegments(segments);
    done += segments.reduce((sum, { count }) => sum + count, 0);
    onRows(done);
  }
  await target.finishSegments();
  return done;
}

async function copyTable(
  source: CopySource,
  target: CopyTarget,
  { table, onRows }: { table: CopiedTable; onRows: (done: number) => void },
): Promise<void> {
  const known = new Set(await source.listColumns(table));
  // A column that the source does not have gets its default.
  const columns = (await target.listColumns(table)).filter((column) => known.has(column));
  let done = table === "check_results" ? await copySegments(source, target, onRows) : 0;
  let writing = Promise.resolve();
  for await (const rows of source.read(table, columns)) {
    await writing;
    onRows(done);
    // The next batch is read meanwhile.
    writing = target.write(table, columns, rows);
    writing.catch(() => {});
    done += rows.length;
  }
  await writing;
  onRows(done);
}

function assertCopied(
  { name }: CopySource,
  { table, total, copied }: { table: CopiedTable; total: number; copied: number },
): void {
  if (copied === total) return;
  throw new AppError(
    "refused",
    `nothing was copied: ${table} has ${total} rows in ${name}, and ${copied} in the copy`,
  );
}

/** Copied tables in foreign-key order. A test compares them with both schemas. */
export const COPIED_TABLES = [
  "organizations",
  "api_keys",
  "sessions",
  "wall_links",
  "people",
  "memberships",
  "invites",
  "person_sessions",
  "passkeys",
  "identities",
  "seal_keys",
  "schedules",
  "alert_channels",
  "schedule_overrides",
  "person_channels",
  "default_channels",
  "locations",
  "monitors",
  "monitor_dependencies",
  "gone_monitors",
  "monitor_states",
  "location_states",
  "alert_bindings",
  "details",
  "check_results",
  "deliveries",
  "job_runs",
  "run_outputs",
  "outages",
  "outage_downs",
  "evidence",
  "causes",
  "cause_members",
  "status_changes",
  // Before its hours, so that the trigger of these finds them in a run.
  "hour_runs",
  "hourly_rollups",
  "daily_rollups",
  "deleted_monitors",
  "deleted_channels",
  "maintenances",
  "maintenance_runs",
  "report_mails",
  "report_letters",
  "audit_entries",
  "pages",
  "released_slugs",
  "page_components",
  "incidents",
  "incident_updates",
  "page_subscribers",
  "page_opt_ins",
  "page_announcements",
  "page_mails",
  "registrations",
  "service",
  "push_keys",
] as const;

export type CopiedTable = (typeof COPIED_TABLES)[number];

/**
 * Tables that are not copied as they are: they describe the processes on a database, or the database itself, or are copied with the
 * results, or matter only for minutes.
 */
export const OTHER_TABLES = [
  "nodes",
  "leases",
  "check_claims",
  "schema_versions",
  "result_segments",
  "packed_days",
  "used_beginnings",
];

/** How many rows are read and written at once. */
export const BATCH = 10_000;

/** How many segments are read and written at once: some megabytes at most. */
export const SEGMENTS_AT_ONCE = 500;

/** A server that was seen this many milliseconds ago may still run (behavior 12.52). */
export const SILENCE = 30_000;
