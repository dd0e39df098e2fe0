import {
  type Connections,
  type DatabaseConfig,
  openConnections,
} from "../../../../src/store/postgres/connections.ts";
import type { Cluster } from "./cluster.ts";
import { createTestDatabase, dropDatabase } from "./databases.ts";

/*
 * Databases that tests have given back, emptied, with their connections: a new one with three connections takes longer
 * than most tests.
 */

/** How a store reaches the databases of the shared cluster. */
export type Route = Pick<Cluster, "config" | "url">;

/** A migrated and empty database, and the open connections of each node that uses it. */
export class KeptDatabase {
  readonly #nodes = new Map<number, Connections>();

  constructor(
    readonly name: string,
    readonly route: Route,
  ) {}

  /** The connections of a node, by its place in the test. */
  connectionsOf(node: number): Connections {
    const open = this.#nodes.get(node) ?? openConnections(patient(this.route.config(this.name)));
    this.#nodes.set(node, open);
    return open;
  }

  async closeNode(node: number): Promise<void> {
    await this.#nodes.get(node)?.close();
    this.#nodes.delete(node);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#nodes.keys()].map((node) => this.closeNode(node)));
  }
}

/** The newest last. */
const kept: KeptDatabase[] = [];

/** Statements of tests wait for processors, not only for each other. */
export const patient = (config: DatabaseConfig): DatabaseConfig => ({ ...config, patience: 10 });

/** To be given back with `giveBack`. */
export async function takeDatabase(route: Route): Promise<KeptDatabase> {
  const last = kept.findLastIndex((one) => one.route === route);
  const [found] = last < 0 ? [] : kept.splice(last, 1);
  return found ?? new KeptDatabase(await createTestDatabase(), route);
}

/** Empties a database for the next test, or deletes it if that is not safe or takes longer. */
export async function giveBack(database: KeptDatabase): Promise<void> {
  try {
    await database.connectionsOf(0).transaction((tx) => tx.query(EMPTY));
    kept.push(database);
  } catch {
    await database.close();
    dropDatabase(database.name);
  }
}

/** Rows of a table up to which they are deleted one by one. */
const FEW = 2000;

/**
 * Deletes the rows and the partitions, and starts the numbers again. It fails if a test left work that still runs or a
 * function of its own, or many rows. Foreign keys are not checked: all tables are emptied, except the one of the version.
 */
const EMPTY = `DO $$
DECLARE
  name text;
  count integer;
BEGIN
  IF EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid() AND state <> 'idle')
  THEN RAISE 'work is still running'; END IF;
  IF EXISTS (SELECT FROM pg_proc WHERE pronamespace = 'public'::regnamespace)
  THEN RAISE 'the test created a function'; END IF;
  PERFORM set_config('session_replication_role', 'replica', true);
  FOR name IN SELECT oid::regclass FROM pg_class
    WHERE relispartition AND relkind = 'r' AND relnamespace = 'public'::regnamespace
  LOOP EXECUTE 'DROP TABLE ' || name; END LOOP;
  FOR name IN SELECT oid::regclass FROM pg_class
    WHERE relkind = 'r' AND relname <> 'schema_versions' AND relnamespace = 'public'::regnamespace
  LOOP
    EXECUTE 'DELETE FROM ' || name;
    GET DIAGNOSTICS count = ROW_COUNT;
    IF count > ${FEW} THEN RAISE 'the table has many rows'; END IF;
  END LOOP;
  PERFORM setval(format('%I.%I', schemaname, sequencename), start_value, false) FROM pg_sequences
    WHERE last_value IS NOT NULL;
END $$`;
