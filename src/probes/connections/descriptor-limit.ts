import { readFileSync } from "node:fs";

/** The maximum number of file descriptors of this process. */
export function descriptorLimit(): number {
  try {
    const [, limit] = /^Max open files\s+(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8")) ?? [];
    return Number(limit ?? Number.POSITIVE_INFINITY);
  } catch {
    // Not Linux.
    return 10_000;
  }
}
