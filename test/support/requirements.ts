import { existsSync } from "node:fs";

/**
 * Whether what a test runs is on this machine; if not, that is said aloud, for a test that is left out proves nothing.
 * `scripts/test` installs all of it where it may.
 *
 * @param needed programs by name, files by their path
 */
export function isMissing(needed: string[], { root = false } = {}): boolean {
  const missing = needed.filter((name) =>
    name.startsWith("/") ? !existsSync(name) : Bun.which(name) === null,
  );
  const wants = [...missing, ...(root && process.getuid?.() !== 0 ? ["to be run by root"] : [])];
  if (wants.length > 0) process.stderr.write(`LEFT OUT: ${Bun.main} needs ${wants.join(", ")}\n`);
  return wants.length > 0;
}
