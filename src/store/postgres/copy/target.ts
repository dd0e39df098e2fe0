import { dayOf } from "../../../domain/results/rollup.ts";
import { AppError } from "../../../errors.ts";
import { COPIED_TABLES, type CopiedRow, type CopyTarget, type LastNumbers } from "../../copy.ts";
import type { Sql } from "../../tx.ts";
import { findVersion, migrate, migrations } from "../migrate.ts";
import { createPartitions } from "../partitions.ts";
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

/**
 * Opens a database as the target of a copy, and creates its tables if they do not exist. All is one transaction. No server
 * can start on the database until it ends.
 *
 * @throws AppError `refused` if a table has rows, the tables are of another program or version, or a server runs
 * @throws StorageFault if the database can't be reached or refuses the role
 */
export async function openCopyTarget({ config, name }: ReachedDatabase): Promise<CopyTarget> {
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
    return { ...queriesOf(connection), name, commit, close: connection.close };
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
  if (version === migrations.length) return;
  throw new AppError("refused", `${name} was created by a newer version of stillup: use that version`);
}

async function assertEmpty(sql: Sql, name: string): Promise<void> {
  for (const table of COPIED_TABLES) {
    const [row] = await sql.query(`SELECT 1 FROM ${table} LIMIT 1`);
    if (row) throw new AppError("refused", `${name} is not empty: a copy overwrites nothing`);
  }
}

function queriesOf(
  connection: CopyConnection,
): Pick<CopyTarget, "listColumns" | "write" | "finish" | "count"> {
  const days = new Set<number>();
  return {
    listColumns: (table) => listColumns(connection, table),
    async write(table, columns, rows) {
      if (table === "check_results") await addPartitions(connection, days, { columns, rows });
      await connection.copyIn(`COPY ${table} (${columns.join(", ")}) FROM STDIN`, rows);
    },
    async finish(lastNumbers) {
      await setLastNumbers(connection, lastNumbers);
      // The first queries of a server need the statistics.
      await connection.query(`ANALYZE ${COPIED_TABLES.join(", ")}`);
    },
    count: (table) => countRows(connection, table),
  };
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
