import { dayOf } from "../../../domain/results/rollup.ts";
import { AppError } from "../../../errors.ts";
import { BATCH, COPIED_TABLES, type CopiedRow, type CopyTarget, type LastNumbers } from "../../copy.ts";
import {
  eachRow,
  readIntact,
  SEGMENT_COLUMNS,
  SEGMENT_FIELDS,
  type SegmentRow,
} from "../../results/segment-rows.ts";
import type { Sql } from "../../tx.ts";
import { isOver } from "../housekeeping/pack-days.ts";
import { findVersion, migrate, schemaVersion } from "../migrate.ts";
import { attachPartition, createPartitions, createSegmentTable } from "../partitions.ts";
import {
  assertNoNode,
  type CopyConnection,
  connectForCopy,
  countRows,
  listColumns,
  listSequences,
  lockForCopy,
  type ReachedDatabase,
} from "./connection.ts";
import { countPacked } from "./source.ts";

/**
 * Opens a database as the target of a copy, and creates its tables if they do not exist. All is one transaction. No server
 * can start on the database until it ends.
 *
 * @throws AppError `refused` if a table has rows, the tables are of another program or version, or a server runs
 * @throws StorageFault if the database can't be reached or refuses the role
 */
export async function openCopyTarget({ config, name }: ReachedDatabase, now: number): Promise<CopyTarget> {
  const connection = await connectForCopy(config, "BEGIN");
  try {
    await lockForCopy(connection, name, "exclusive");
    await assertOwn(connection, name);
    await migrate({ transaction: (work) => work(connection) });
    await assertThisVersion(connection, name);
    await assertNoNode(connection, name);
    await assertEmpty(connection, name);
    const commit = async () => {
      await assertNoNode(connection, name);
      await connection.query("COMMIT");
    };
    return { ...queriesOf(connection, now), name, commit, close: connection.close };
  } catch (error) {
    await connection.close();
    throw error;
  }
}

async function assertOwn(sql: Sql, name: string): Promise<void> {
  const { version } = await findVersion(sql);
  if (version > 0) return;
  const [taken] = await sql.query<{ name: string }>(
    "SELECT name FROM unnest($1::text[]) AS name WHERE to_regclass(name) IS NOT NULL LIMIT 1",
    [COPIED_TABLES],
  );
  if (taken) throw new AppError("refused", `${name} has a table ${taken.name} of another program`);
}

async function assertThisVersion(sql: Sql, name: string): Promise<void> {
  const { version } = await findVersion(sql);
  if (version === schemaVersion()) return;
  throw new AppError("refused", `${name} was created by a newer version of stillup: use that version`);
}

async function assertEmpty(sql: Sql, name: string): Promise<void> {
  for (const table of COPIED_TABLES) {
    const [row] = await sql.query(`SELECT 1 FROM ${table} LIMIT 1`);
    if (row) throw new AppError("refused", `${name} is not empty: a copy overwrites nothing`);
  }
}

type Queries = Pick<
  CopyTarget,
  "listColumns" | "write" | "writeSegments" | "finishSegments" | "finish" | "count"
>;

function queriesOf(connection: CopyConnection, now: number): Queries {
  const days = new Set<number>();
  const packed = new PackedResults(connection, now);
  return {
    writeSegments: (segments) => packed.write(segments),
    finishSegments: () => packed.finish(),
    listColumns: (table) => listColumns(connection, table),
    async write(table, columns, rows) {
      if (table === "check_results") await addPartitions(connection, days, { columns, rows });
      await connection.copyIn(`COPY ${table} (${columns.join(", ")}) FROM STDIN`, rows);
    },
    async finish(lastNumbers) {
      await setLastNumbers(connection, lastNumbers);
      // The first queries of a server need the statistics.
      await connection.query(`ANALYZE ${COPIED_TABLES.join(", ")}, result_segments`);
    },
    async count(table) {
      const rows = await countRows(connection, table);
      return table === "check_results" ? rows + (await countPacked(connection)) : rows;
    },
  };
}

/** Results that are unpacked, in the order of monitors. */
const UNPACKED = "copied_results";

const RESULT_COLUMNS = "pk, monitor_pk, status, timings, detail_pk, created_at";

/**
 * Segments of days that are over become partitions. PostgreSQL packs the other days later, so their results become rows: in a table
 * of their own at first, from which they move in the order of their numbers, because `check_results` has them in this order.
 */
class PackedResults {
  readonly #first = new Map<number, number>();
  readonly #last = new Map<number, number>();
  readonly #unpacked = new Set<number>();

  constructor(
    private readonly connection: CopyConnection,
    private readonly now: number,
  ) {}

  async write(segments: readonly SegmentRow[]): Promise<void> {
    const kept: SegmentRow[] = [];
    const rows: CopiedRow[] = [];
    for (const segment of segments) {
      const day = dayOf(segment.firstAt);
      // A damaged segment stays as it is.
      const columns = isOver(day, this.now) ? undefined : readIntact(segment);
      if (!columns) {
        kept.push(segment);
        continue;
      }
      this.#unpacked.add(day);
      for (const row of eachRow(columns, segment.monitorPk))
        rows.push([row.pk, row.monitorPk, row.status, row.timings, row.detailPk, row.createdAt]);
    }
    await this.#writeRows(rows);
    await this.#writeSegments(kept);
  }

  async #writeSegments(segments: readonly SegmentRow[]): Promise<void> {
    if (segments.length === 0) return;
    for (const { firstAt, firstPk, lastPk } of segments) {
      const day = dayOf(firstAt);
      const first = this.#first.get(day);
      if (first === undefined) {
        await createSegmentTable(this.connection, day);
        await attachPartition(this.connection, day, "result_segments");
      }
      this.#first.set(day, Math.min(firstPk, first ?? firstPk));
      this.#last.set(day, Math.max(lastPk, this.#last.get(day) ?? lastPk));
    }
    const rows = segments.map((segment) => SEGMENT_FIELDS.map((field) => segment[field]));
    await this.connection.copyIn(`COPY result_segments (${SEGMENT_COLUMNS}) FROM STDIN`, rows);
  }

  async #writeRows(rows: CopiedRow[]): Promise<void> {
    const { connection } = this;
    if (rows.length === 0) return;
    await connection.query(`CREATE UNLOGGED TABLE IF NOT EXISTS ${UNPACKED} (LIKE check_results)`);
    for (let at = 0; at < rows.length; at += BATCH)
      await connection.copyIn(`COPY ${UNPACKED} (${RESULT_COLUMNS}) FROM STDIN`, rows.slice(at, at + BATCH));
  }

  async finish(): Promise<void> {
    const { query } = this.connection;
    for (const [day, firstPk] of this.#first)
      await query("INSERT INTO packed_days (day, first_pk, last_pk) VALUES ($1, $2, $3)", [
        ...[day, firstPk, this.#last.get(day)],
      ]);
    if (this.#unpacked.size === 0) return;
    await createPartitions({ transaction: (work) => work(this.connection) }, [...this.#unpacked]);
    await query(
      `INSERT INTO check_results (${RESULT_COLUMNS}) SELECT ${RESULT_COLUMNS} FROM ${UNPACKED} ORDER BY pk`,
    );
    await query(`DROP TABLE ${UNPACKED}`);
  }
}

/** Creates the partitions of the days of some results. @param created the days that have one */
async function addPartitions(
  connection: CopyConnection,
  created: Set<number>,
  { columns, rows }: { columns: string[]; rows: CopiedRow[] },
): Promise<void> {
  const at = columns.indexOf("created_at");
  const missing = new Set(rows.map((row) => dayOf(Number(row[at])))).difference(created);
  if (missing.size === 0) return;
  await createPartitions({ transaction: (work) => work(connection) }, [...missing]);
  for (const day of missing) created.add(day);
}

async function setLastNumbers(sql: Sql, lastNumbers: LastNumbers): Promise<void> {
  for (const [table, sequence] of await listSequences(sql, COPIED_TABLES)) {
    const last = lastNumbers.get(table) ?? 0;
    await sql.query("SELECT setval($1, greatest($2::bigint, 1), $2 > 0)", [sequence, last]);
  }
}
