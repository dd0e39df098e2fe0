import { dayOf } from "../../domain/results/rollup.ts";
import type { Connections } from "./connections.ts";

/** There is no partition for a result. Nothing of the transaction is kept. @property days the UTC days of its results */
export class MissingPartition extends Error {
  readonly days: number[];

  constructor(times: readonly number[]) {
    super("a day has no partition");
    this.days = [...new Set(times.map(dayOf))];
  }
}

/** Creates the partitions of `check_results` for some UTC days, in a transaction of its own. */
export async function createPartitions(
  _connections: Pick<Connections, "transaction">,
  _days: readonly number[],
): Promise<void> {
  throw new Error("not built yet");
}

/** Runs work that records results. If a day has no partition, creates it and runs the work again. */
export async function withPartitions<Result>(
  connections: Pick<Connections, "transaction">,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof MissingPartition)) throw error;
    await createPartitions(connections, error.days);
    return work();
  }
}
