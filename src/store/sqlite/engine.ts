import type { Engine } from "../engine.ts";
import { type Connections, openConnections } from "./connections.ts";
import { createQueries } from "./queries.ts";
import { turn } from "./slices.ts";

/** It takes about a millisecond to read the hours of one monitor, and all else waits. */
const MONITORS_IN_SLICE = 5;

/** The embedded engine. Its connections are for tests and tools. */
export interface SqliteEngine extends Engine, Pick<Connections, "reader" | "writer" | "onWrite"> {}

/** @param migrations all migrations, oldest first @throws AppError `refused`: see `openDatabase` */
export function openEngine(
  dataDir: string,
  migrations?: Parameters<typeof openConnections>[1],
): SqliteEngine {
  return engineOn(openConnections(dataDir, migrations));
}

export function engineOn(connections: Connections): SqliteEngine {
  const { read, poll, write, writeApart, writeMany, writeWithoutSync, editMark } = connections;
  const { reader, writer, onWrite } = connections;
  const close = async () => connections.close();
  const readSlice: Engine["readSlice"] = async (work) => {
    await turn(reader);
    return read(work);
  };
  const transactions = { read, poll, readSlice, write, writeApart, writeMany, writeWithoutSync, editMark };
  const queries = createQueries(connections);
  return { ...transactions, monitorsInSlice: MONITORS_IN_SLICE, reader, writer, onWrite, queries, close };
}
