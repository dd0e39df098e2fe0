import type { Logger } from "../log.ts";

/** Logs a lasting fault of something that runs again and again: once, and again after it has passed. */
export interface FaultLog {
  failed(error: unknown): void;
  succeeded(): void;
}

export function createFaultLog(log: Pick<Logger, "error">, message: string): FaultLog {
  let isFailing = false;
  return {
    failed(error) {
      if (!isFailing) log.error({ err: error }, message);
      isFailing = true;
    },
    succeeded() {
      isFailing = false;
    },
  };
}
