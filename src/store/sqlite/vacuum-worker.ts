/*
 * The entry point of the thread that copies a database. The statement blocks its thread until the copy is complete. Meanwhile the main
 * thread shows the progress, and cleans up if a signal ends the process.
 */
import { openSqlite } from "../sqlite-file.ts";

declare const self: Worker;

/** A database, and the empty file that the thread copies it to. */
export interface VacuumJob {
  from: string;
  to: string;
}

/** First the bytes that the copy will have, if nothing is written meanwhile. At the end `done`, or why it failed. */
export type VacuumAnswer = { bytes: number } | "done" | { message: string; code: string | undefined };

const SIZE = `SELECT (page_count - freelist_count) * page_size AS bytes
  FROM pragma_page_count, pragma_freelist_count, pragma_page_size`;

self.onmessage = ({ data: { from, to } }: MessageEvent<VacuumJob>) => {
  const answer = (given: VacuumAnswer) => self.postMessage(given);
  try {
    const sqlite = openSqlite(from, { readonly: true });
    try {
      answer({ bytes: sqlite.query<{ bytes: number }, []>(SIZE).get()?.bytes ?? 0 });
      sqlite.query("VACUUM INTO ?").run(to);
    } finally {
      sqlite.close();
    }
    answer("done");
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    answer({ message, code });
  }
};
