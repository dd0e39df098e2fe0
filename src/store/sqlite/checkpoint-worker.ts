/*
 * The entry point of the thread that brings what was committed from the log (the file `-wal`) to the database: to copy
 * pages and to wait for the disk takes milliseconds, in which the main thread has others to serve.
 */
import { Database as Sqlite } from "bun:sqlite";

declare const self: Worker;

/** Milliseconds between two looks at the log. */
const EVERY = 50;

/** How many pages are worth two syncs of the disk. */
const WORTHWHILE = 250;

/** How often it is tried to come to the end of the log. */
const TRIES = 10;

/** What a checkpoint returns: how many pages the log holds, and how many of them are in the database. */
interface Checkpoint {
  log: number;
  checkpointed: number;
}

/** The first message is the path of the database, the second says that it is time to end, and is answered. */
self.onmessage = ({ data: path }: MessageEvent<string>) => {
  const sqlite = new Sqlite(path, { readwrite: true, create: false });
  sqlite.run("PRAGMA synchronous = FULL");
  const timer = setInterval(() => look(sqlite), EVERY);
  self.onmessage = () => {
    clearInterval(timer);
    sqlite.close();
    self.postMessage("closed");
  };
};

function look(sqlite: Sqlite): void {
  try {
    if (waiting(sqlite) < WORTHWHILE) return;
    // Only a log that is in the database to its end is begun anew, and while one copies, others commit.
    for (let tries = 0; tries < TRIES && waiting(sqlite) > 0; tries++)
      sqlite.run("PRAGMA wal_checkpoint(PASSIVE)");
  } catch {
    // A disk that takes nothing is noticed, and told of, where something is to be kept. Nothing is lost here.
  }
}

/** How many pages are in the log only. */
function waiting(sqlite: Sqlite): number {
  const seen = sqlite.query<Checkpoint, []>("PRAGMA wal_checkpoint(NOOP)").get();
  return seen ? seen.log - seen.checkpointed : 0;
}
