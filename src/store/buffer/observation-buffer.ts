import type { Database as Sqlite } from "bun:sqlite";
import { KEPT_FOR, type SentObservation } from "../../domain/locations/protocol.ts";

/** As it is stored. @property evidence as JSON */
type KeptObservation = Omit<SentObservation, "evidence"> & { evidence: string };

export type NewObservation = Omit<SentObservation, "sequence">;

/**
 * The observations of a remote probe that the server has not acknowledged, in the database or, while the disk takes nothing, in memory
 * (behavior 13.42, 13.46). Times are milliseconds since 1970 by the clock of the server.
 */
export interface ObservationBuffer {
  /** Has no error: what the disk does not take is held in memory. */
  add(observation: NewObservation): void;
  /** The next observations to send, without deleting them: fresh observations first, then the oldest; in the order of their times. */
  next(choice: { freshSince: number; limit: number }): SentObservation[];
  /** Deletes what the server has acknowledged. */
  delete(sequences: Iterable<number>): void;
  /** Drops what is too old. To be called every second: it also writes what is held in memory. */
  tidy(now: number): void;
  clear(): void;
  /** How many wait to be sent. */
  waiting(): number;
  /** How many were dropped since the database was created. */
  dropped(): number;
}

/** Bytes of JSON in one batch, about. The server takes twice as much. */
const MAX_TEXT = 512 * 1024;

/** How many expire at once at most, so that the disk is not busy for long. */
const MAX_EXPIRED = 5000;

/**
 * @param droppedBefore how many were dropped before this start
 * @param now sequences begin here, in microseconds: also after a power failure, or if the database is restored from a copy,
 *   none is used twice
 * @param onFault called if the disk takes nothing, and without an error when it takes everything again
 */
export function createObservationBuffer(
  sqlite: Sqlite,
  { droppedBefore, now, onFault }: { droppedBefore: number; now: number; onFault: (error?: unknown) => void },
): ObservationBuffer {
  const stored = storedObservations(sqlite);
  const held = createHeldObservations();
  /** Acknowledged, but the disk rejects the deletion. */
  let undeleted = new Set<number>();
  let next = Math.max(stored.highest() + 1, now * 1000);
  let dropped = droppedBefore;

  function add(observation: NewObservation): void {
    const kept = { ...observation, sequence: next++, evidence: evidenceText(observation.evidence) };
    if (held.list().length > 0 || !attempt(() => stored.insert([kept]))) dropped += held.add(kept);
  }

  /** @returns whether the disk took it */
  function attempt(write: () => void): boolean {
    try {
      write();
      return true;
    } catch (error) {
      onFault(error);
      return false;
    }
  }

  function deleteStored(sequences: Iterable<number>): void {
    undeleted = new Set([...undeleted, ...sequences]);
    if (attempt(() => stored.delete(undeleted))) undeleted = new Set();
  }

  function writeHeld(): void {
    if (held.list().length === 0) return;
    stored.insert(held.list());
    held.clear();
  }

  function expire(before: number): void {
    dropped += stored.expire(before, MAX_EXPIRED);
    if (stored.count() === 0) stored.shrink();
  }

  /** Nothing from the database while a deletion is due: it would be sent again and again. */
  function list(period: { from: number; before: number }, limit: number): KeptObservation[] {
    const onDisk = undeleted.size > 0 ? [] : stored.list(period, limit);
    const inMemory = held.list().filter(({ at }) => at >= period.from && at < period.before);
    return [...onDisk, ...inMemory].sort((a, b) => a.at - b.at || a.sequence - b.sequence).slice(0, limit);
  }

  return {
    add,
    next({ freshSince, limit }) {
      if (undeleted.size > 0) deleteStored([]);
      const fresh = list({ from: freshSince, before: Number.MAX_SAFE_INTEGER }, limit);
      const older = list({ from: 0, before: freshSince }, limit - fresh.length);
      const chosen = within(MAX_TEXT, [...fresh, ...older]);
      return chosen.sort((a, b) => a.at - b.at || a.sequence - b.sequence).map(parsed);
    },
    delete(sequences) {
      const all = new Set(sequences);
      held.delete(all);
      deleteStored(all);
    },
    tidy(time) {
      const before = time - KEPT_FOR;
      dropped += held.drop(before);
      if (attempt(writeHeld) && attempt(() => expire(before))) onFault();
    },
    clear() {
      held.clear();
      attempt(stored.clear);
    },
    waiting: () => stored.count() + held.list().length - undeleted.size,
    dropped: () => dropped,
  };
}

/** JSON that every reader takes: without unpaired surrogates. */
function evidenceText(evidence: unknown): string {
  return JSON.stringify(evidence, (_, value) => (typeof value === "string" ? value.toWellFormed() : value));
}

function parsed({ evidence, ...observation }: KeptObservation): SentObservation {
  return { ...observation, evidence: JSON.parse(evidence) };
}

/** At least one. */
function within(size: number, observations: KeptObservation[]): KeptObservation[] {
  let length = 0;
  const tooLarge = observations.findIndex(({ evidence }, at) => {
    length += evidence.length + OTHER_TEXT;
    return at > 0 && length > size;
  });
  return tooLarge < 0 ? observations : observations.slice(0, tooLarge);
}

/** Bytes of an observation besides its evidence, at most. */
const OTHER_TEXT = 200;

/** How many are held in memory: some megabytes. Above that, the oldest are dropped (behavior 13.46). */
const MAX_HELD = 10_000;

/** The observations that could not be written to the disk. */
export interface HeldObservations {
  /** @returns how many older ones were dropped for it */
  add(observation: KeptObservation): number;
  list(): readonly KeptObservation[];
  delete(sequences: ReadonlySet<number>): void;
  /** @returns how many older ones were dropped @param before milliseconds since 1970 */
  drop(before: number): number;
  clear(): void;
}

function createHeldObservations(): HeldObservations {
  let held: KeptObservation[] = [];

  function keep(isKept: (observation: KeptObservation) => boolean): number {
    const count = held.length;
    held = held.filter(isKept);
    return count - held.length;
  }

  return {
    add(observation) {
      held.push(observation);
      if (held.length <= MAX_HELD) return 0;
      held.shift();
      return 1;
    },
    list: () => held,
    delete(sequences) {
      keep(({ sequence }) => !sequences.has(sequence));
    },
    drop: (before) => keep(({ at }) => at >= before),
    clear() {
      held = [];
    },
  };
}

/** The observations in the database, without those that could not be stored. */
interface StoredObservations {
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

function storedObservations(sqlite: Sqlite): StoredObservations {
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
