/*
 * The entry point of the checkpoint thread. A checkpoint copies pages from the write-ahead log (the file `-wal`) to the
 * database and waits for the disk, which would block the main thread for milliseconds.
 */
import { Database as Sqlite } from "bun:sqlite";

declare const self: Worker;

/** Milliseconds between two looks at the log. */
const INTERVAL = 50;

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
 * The first message is the path of the database. The second message stops the thread, which answers `closed`. The thread
 * posts `failed` after a checkpoint that failed.
 */
self.onmessage = ({ data: path }: MessageEvent<string>) => {
  const sqlite = new Sqlite(path, { readwrite: true, create: false });
  sqlite.run("PRAGMA synchronous = FULL");
  const timer = setInterval(() => checkpoint(sqlite), INTERVAL);
  self.onmessage = () => {
    clearInterval(timer);
    sqlite.close();
    self.postMessage("closed");
  };
};

function checkpoint(sqlite: Sqlite): void {
  try {
    if (pendingPages(sqlite) < MIN_PAGES) return;
    // SQLite reuses the log only after all of it was copied, and the main thread may commit during each checkpoint.
    for (let attempt = 0; attempt < MAX_ATTEMPTS && pendingPages(sqlite) > 0; attempt++)
      sqlite.run("PRAGMA wal_checkpoint(PASSIVE)");
  } catch {
    // The log keeps the pages. If the disk is full or broken, the next commit reports it, but perhaps not a failed sync.
    self.postMessage("failed");
  }
}

/** How many pages are only in the log. */
function pendingPages(sqlite: Sqlite): number {
  const state = sqlite.query<Checkpoint, []>("PRAGMA wal_checkpoint(NOOP)").get();
  return state ? state.log - state.checkpointed : 0;
}
