import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import type pg from "pg";
import { eventually } from "../../eventually.ts";
import { type Cluster, sharedCluster } from "./cluster.ts";
import { findUnprivilegedUser, run, runAs } from "./programs.ts";

/** pgbouncer in transaction mode, in front of a cluster. It ends with the cluster. */
export interface Pooler {
  /** As at `Cluster`. */
  config(database: string): pg.ClientConfig;
  url(database: string): string;
}

const PORT = 6432;

/** For each database, fewer connections than a store opens, so that its transactions share them. */
const POOL_SIZE = 4;

/** @throws Error if pgbouncer is not installed or does not start */
export async function startPooler(cluster: Cluster): Promise<Pooler> {
  const program = Bun.which("pgbouncer") ?? "/usr/sbin/pgbouncer";
  const user = findUnprivilegedUser();
  const dir = join(cluster.dir, "pooler");
  const file = join(dir, "pgbouncer.ini");
  mkdirSync(dir);
  await Bun.write(file, configOf(cluster, dir));
  if (user) run(["chown", "-R", user, dir]);
  run([...runAs(user), program, "--quiet", "--daemon", file], dir);
  // It listens a little after its first process has ended.
  await eventually(() => existsSync(join(dir, `.s.PGSQL.${PORT}`)));
  return {
    config: (database) => ({ ...cluster.config(database), host: dir, port: PORT }),
    url: (database) => `${cluster.url(database).replace(/host=.*/, "")}host=${dir}&port=${PORT}`,
  };
}

function configOf({ dir, config }: Cluster, own: string): string {
  return `
[databases]
 * = host=${dir} user=${config("").user}
[pgbouncer]
pool_mode = transaction
auth_type = any
listen_addr =
listen_port = ${PORT}
unix_socket_dir = ${own}
pidfile = ${own}/pgbouncer.pid
logfile = ${own}/log
max_client_conn = 1000
default_pool_size = ${POOL_SIZE}
`;
}

let shared: Promise<Pooler> | undefined;

/** The one that the tests of this process share. */
export function sharedPooler(): Promise<Pooler> {
  shared ??= sharedCluster().then(startPooler);
  return shared;
}
