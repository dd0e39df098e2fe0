import pino, { type Logger } from "pino";
import { writeToErrors } from "./standard-streams.ts";
import { visible } from "./visible-text.ts";

export type { Logger };

export const LOG_LEVELS = ["debug", "info", "warn", "error"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export const LOG_FORMATS = ["pretty", "json"] as const;
export type LogFormat = (typeof LOG_FORMATS)[number];

/**
 * Writes lines of JSON.
 *
 * @param write gets each line, without its end; default: standard error, so that standard output contains only the output of a
 *   command
 */
export function createLogger(
  { level }: { level: LogLevel | "silent" },
  write = (line: string) => writeToErrors(visible(line)),
): Logger {
  const formatters = { level: (name: string) => ({ level: name }) };
  const options = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime, formatters };
  return pino(options, { write: (line) => write(line.trimEnd()) });
}
