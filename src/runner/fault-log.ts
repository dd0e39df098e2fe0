import type { Logger } from "../log.ts";

/** Logs a lasting fault of something that runs again and again: once, and again after it has passed. */
export interface FaultLog {
  failed(error: unknown): void;
  succeeded(): void;
}

export function createFaultLog(
  log: Pick<Logger, "error" | "warn">,
  message: string,
  level: "error" | "warn" = "error",
): FaultLog {
  let isFailing = false;
  return {
    failed(error) {
      if (!isFailing) log[level]({ err: error }, message);
      isFailing = true;
    },
    succeeded() {
      isFailing = false;
    },
  };
}
