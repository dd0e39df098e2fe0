import pg from "pg";
import { AppError } from "../../errors.ts";
import type { StoreSettings } from "../engine.ts";
import { connectionOf } from "./connection-config.ts";
import { isPassing } from "./faults.ts";
import { findVersion } from "./migrate.ts";

/** Milliseconds for which an unreachable database is tried, between two tries, and for one. */
export const PATIENCE = 30_000;
export const RETRY_AFTER = 500;
const CONNECT_TIMEOUT = 5000;

/** The oldest supported version of PostgreSQL. */
const OLDEST = 14;

/** @property config the way to connect that succeeded @property exists whether it has tables of stillup */
export interface Reached {
  config: pg.ClientConfig;
  name: string;
  exists: boolean;
}

/**
 * Connects once, and tries again while the database can't be reached (behavior 12.3).
 *
 * @param patience for how long, in milliseconds
 * @throws AppError `refused` that says why, at once if another try would not help
 */
export async function reach(settings: StoreSettings, patience = PATIENCE): Promise<Reached> {
  const { name, configs } = connectionOf(settings);
  const until = performance.now() + patience;
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

/**
 * Tries each way to connect.
 *
 * @throws the error of the first way, which is preferred; if that is only a lack of TLS, the error of the other way
 */
async function connectAny(configs: pg.ClientConfig[], target: { name: string; until: number }) {
  let first: unknown;
  for (const config of configs) {
    try {
      return { config, exists: await inspect(config, target) };
    } catch (error) {
      if (error instanceof AppError) throw error;
      if (first === undefined || LACKS_TLS.test((first as Error).message)) first = error;
    }
  }
  throw first;
}

/** The error of `pg` if TLS is wanted and the server has none. */
const LACKS_TLS = /does not support SSL/;

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
    const { rows } = await client.query(FIND_SERVER);
    assertSupported(name, rows[0]);
    const { version } = await findVersion({
      query: async (text, values = []) => (await client.query(text, [...values])).rows,
    });
    return version > 0;
  } finally {
    // Not awaited, because a silent server would not answer.
    client.end().catch(() => {});
  }
}

const FIND_SERVER = `SELECT current_setting('server_version_num')::integer AS version,
  current_setting('server_encoding') AS encoding`;

/** Others than these refuse most characters, so that a result whose text has one could not be recorded. */
const ENCODINGS = ["UTF8", "SQL_ASCII"];

/** @property version such as 150004 for 15.4 */
function assertSupported(name: string, { version, encoding }: { version: number; encoding: string }): void {
  const major = Math.floor(version / 10_000);
  if (major < OLDEST)
    throw new AppError("refused", `${name} is PostgreSQL ${major}: it must be ${OLDEST} or newer`);
  if (!ENCODINGS.includes(encoding))
    throw new AppError("refused", `${name} has the encoding ${encoding}: create it with the encoding UTF8`);
}

/** The messages of PostgreSQL contain no password. */
function unreachable(name: string, { message }: Error): AppError {
  // The error of `pg` if it needs a password and has none.
  const why = /password must be a string/.test(message) ? "a password is required" : message;
  return new AppError("refused", `${name} can't be used: ${why.replaceAll("\n", " ")}`);
}
