import type { Store } from "../../../src/store/store.ts";
import type { DueTimes } from "./due-times.ts";
import { createSqlite } from "./sqlite-database.ts";

/** The database of a simulation. */
export interface SimulatedDatabase extends AsyncDisposable {
  /** Opens it without an await, because a server starts within one event. */
  open(): Store;
  /** @property nextWindow see `createDueTimes` @property now the wall time */
  readDueTimes(times: { nextWindow: () => number; now: () => number }): DueTimes;
  /** Waits until its calls have ended. Without it, they end within microtasks. */
  settle?: () => Promise<void>;
  /** Whether it keeps claims in memory, and commits before its sync, which the simulation then makes itself. */
  isEmbedded: boolean;
}

export const SIMULATED_ENGINES = ["sqlite", "postgres"] as const;
export type SimulatedEngine = (typeof SIMULATED_ENGINES)[number];

/** A new database. PostgreSQL is loaded only if it is used. */
export async function createDatabase(engine: SimulatedEngine): Promise<SimulatedDatabase> {
  if (engine === "sqlite") return createSqlite();
  return (await import("./postgres-database.ts")).createPostgres();
}
