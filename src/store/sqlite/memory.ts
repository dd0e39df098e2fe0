import { invalid } from "../../errors.ts";
import { IN_MEMORY, openSqlite } from "../sqlite-file.ts";
import { type Connections, connectionsOf } from "./connections.ts";
import type { Database } from "./database.ts";
import { engineOn, type SqliteEngine } from "./driver.ts";
import { migrate } from "./migrate.ts";
import { closeDatabase, databaseOn } from "./open.ts";

/** How much a database in memory may hold. */
export interface MemoryBounds {
  bytes: number;
  /** The most rows of tables: a further row is refused. */
  rows: Readonly<Record<string, number>>;
  /** The most rows of tables whose oldest rows make room. */
  newest: Readonly<Record<string, number>>;
}

/** An empty database in memory, which ends with its engine. @param bounds what strangers may fill */
export function openMemoryEngine(bounds: MemoryBounds): SqliteEngine {
  const sqlite = openSqlite(IN_MEMORY);
  migrate(sqlite, () => {});
  const db = databaseOn(sqlite, {});
  const { page_size: pageSize } = sqlite.query<{ page_size: number }, []>("PRAGMA page_size").get() ?? {
    page_size: 4096,
  };
  sqlite.run(`PRAGMA max_page_count = ${Math.floor(bounds.bytes / pageSize)}`);
  bound(db, bounds);
  return engineOn(refusing(onOneConnection(db)));
}

/** The start of the message of a trigger that refuses a row. */
const FULL = "This server has enough";

function bound({ $client }: Database, { rows, newest }: MemoryBounds): void {
  for (const [table, most] of Object.entries(rows)) {
    const message = `${FULL} ${table.replaceAll("_", " ")}: delete some`;
    $client.run(`CREATE TRIGGER most_${table} BEFORE INSERT ON ${table}
      WHEN (SELECT count(*) FROM ${table}) >= ${most} BEGIN SELECT RAISE(ABORT, '${message}'); END`);
  }
  for (const [table, most] of Object.entries(newest)) {
    $client.run(`CREATE TRIGGER newest_${table} AFTER INSERT ON ${table}
      BEGIN DELETE FROM ${table} WHERE pk <= new.pk - ${most}; END`);
  }
}

/** Connections that throw an `AppError` in place of the error of a trigger. */
function refusing(connections: Connections): Connections {
  const { write, writeApart, writeMany, writeWithoutSync, writeDirectly } = connections;
  return {
    ...connections,
    write: (work) => write(work).catch(refused),
    writeApart: (work) => writeApart(work).catch(refused),
    writeMany: (work) => writeMany(work).catch(refused),
    writeWithoutSync: (work) => writeWithoutSync(work).catch(refused),
    writeDirectly: (work) => writeDirectly(work).catch(refused),
  };
}

function refused(error: unknown): never {
  const { message, cause } = error as Error;
  const text = [message, (cause as Error | undefined)?.message].find((one) => one?.startsWith(FULL));
  throw text === undefined ? error : invalid(text);
}

/**
 * The queries of the embedded engine on one connection. Reads wait in the queue for writes, so that they see only what is committed.
 */
export function onOneConnection(db: Database): Connections {
  const connections = connectionsOf({ writer: db, reader: db, snapshots: db }, () => ({}));
  const { writeDirectly: inTurn } = connections;
  return {
    ...connections,
    read: (work) => inTurn(() => connections.read(work)),
    readDirectly: inTurn,
    poll: <Row>(text: string, values?: readonly unknown[]) =>
      inTurn(() => connections.poll<Row>(text, values)),
    close: () => closeDatabase(db),
  };
}
