import type { Database as Sqlite } from "bun:sqlite";
import type { Work } from "../../domain/locations/protocol.ts";
import { createObservationBuffer, type ObservationBuffer } from "./observation-buffer.ts";
import { openProbeDatabase } from "./probe-database.ts";

/** The work of a location, as its probe got it last. */
export type StoredWork = Pick<Work, "location" | "revision"> & { monitors: NonNullable<Work["monitors"]> };

/**
 * @property shift the clock of the server minus the clock of this machine, in milliseconds
 * @property aliveAt when the probe last ran, by the clock of the server
 */
export interface StoredTime {
  shift: number;
  aliveAt: number;
}

/** The data directory of a remote probe. */
export interface ProbeStore {
  /** Whether the previous database was damaged, and is kept beside the new one. */
  isReplaced: boolean;
  /** Identifies this database to the server. */
  stream(): string;
  /** Null if there was none. */
  work(): StoredWork | null;
  /** @throws if the disk rejects it */
  saveWork(work: StoredWork): void;
  time(): StoredTime | null;
  /** Also saves how many observations were dropped. @throws if the disk rejects it */
  saveTime(time: StoredTime): void;
  /** Whether a DNS server of this machine has ever answered (behavior 4.18). */
  hasDnsAnswer(): boolean;
  /** @throws if the disk rejects it */
  noteDnsAnswer(): void;
  /** To be called once, when the time of the server is known. @param now see `createObservationBuffer` */
  openBuffer(options: { now: number; onFault: (error?: unknown) => void }): ObservationBuffer;
  close(): void;
}

/** @throws AppError `refused`: see `openProbeDatabase` */
export function openProbeStore(dataDir: string): ProbeStore {
  const { sqlite, isReplaced, close } = openProbeDatabase(dataDir);
  const state = storedState(sqlite);
  let buffer: ObservationBuffer | undefined;
  return {
    isReplaced,
    stream: () => state.read("stream") ?? "",
    work: () => parsed(state.read("work")),
    saveWork(work) {
      state.write("work", JSON.stringify(work));
      // The secrets of deleted monitors are in the log too.
      if (work.monitors.length === 0) sqlite.run("PRAGMA wal_checkpoint(TRUNCATE)");
    },
    time: () => parsed(state.read("time")),
    saveTime(time) {
      state.write("time", JSON.stringify(time));
      if (buffer) state.write("dropped", String(buffer.dropped()));
    },
    hasDnsAnswer: () => state.read("dns") !== undefined,
    noteDnsAnswer: () => state.write("dns", "answered"),
    openBuffer(options) {
      const droppedBefore = Number(state.read("dropped") ?? 0);
      buffer = createObservationBuffer(sqlite, { droppedBefore, ...options });
      return buffer;
    },
    close,
  };
}

function parsed<T>(text: string | undefined): T | null {
  return text === undefined ? null : JSON.parse(text);
}

function storedState(sqlite: Sqlite) {
  const select = sqlite.prepare<{ value: string }, [string]>("SELECT value FROM state WHERE name = ?");
  const upsert = sqlite.prepare<void, [string, string]>(
    "INSERT INTO state (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
  );
  return {
    read: (name: string) => select.get(name)?.value,
    write: (name: string, value: string) => void upsert.run(name, value),
  };
}
