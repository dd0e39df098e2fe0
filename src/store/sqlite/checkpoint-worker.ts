/*
 * The entry point of the checkpoint thread. A checkpoint copies pages from the write-ahead log (the file `-wal`) to the
 * database and waits for the disk, which would block the main thread for milliseconds.
 */
import type { Database as Sqlite } from "bun:sqlite";
import { openSqlite } from "../sqlite-file.ts";

declare const self: Worker;

/** A checkpoint syncs twice: fewer pages than these are not worth it. */
const MIN_PAGES = 250;

/** How many checkpoints in a row try to copy the whole log. */
const MAX_ATTEMPTS = 10;

/** The result of a checkpoint. @property log pages in the log @property checkpointed those that are in the database too */
interface Checkpoint {
  log: number;
  checkpointed: number;
}

/**
 * The first message is the path of the database. Each `copy` after it asks for a checkpoint, which is answered with `copied` or
 * `failed`. Any other message stops the thread, which answers `closed`.
 */
self.onmessage = ({ data: path }: MessageEvent<string>) => {
  const sqlite = openSqlite(path, { readwrite: true, create: false });
  sqlite.run("PRAGMA synchronous = FULL");
  self.onmessage = ({ data }) => {
    if (data === "copy") {
      self.postMessage(checkpoint(sqlite) ? "copied" : "failed");
      return;
    }
    sqlite.close();
    self.postMessage("closed");
  };
};

/** @returns false if it failed */
function checkpoint(sqlite: Sqlite): boolean {
  try {
    if (pendingPages(sqlite) < MIN_PAGES) return true;
    // SQLite reuses the log only after all of it was copied, and the main thread may commit during each checkpoint.
    for (let attempt = 0; attempt < MAX_ATTEMPTS && pendingPages(sqlite) > 0; attempt++)
      sqlite.run("PRAGMA wal_checkpoint(PASSIVE)");
    return true;
  } catch {
    // The log keeps the pages. If the disk is full or broken, the next commit reports it, but perhaps not a failed sync.
    return false;
  }
}

/** How many pages are only in the log. */
function pendingPages(sqlite: Sqlite): number {
  const state = sqlite.query<Checkpoint, []>("PRAGMA wal_checkpoint(NOOP)").get();
  return state ? state.log - state.checkpointed : 0;
}
