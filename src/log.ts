import pino, { type Logger } from "pino";
import pretty from "pino-pretty";

export type { Logger };

export const LOG_LEVELS = ["debug", "info", "warn", "error"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export const LOG_FORMATS = ["pretty", "json"] as const;
export type LogFormat = (typeof LOG_FORMATS)[number];

/** Writes to standard error, so that standard output holds only what a command prints. */
export function createLogger({ level, format }: { level: LogLevel | "silent"; format: LogFormat }): Logger {
  const options = { level, base: null, timestamp: pino.stdTimeFunctions.isoTime };
  if (format === "json") return pino(options, pino.destination({ fd: 2, sync: true }));
  return pino(options, pretty({ destination: 2, sync: true, translateTime: "SYS:HH:MM:ss" }));
}
