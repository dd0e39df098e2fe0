import { readFileSync } from "node:fs";

/** How many file descriptors this process may have. */
export function descriptorLimit(): number {
  try {
    const [, limit] = /^Max open files\s+(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8")) ?? [];
    return Number(limit ?? Number.POSITIVE_INFINITY);
  } catch {
    // No Linux.
    return 10_000;
  }
}
