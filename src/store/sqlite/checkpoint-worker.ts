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

/** Bytes of a page in the log, with its header. */
const PAGE = 4096 + 24;

/**
 * The first message is the path of the database. Each `copy` after it asks for a checkpoint, which is answered with `failed`, or with
 * the bytes that are only in the log. Any other message stops the thread, which answers `closed`.
 */
self.onmessage = ({ data: path }: MessageEvent<string>) => {
  const sqlite = openSqlite(path, { readwrite: true, create: false });
  sqlite.run("PRAGMA synchronous = FULL");
  self.onmessage = ({ data }) => {
    if (data === "copy") {
      self.postMessage(checkpoint(sqlite) ?? "failed");
      return;
    }
    sqlite.close();
    self.postMessage("closed");
  };
};

/** @returns the bytes that are only in the log; undefined if the checkpoint failed */
function checkpoint(sqlite: Sqlite): number | undefined {
  try {
    if (pendingPages(sqlite) < MIN_PAGES) return 0;
    // SQLite reuses the log only after all of it was copied, and the main thread may commit during each checkpoint.
    for (let attempt = 0; attempt < MAX_ATTEMPTS && pendingPages(sqlite) > 0; attempt++)
      sqlite.run("PRAGMA wal_checkpoint(PASSIVE)");
    return pendingPages(sqlite) * PAGE;
  } catch {
    // The log keeps the pages. If the disk is full or broken, the next commit reports it, but perhaps not a failed sync.
    return undefined;
  }
}

/** How many pages are only in the log. */
function pendingPages(sqlite: Sqlite): number {
  const state = sqlite.query<Checkpoint, []>("PRAGMA wal_checkpoint(NOOP)").get();
  return state ? state.log - state.checkpointed : 0;
}
