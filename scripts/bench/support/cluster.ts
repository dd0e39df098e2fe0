import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { createKey } from "../../../src/store/ids.ts";
import type { NewMonitor } from "../../../src/store/monitors/monitors.ts";
import { openStore } from "../../../src/store/open-store.ts";
import { createCluster, runSql } from "../../../test/support/store/postgres/cluster.ts";
import { createFolder, type Running, serve } from "./processes.ts";

/** A cluster whose commits are on the disk, with the default settings of PostgreSQL. */
export interface BenchCluster extends AsyncDisposable {
  /** The number of the process that is the parent of all others. */
  pid: number;
  /** @returns the URL of a new and empty database */
  createDatabase(): Promise<string>;
  /** Starts a node. @returns with its address in `said` */
  serve(url: string): Promise<Running>;
}

/** @param settings of PostgreSQL, by name */
export async function startBenchCluster(settings: Record<string, string> = {}): Promise<BenchCluster> {
  const cluster = await createCluster({
    fsync: "on",
    full_page_writes: "on",
    wal_level: "replica",
    max_wal_size: "1GB",
    shared_buffers: "128MB",
    ...settings,
  });
  const folder = createFolder();
  let databases = 0;
  let nodes = 0;
  return {
    pid: cluster.pid(),
    async createDatabase() {
      const name = `bench${++databases}`;
      await runSql(cluster.config("postgres"), `CREATE DATABASE ${name}`);
      return cluster.url(name);
    },
    serve: (url) => serve(join(folder.path, String(++nodes)), "--database-url", url, "--log-level", "warn"),
    async [Symbol.asyncDispose]() {
      cluster.end();
      folder[Symbol.dispose]();
    },
  };
}

/** A database of several nodes with monitors that are there before a node starts. */
export interface NodesDatabase extends AsyncDisposable {
  url: string;
  /** The key of an owner. */
  key: string;
  /** The IDs of the monitors, in the order of the given ones. */
  ids: string[];
  query<Row>(sql: string): Promise<Row[]>;
}

/**
 * Fills an empty database.
 *
 * @param given copies of the first monitor get the configs of the others
 */
export async function createNodesDatabase(
  url: string,
  given: Pick<NewMonitor, "type" | "config">[],
): Promise<NodesDatabase> {
  const [key, plan, now] = [createKey(), "enterprise" as const, Date.now()];
  const store = await openStore({ dataDir: ".", databaseUrl: url });
  const { id } = await store.organizations.create({ name: "Bench", plan, subscription: "active" }, now);
  await store.apiKeys.create({ organizationId: id, name: "bench", role: "owner", expiresAt: null, key }, now);
  const [first] = given;
  if (first) {
    const monitor = { name: "monitor", alertChannelIds: [], ...first };
    await store.monitors.create({ organizationId: id, plan }, monitor, now);
  }
  await store.close();
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(COPY_MONITORS, [given.map(({ config }) => JSON.stringify(config))]);
  await client.query("DELETE FROM monitors WHERE pk = 1");
  await client.query(COPY_STATES);
  await client.query("VACUUM ANALYZE");
  const { rows } = await client.query<{ id: string }>("SELECT id FROM monitors ORDER BY pk");
  return {
    url,
    key,
    ids: rows.map((row) => row.id),
    query: async <Row>(sql: string) => (await client.query(sql)).rows as Row[],
    [Symbol.asyncDispose]: () => client.end(),
  };
}

const COPY_MONITORS = `INSERT INTO monitors (id, organization_pk, name, type, config, enabled, created_at, updated_at)
  SELECT substr(md5(at::text || random()), 1, 22), organization_pk, 'monitor ' || at, type, given.config, true, created_at, updated_at
  FROM monitors, unnest($1::json[]) WITH ORDINALITY AS given(config, at) WHERE monitors.pk = 1 ORDER BY at`;

const COPY_STATES = `INSERT INTO monitor_states (monitor_pk, organization_pk, status, next_check_at)
  SELECT pk, organization_pk, 0, CASE WHEN type <> 'SCHEDULED' THEN created_at END FROM monitors`;

/** Milliseconds of processor time, user and system, of all processes of a cluster. @param pid of the postmaster */
export function clusterCpuTime(pid: number): number {
  const own = statOf(pid);
  // The postmaster has the time of the processes that ended.
  const ended = own.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0);
  const running = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((name) => statOf(Number(name)))
    .filter((fields) => fields[1] === String(pid))
    .reduce((sum, fields) => sum + Number(fields[11]) + Number(fields[12]), 0);
  return (ended + running) * 10;
}

/** The fields of `/proc/PID/stat` from the state on: the parent is field 1, the times of user and system 11 and 12. */
function statOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8").replace(/.*\) /s, "").split(" ");
  } catch {
    return [];
  }
}
