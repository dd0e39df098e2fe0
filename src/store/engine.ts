import type { Logger } from "../log.ts";
import type { CopySource, CopyTarget } from "./copy.ts";
import type { EngineQueries } from "./engine-queries.ts";
import type { Sql, Tx } from "./tx.ts";

/** The settings that say where the data is. */
export interface StoreSettings {
  /** The directory of the embedded database. */
  dataDir: string;
  /** The database of PostgreSQL, which replaces the embedded one. It may contain a password. */
  databaseUrl?: string;
  /** For a URL without a password: a password, or a file of passwords, which need not exist. */
  databasePassword?: { secretFile?: string; password?: string; file: string };
}

/**
 * An open database of one storage engine. Its methods throw an `AppError`, or a `StorageFault` for an error of the disk, a
 * lock or damage.
 */
export interface Engine {
  /** Runs work in a transaction that is on the disk when the promise resolves, and is rolled back if the work throws. */
  write<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result>;
  /**
   * Like `write`, for a change of many monitors, which may take longer. After the call of `lock`, no results of some monitors are
   * recorded until the end: the work calls it once, before it reads their states, and as late as it can.
   */
  writeMany<Result>(work: (tx: Tx, lock: LockMonitors) => Promise<Result>): Promise<Result>;
  /** Like `write`, but the commit may be on the disk only a little later. */
  writeWithoutSync<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result>;
  /**
   * Like `write`, for what strangers change: it never waits for the edits of users, nor do they wait for it. On PostgreSQL, each
   * statement sees what is committed when it begins, and several run at the same time.
   */
  writeApart<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result>;
  /** Runs reads on one snapshot. */
  read<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result>;
  /** Runs a single statement that looks for work, or at the clock: it does not wait for slow readers. */
  poll: Sql["query"];
  /**
   * The same text as before if no user's edit was committed since, also not by another process: then a plan that was made from a
   * snapshot still holds. Undefined if only a transaction can know.
   */
  editMark(): string | undefined;
  /** Like `read`, for a slice of a long list: other work runs between two slices. */
  readSlice<Result>(work: (tx: Tx) => Promise<Result>): Promise<Result>;
  /** How many monitors a slice has whose hours are read: on SQLite, the process waits for it; on PostgreSQL, it is round trips. */
  monitorsInSlice: number;
  queries: EngineQueries;
  close(): Promise<void>;
}

/** @param pks the numbers of monitors */
export type LockMonitors = (pks: readonly number[]) => Promise<void>;

/** The work of a storage engine besides queries: it opens, restores and checks databases. */
export interface EngineDriver {
  /** Whether there is a database. */
  exists(settings: StoreSettings): Promise<boolean>;
  /**
   * Opens the database, creates it if it does not exist, and migrates it to this version. A server may run on it.
   *
   * @throws AppError `refused` if the database is damaged, or a newer version or another program created it
   */
  open(settings: StoreSettings): Promise<Engine>;
  /** Like `open`, but creates no database. @throws AppError also `refused` if there is no database */
  openExisting(settings: StoreSettings): Promise<Engine>;
  /**
   * Like `open`, for a server. Until it is closed, the engine does what it needs in the background.
   *
   * @throws AppError also `refused` if another server runs, and this engine allows only one
   */
  openForServer(settings: StoreSettings, log: Logger): Promise<Engine>;
  /**
   * Writes a copy of the database to a new file, also while a server runs (behavior 9.6), and notes the time of the backup.
   *
   * @throws AppError `refused` as `openExisting`; `invalid` if this engine has programs of its own
   */
  backUp(settings: StoreSettings, file: string, options: BackupOptions): Promise<void>;
  /**
   * Replaces the database by a backup, while no server runs (behavior 9.7).
   *
   * @param options.now is in the name of the previous database
   * @returns where the previous database is kept; undefined if there was none
   * @throws AppError `refused` if a server runs, the backup can't be restored, or this engine has programs of its own
   */
  restore(
    settings: StoreSettings,
    file: string,
    options: BackupOptions,
  ): Promise<PreviousDatabase | undefined>;
  /**
   * Opens the database as the source of a copy, only to read it. No server can start on it until it is closed.
   *
   * @throws AppError `refused` if there is no database, it is not of this version, or a server runs
   */
  openCopySource(settings: StoreSettings): Promise<CopySource>;
  /**
   * Opens a database without rows as the target of a copy, and creates it if it does not exist. No server can start on it
   * until it is closed.
   *
   * @param now milliseconds since 1970: results of days that this engine does not pack yet become rows
   * @throws AppError `refused` if the database has rows or belongs to another program or version, or a server runs
   */
  openCopyTarget(settings: StoreSettings, now: number): Promise<CopyTarget>;
  /** Checks the database, also while a server runs. @throws AppError `refused` as `openExisting` */
  check(settings: StoreSettings): Promise<Diagnosis>;
}

/** @property now milliseconds since 1970 */
export interface BackupOptions {
  now: number;
  onProgress?: ((progress: Progress) => void) | undefined;
}

/** @property step what is being done, in words @property share of it all that is done, from 0 to 1 */
export interface Progress {
  step: string;
  share: number;
}

/** @property isLogOnly there was no database, but the log of one */
export interface PreviousDatabase {
  path: string;
  isLogOnly: boolean;
}

/** @property database its path or name @property damage a text for each damage; none if it is intact */
export interface Diagnosis {
  database: string;
  damage: string[];
}
