import { readFileSync } from "node:fs";

/** The only line of a file with a password or another secret. @returns undefined for a file with anything else, or that can't be read */
export function readSecret(file: string): string | undefined {
  try {
    const secret = readFileSync(file, "utf8").trim();
    return /^\P{Cc}{1,4096}$/u.test(secret) ? secret : undefined;
  } catch {
    return undefined;
  }
}
