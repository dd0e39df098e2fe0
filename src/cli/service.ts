import type { Config } from "../config.ts";
import { createLogger, type Logger } from "../log.ts";

/* The parts that commands share which run until they are stopped. */

/** The logger of the settings. */
export async function chosenLogger({
  logLevel: level,
  logFormat,
}: Pick<Config, "logLevel" | "logFormat">): Promise<Logger> {
  if (logFormat === "json") return createLogger({ level });
  return (await import("../pretty-log.ts")).createPrettyLogger({ level });
}

/** Resolves at SIGTERM or SIGINT. */
export function stopped(): Promise<void> {
  return new Promise((resolve) => {
    process.once("SIGTERM", () => resolve());
    process.once("SIGINT", () => resolve());
  });
}
