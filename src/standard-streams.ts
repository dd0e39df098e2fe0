import { fstatSync, statSync, writeSync } from "node:fs";

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
