import type { Logger } from "../../log.ts";

/** Collects the faults of this service that kept checks from a result. */
export interface OwnFaults {
  add(error: unknown): void;
  /** Logs those since the last call, in one line, because most faults affect all checks. */
  log(): void;
}

export function createOwnFaults(log: Pick<Logger, "error">): OwnFaults {
  let faults: unknown[] = [];
  return {
    add: (error) => void faults.push(error),
    log() {
      const [first] = faults;
      if (first)
        log.error({ err: first, checks: faults.length }, "checks could not be made and are run again");
      faults = [];
    },
  };
}
