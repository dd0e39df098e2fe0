import pino, { type Logger } from "pino";
import pretty from "pino-pretty";
import { visible } from "./visible-text.ts";

export type { Logger };

export const LOG_LEVELS = ["debug", "info", "warn", "error"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export const LOG_FORMATS = ["pretty", "json"] as const;
export type LogFormat = (typeof LOG_FORMATS)[number];

/**
 * Logs to standard error, so that standard output contains only the output of a command. A line that can't be written,
 * for example on a full disk, is dropped without an error.
 */
export function createLogger({ level, format }: { level: LogLevel | "silent"; format: LogFormat }): Logger {
  const formatters = { level: (name: string) => ({ level: name }) };
  const options = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime, formatters };
  const destination = pino.destination({ fd: 2, sync: true }).on("error", () => {});
  if (format === "json") return pino(options, { write: (line) => void destination.write(visible(line)) });
  const lines = pretty({ destination, translateTime: "SYS:HH:MM:ss" });
  return pino(options, { write: (line) => void lines.write(`${withVisibleControls(line)}\n`) });
}

/** The names of monitors and the messages of servers in a line, which is JSON, are shown as they are (behavior 9.21). */
function withVisibleControls(line: string): string {
  const shown: unknown = JSON.parse(line, (_, value: unknown) =>
    typeof value === "string" ? visible(value) : value,
  );
  return JSON.stringify(shown);
}
