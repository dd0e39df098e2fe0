import { fstatSync, statSync, writeSync } from "node:fs";
import pino, { type Logger } from "pino";

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

/**
 * Characters that a terminal interprets, or that hide or reorder the text around them: controls of both blocks (ECMA-48),
 * line separators of Unicode, and its controls of direction. Line breaks and tabs are none of them.
 */
const INVISIBLE = /(?![\n\t])[\p{Cc}\p{Zl}\p{Zp}\u061c\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu;

/** A text for a terminal (behavior 9.21): such characters are escaped as in JSON, so that JSON and quoted YAML stay the same. */
export function visible(text: string): string {
  return text.replaceAll(INVISIBLE, escaped);
}

/** The same on one line, for a text of another program that could pretend to be several lines. */
export function visibleLine(text: string): string {
  return visible(text).replaceAll(/[\n\t]/g, escaped);
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/*
 * Standard output and standard error, without `process.stdout` and `process.stderr`: their first use takes a tenth of the time of
 * a start.
 */

/** How long a line waits if a terminal or a pipe is full and does not block, in milliseconds. */
const RETRY_AFTER = 100;

export const writeToOutput = createWriter(1);
export const writeToErrors = createWriter(2);

/** Whether standard output (1) or standard error (2) is a terminal. */
export function isTerminal(descriptor: 1 | 2): boolean {
  if (!isDevice(descriptor)) return false;
  return (descriptor === 1 ? process.stdout : process.stderr).isTTY ?? false;
}

/** @returns writes one line. A line that can't be written, for example to a full disk, is dropped without an error */
function createWriter(descriptor: number): (line: string) => void {
  let waiting = Buffer.alloc(0);

  function flush(): void {
    try {
      while (waiting.length > 0) waiting = waiting.subarray(writeSync(descriptor, waiting));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "EAGAIN") setTimeout(flush, RETRY_AFTER);
      else waiting = Buffer.alloc(0);
    }
  }

  return (line) => {
    const isWaiting = waiting.length > 0;
    waiting = Buffer.concat([waiting, Buffer.from(`${line}\n`)]);
    if (!isWaiting) flush();
  };
}

/** Neither a file nor a pipe, nor `/dev/null`. */
function isDevice(descriptor: number): boolean {
  try {
    const stats = fstatSync(descriptor);
    return stats.isCharacterDevice() && stats.rdev !== statSync("/dev/null").rdev;
  } catch {
    return false;
  }
}
