import type { Engine } from "../engine.ts";
import { type Connections, openConnections } from "./connections.ts";
import { createQueries } from "./queries.ts";

/** The embedded engine. Its connections are for tests and tools. */
export interface SqliteEngine extends Engine, Pick<Connections, "reader" | "writer"> {}

/** @param migrations all migrations, oldest first @throws AppError `refused`: see `openDatabase` */
export function openEngine(
  dataDir: string,
  migrations?: Parameters<typeof openConnections>[1],
): SqliteEngine {
  const connections = openConnections(dataDir, migrations);
  const { read, write, writeMany, writeWithoutSync, editMark, reader, writer } = connections;
  const close = async () => connections.close();
  const transactions = { read, write, writeMany, writeWithoutSync, editMark };
  return { ...transactions, reader, writer, queries: createQueries(connections), close };
}
