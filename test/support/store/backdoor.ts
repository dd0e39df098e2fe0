/** Why a storage rejects writes: a read-only disk or database, a full disk, or a lock that another process holds. */
export type WriteFault = "read-only" | "full" | "locked";

/** Ends a fault. */
export type EndFault = () => Promise<void>;

/**
 * The database behind a store, for states and faults that no function of the store causes. A statement has the values of
 * `$1`, `$2`, ... in this order.
 */
export interface Backdoor {
  engine: "sqlite" | "postgres";
  run(sql: string, ...values: (string | number)[]): Promise<void>;
  rows<Row extends object>(sql: string, ...values: (string | number)[]): Promise<Row[]>;
  /** Lets writes fail. */
  breakWrites(fault: WriteFault): Promise<EndFault>;
  /**
   * Lets commits succeed, but lets every sync of them to the disk fail.
   *
   * @throws Error if the engine syncs within a commit
   */
  failSyncs(): Promise<EndFault>;
}
