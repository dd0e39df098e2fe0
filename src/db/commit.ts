import { open } from "node:fs/promises";
import { unavailable } from "../errors.ts";
import type { Database, Queries } from "./open.ts";

/*
 * A commit waits until it is on the disk (`open.ts`), and everybody else with it: a disk may take its time. That is for
 * the few changes that users make. What happens all the time is committed without the wait, and whoever must know that
 * it outlives a power cut waits aside. A crash of the process takes nothing back either way.
 */

/** Runs a transaction that is on the disk a little later. */
export function commitUnsynced<Result>(db: Database, work: (tx: Queries) => Result): Result {
  db.$client.run("PRAGMA synchronous = NORMAL");
  try {
    return db.transaction(work, { behavior: "immediate" });
  } finally {
    db.$client.run("PRAGMA synchronous = FULL");
  }
}

/**
 * Resolves when all that was committed before is on the disk.
 *
 * @throws AppError `unavailable` where the disk does not take it; what was committed is in the database all the same
 */
export async function syncLog(db: Database): Promise<void> {
  try {
    await using log = await open(`${db.$client.filename}-wal`);
    await log.datasync();
  } catch (cause) {
    throw unavailable(cause);
  }
}
