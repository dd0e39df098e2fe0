import type pg from "pg";
import type { Engine } from "../engine.ts";
import { type Connections, openConnections } from "./connections.ts";
import { isOutdated, MIGRATE_WITHIN, migrate, type migrations } from "./migrate.ts";
import { createQueries } from "./queries.ts";

/** A slice takes about a dozen round trips. */
const MONITORS_IN_SLICE = 200;

/** The engine for several nodes. Its connections are for tests and tools. */
export interface PostgresEngine extends Engine {
  connections: Connections;
}

/**
 * Opens the database and migrates it.
 *
 * @param all all migrations, oldest first
 * @throws AppError `refused`: see `migrate`
 */
export async function openEngine(config: pg.ClientConfig, all?: typeof migrations): Promise<PostgresEngine> {
  const connections = openConnections(config);
  try {
    if (await isOutdated(connections, all)) await migratePatiently(config, all);
  } catch (error) {
    await connections.close();
    throw error;
  }
  return engineOn(connections);
}

export function engineOn(connections: Connections): PostgresEngine {
  const { read, write, writeMany, writeWithoutSync, editMark, close } = connections;
  return {
    read,
    readSlice: read,
    monitorsInSlice: MONITORS_IN_SLICE,
    write,
    writeMany,
    editMark,
    writeWithoutSync,
    queries: createQueries(connections),
    close,
    connections,
  };
}

/** On connections of its own: others give up a statement that takes long. */
async function migratePatiently(config: pg.ClientConfig, all?: typeof migrations): Promise<void> {
  const patient = openConnections({ ...config, query_timeout: MIGRATE_WITHIN });
  try {
    await migrate(patient, all);
  } finally {
    await patient.close();
  }
}
