import pg from "pg";
import { openConnections } from "../../../../src/store/postgres/connections.ts";
import { migrate } from "../../../../src/store/postgres/migrate.ts";
import { type Cluster, MAY_WRITE, sharedCluster } from "./cluster.ts";

/*
 * The databases of the shared cluster. Each test has its own, as a copy of a migrated one.
 */

const TEMPLATE = "template_of_tests";

/** @returns the name of a new database, migrated and empty */
export async function createTestDatabase(): Promise<string> {
  const { ahead } = await databases();
  // The next database is copied while the test uses this one.
  const name = ahead.shift() ?? copyDatabase(TEMPLATE);
  const next = copyDatabase(TEMPLATE);
  next.catch(() => {});
  ahead.push(next);
  return name;
}

/** Deletes a database and ends its connections. Returns early: the next copy waits for it. */
export function dropDatabase(name: string): void {
  void inTurn(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`).catch(() => {});
}

interface Databases {
  cluster: Cluster;
  admin: pg.Client;
  ahead: Promise<string>[];
}

let opened: Promise<Databases> | undefined;

function databases(): Promise<Databases> {
  opened ??= open();
  return opened;
}

async function open(): Promise<Databases> {
  const cluster = await sharedCluster();
  const admin = new pg.Client({ ...cluster.config("postgres"), options: MAY_WRITE });
  // It breaks if a test crashes the cluster, or the process ends.
  admin.on("error", () => {
    opened = undefined;
  });
  await admin.connect();
  await admin.query(`DROP DATABASE IF EXISTS ${TEMPLATE}`);
  await admin.query(`CREATE DATABASE ${TEMPLATE}`);
  const connections = openConnections(cluster.config(TEMPLATE));
  await migrate(connections);
  await connections.close();
  return { cluster, admin, ahead: [] };
}

let count = 0;

/** Copies a database, and ends the connections to it. @returns the name of the copy */
export async function copyDatabase(original: string): Promise<string> {
  const name = `test_${process.pid}_${++count}`;
  // A pooler keeps its connections open after its clients have closed theirs.
  await inTurn(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${original}'`);
  // `WAL_LOG`, the default, takes twice the time.
  await inTurn(`CREATE DATABASE ${name} TEMPLATE ${original} STRATEGY FILE_COPY`);
  return name;
}

let last: Promise<unknown> = Promise.resolve();

/** Runs one statement at a time, in the order of the calls. */
function inTurn(sql: string): Promise<unknown> {
  const run = async () => (await databases()).admin.query(sql);
  last = last.then(run, run);
  return last;
}
