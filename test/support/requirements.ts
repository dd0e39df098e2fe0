import { existsSync } from "node:fs";

/**
 * Whether this machine lacks a requirement of a test. Prints a missing one, because a skipped test proves nothing.
 * `scripts/test` installs all requirements if it has the right to.
 *
 * @param needed programs by name, files by path
 */
export function isMissing(needed: string[], { root = false } = {}): boolean {
  const missing = needed.filter((name) =>
    name.startsWith("/") ? !existsSync(name) : Bun.which(name) === null,
  );
  const wants = [...missing, ...(root && process.getuid?.() !== 0 ? ["to be run by root"] : [])];
  if (wants.length > 0) process.stderr.write(`LEFT OUT: ${Bun.main} needs ${wants.join(", ")}\n`);
  return wants.length > 0;
}
