import pg from "pg";
import { AppError } from "../../errors.ts";
import type { Engine, EngineDriver, StoreSettings } from "../engine.ts";
import { connectionOf } from "./connection-config.ts";
import type { ReachedDatabase } from "./copy-connection.ts";
import { openCopySource } from "./copy-source.ts";
import { openCopyTarget } from "./copy-target.ts";
import { openEngine } from "./engine.ts";
import { isPassing } from "./faults.ts";
import { findVersion } from "./migrate.ts";

/** Milliseconds for which an unreachable database is tried, between two tries, and for one. */
const PATIENCE = 30_000;
const RETRY_AFTER = 500;
const CONNECT_TIMEOUT = 5000;

/** The oldest supported version of PostgreSQL. */
const OLDEST = 14;

/** PostgreSQL: any number of servers share a database. */
export const postgres: EngineDriver = {
  exists: async (settings) => (await reach(settings)).exists,
  open,
  async openExisting(settings) {
    const { config, name, exists } = await reach(settings);
    if (!exists)
      throw new AppError("refused", `${name} has no tables of stillup: start a server on it first`);
    return openEngine(config);
  },
  openForServer: open,
  restore: async () => refuse("restore", "pg_restore"),
  openCopySource: async (settings) => openCopySource(await reachForCopy(settings)),
  openCopyTarget: async (settings) => openCopyTarget(await reachForCopy(settings)),
  check: async () => refuse("check", "pg_dump, which reads all of it"),
};

async function open(settings: StoreSettings): Promise<Engine> {
  return openEngine((await reach(settings)).config);
}

async function reachForCopy(settings: StoreSettings): Promise<ReachedDatabase> {
  const { config, name } = await reach(settings);
  return { config, name: `the ${name}` };
}

function refuse(command: string, instead: string): never {
  throw new AppError("invalid", `${command} is for the embedded database: for PostgreSQL, use ${instead}`);
}

/** @property config the way to connect that succeeded @property exists whether it has tables of stillup */
interface Reached {
  config: pg.ClientConfig;
  name: string;
  exists: boolean;
}

/**
 * Connects once, and tries again while the database can't be reached.
 *
 * @throws AppError `refused` that says why, at once if another try would not help
 */
async function reach(settings: StoreSettings): Promise<Reached> {
  const { name, configs } = connectionOf(settings);
  const until = performance.now() + PATIENCE;
  for (;;) {
    try {
      return { name, ...(await connectAny(configs, { name, until })) };
    } catch (error) {
      if (error instanceof AppError) throw error;
      if (!isPassing(error) || performance.now() >= until) throw unreachable(name, error as Error);
    }
    await Bun.sleep(RETRY_AFTER);
  }
}

/** Tries each way to connect. @throws the error of the first way, because that is the one which is preferred */
async function connectAny(configs: pg.ClientConfig[], target: { name: string; until: number }) {
  let first: unknown;
  for (const config of configs) {
    try {
      return { config, exists: await inspect(config, target) };
    } catch (error) {
      if (error instanceof AppError) throw error;
      first ??= error;
    }
  }
  throw first;
}

/** @returns whether the database has tables of stillup */
async function inspect(
  config: pg.ClientConfig,
  { name, until }: { name: string; until: number },
): Promise<boolean> {
  const left = Math.max(until - performance.now(), 1000);
  const timeout = Math.min(left, CONNECT_TIMEOUT);
  const client = new pg.Client({ ...config, connectionTimeoutMillis: timeout, query_timeout: timeout });
  // Without a listener, an error of the connection would end the process.
  client.on("error", () => {});
  try {
    await client.connect();
    const { rows } = await client.query("SELECT current_setting('server_version_num')::integer AS version");
    assertSupported(name, rows[0].version);
    const { version } = await findVersion({
      query: async (text, values = []) => (await client.query(text, [...values])).rows,
    });
    return version > 0;
  } finally {
    // Not awaited, because a silent server would not answer.
    client.end().catch(() => {});
  }
}

/** @param version such as 150004 for 15.4 */
function assertSupported(name: string, version: number): void {
  const major = Math.floor(version / 10_000);
  if (major >= OLDEST) return;
  throw new AppError("refused", `${name} is PostgreSQL ${major}: it must be ${OLDEST} or newer`);
}

/** The messages of PostgreSQL contain no password. */
function unreachable(name: string, { message }: Error): AppError {
  // What `pg` says if it needs a password and has none.
  const why = /password must be a string/.test(message) ? "a password is required" : message;
  return new AppError("refused", `the ${name} can't be used: ${why.replaceAll("\n", " ")}`);
}
