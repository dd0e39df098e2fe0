import { AppError } from "../../errors.ts";
import type { Sql } from "./connections.ts";

const READ_TIME = "SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint AS time";

export async function readTime({ query }: Sql): Promise<number | null> {
  return (await query<{ time: number }>(READ_TIME))[0]?.time ?? null;
}

const READ_SIZE = "SELECT pg_database_size(current_database()) AS database";

export async function fileSizes({ query }: Sql): Promise<Record<string, number>> {
  return (await query<Record<string, number>>(READ_SIZE))[0] ?? {};
}

/** Numbers that never repeat: no cache can know of the commits of other nodes. */
export function createVersions(): () => Promise<number> {
  let version = 0;
  return async () => ++version;
}

/** @throws AppError `invalid`, always */
export async function backUp(_file: string): Promise<void> {
  throw new AppError(
    "invalid",
    "a PostgreSQL database is backed up with pg_dump, and restored with pg_restore",
  );
}
