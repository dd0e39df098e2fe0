import type { Database as Sqlite } from "bun:sqlite";
import { existsSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Work } from "../../domain/locations/protocol.ts";
import { AppError } from "../../errors.ts";
import { createDataDir, lockDirectory, privateFile } from "../data-dir.ts";
import { createId } from "../ids.ts";
import { openSqlite } from "../sqlite-file.ts";
import { createObservationBuffer, type ObservationBuffer } from "./observation-buffer.ts";

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

/** The name of the database of a remote probe in its data directory. */
const PROBE_DATABASE = "probe.db";

/** Changes with the tables. A database of another version is refused if it is newer. */
const VERSION = 1;

/** Bytes. A long backlog lets the log grow. SQLite truncates it when it reuses the log. */
const LOG_SIZE = 4 * 1024 * 1024;

const SCHEMA = `
  CREATE TABLE observations (
    sequence INTEGER PRIMARY KEY AUTOINCREMENT,
    at INTEGER NOT NULL,
    start_at INTEGER NOT NULL,
    monitor_id TEXT NOT NULL,
    revision INTEGER NOT NULL,
    evidence TEXT NOT NULL
  ) STRICT;
  CREATE INDEX observations_at ON observations (at, sequence);
  CREATE TABLE state (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
`;

interface ProbeDatabase {
  sqlite: Sqlite;
  /** Whether the previous database was damaged, and a new one replaces it. */
  isReplaced: boolean;
  close(): void;
}

/**
 * Opens the database of a remote probe, and creates it if it does not exist. Only its owner can read it, because the work
 * list contains secrets (behavior 13.47). A damaged database is kept beside a new one.
 *
 * @throws AppError `refused` if another probe uses the directory, or a newer version of stillup created the database
 */
export function openProbeDatabase(dataDir: string): ProbeDatabase {
  createDataDir(dataDir);
  const unlock = lockDirectory(dataDir, "probe.lock");
  if (!unlock)
    throw new AppError(
      "refused",
      `another stillup probe is running on ${dataDir}: stop it, or give --data-dir`,
    );
  try {
    const opened = openOrReplace(dataDir);
    const close = () => {
      opened.sqlite.close(false);
      unlock();
    };
    return { ...opened, close };
  } catch (error) {
    unlock();
    throw error;
  }
}

function openOrReplace(dataDir: string): Omit<ProbeDatabase, "close"> {
  try {
    return { sqlite: open(dataDir), isReplaced: false };
  } catch (error) {
    if (!/^SQLITE_(CORRUPT|NOTADB)/.test((error as { code?: string }).code ?? "")) throw error;
    setAside(join(dataDir, PROBE_DATABASE));
    return { sqlite: open(dataDir), isReplaced: true };
  }
}

function open(dataDir: string): Sqlite {
  const sqlite = openSqlite(privateFile(dataDir, PROBE_DATABASE));
  try {
    configure(sqlite);
    createTables(sqlite, dataDir);
    return sqlite;
  } catch (error) {
    sqlite.close();
    throw error;
  }
}

/**
 * A crash of the process loses no commit. A power failure may lose the latest ones, which the disk had not written: a sync
 * for each observation would cost more than that.
 */
function configure(sqlite: Sqlite): void {
  sqlite.run("PRAGMA busy_timeout = 5000");
  // Has an effect only in a database without tables.
  sqlite.run("PRAGMA auto_vacuum = INCREMENTAL");
  // Overwrites what is deleted: the work list has secrets.
  sqlite.run("PRAGMA secure_delete = ON");
  sqlite.run("PRAGMA journal_mode = WAL");
  sqlite.run("PRAGMA synchronous = NORMAL");
  sqlite.run(`PRAGMA journal_size_limit = ${LOG_SIZE}`);
}

function createTables(sqlite: Sqlite, dataDir: string): void {
  const version = sqlite.query<{ user_version: number }, []>("PRAGMA user_version").get()?.user_version ?? 0;
  if (version > VERSION) {
    const path = join(dataDir, PROBE_DATABASE);
    throw new AppError("refused", `a newer version of stillup created ${path}: update this one`);
  }
  if (version === VERSION) return;
  sqlite.transaction(() => {
    sqlite.run(SCHEMA);
    sqlite.run("INSERT INTO state (name, value) VALUES ('stream', ?)", [createId()]);
    sqlite.run(`PRAGMA user_version = ${VERSION}`);
  })();
}

function setAside(path: string): void {
  for (const end of ["-wal", "-shm"]) rmSync(`${path}${end}`, { force: true });
  if (existsSync(path)) renameSync(path, `${path}.damaged`);
}
