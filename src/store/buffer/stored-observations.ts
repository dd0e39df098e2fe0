import type { Database as Sqlite } from "bun:sqlite";
import type { KeptObservation } from "./observation-buffer.ts";

/** The observations in the database, without those that could not be stored. */
export interface StoredObservations {
  /** The highest sequence that was ever stored; 0 if there was none. */
  highest(): number;
  count(): number;
  insert(observations: readonly KeptObservation[]): void;
  /** The oldest of a period, in the order of their times; milliseconds since 1970. */
  list(period: { from: number; before: number }, limit: number): KeptObservation[];
  delete(sequences: Iterable<number>): void;
  /** Deletes up to `limit` that are older. @returns how many */
  expire(before: number, limit: number): number;
  clear(): void;
  /** Gives space back to the disk if deleted observations have left much. */
  shrink(): void;
}

/** Fewer pages are kept for what comes next, and so many are given back at once: 4 MB. */
const PAGES = 1000;

export function storedObservations(sqlite: Sqlite): StoredObservations {
  const insertOne = sqlite.prepare<void, [number, number, number, string, number, string]>(
    "INSERT INTO observations (sequence, at, start_at, monitor_id, revision, evidence) VALUES (?, ?, ?, ?, ?, ?)",
  );
  const select = sqlite.prepare<KeptObservation, [number, number, number]>(
    `SELECT sequence, at, start_at AS startAt, monitor_id AS monitorId, revision, evidence FROM observations
      WHERE at >= ? AND at < ? ORDER BY at, sequence LIMIT ?`,
  );
  const deleteOnes = sqlite.prepare<void, [string]>(
    "DELETE FROM observations WHERE sequence IN (SELECT value FROM json_each(?))",
  );
  const deleteOld = sqlite.prepare<void, [number, number]>(
    "DELETE FROM observations WHERE sequence IN (SELECT sequence FROM observations WHERE at < ? ORDER BY at LIMIT ?)",
  );
  const insertAll = sqlite.transaction((observations: readonly KeptObservation[]) => {
    for (const { sequence, at, startAt, monitorId, revision, evidence } of observations)
      insertOne.run(sequence, at, startAt, monitorId, revision, evidence);
  });
  const numberOf = (sql: string) => sqlite.query<{ value: number | null }, []>(sql).get()?.value ?? 0;
  const highest = () => numberOf("SELECT seq AS value FROM sqlite_sequence WHERE name = 'observations'");
  let count = numberOf("SELECT count(*) AS value FROM observations");
  let mayShrink = true;

  return {
    highest,
    count: () => count,
    insert(observations) {
      insertAll(observations);
      count += observations.length;
    },
    list: ({ from, before }, limit) => select.all(from, before, limit),
    delete(sequences) {
      count -= deleteOnes.run(JSON.stringify([...sequences])).changes;
      mayShrink = true;
    },
    expire(before, limit) {
      if (count === 0) return 0;
      const { changes } = deleteOld.run(before, limit);
      count -= changes;
      mayShrink = true;
      return changes;
    },
    clear() {
      sqlite.run("DELETE FROM observations");
      count = 0;
      mayShrink = true;
    },
    shrink() {
      if (!mayShrink) return;
      const free =
        sqlite.query<{ freelist_count: number }, []>("PRAGMA freelist_count").get()?.freelist_count ?? 0;
      mayShrink = free > PAGES;
      if (mayShrink) sqlite.run(`PRAGMA incremental_vacuum(${PAGES})`);
    },
  };
}
