import { prettyFactory } from "pino-pretty";
import { createLogger, type Logger, type LogLevel, visible, writeToErrors } from "./log.ts";

/** Logs for people. It takes a tenth of the start to load, so that only a server on a terminal loads it. */
export function createPrettyLogger({ level }: { level: LogLevel }): Logger {
  const format = prettyFactory({ translateTime: "SYS:HH:MM:ss" });
  return createLogger({ level }, (line) => writeToErrors(format(withVisibleControls(line)).trimEnd()));
}

/** The names of monitors and the messages of servers in a line, which is JSON, are shown as they are (behavior 9.21). */
function withVisibleControls(line: string): string {
  const shown: unknown = JSON.parse(line, (_, value: unknown) =>
    typeof value === "string" ? visible(value) : value,
  );
  return JSON.stringify(shown);
}
