import { closeSync, openSync, readFileSync } from "node:fs";
import { readdir } from "node:fs/promises";

/** A check needs a descriptor for each DNS query and each address that it tries. */
const NEEDED_BY_CHECK = 8;

/** A thread opens two. Clients may connect until it has them. */
const NEEDED_BY_THREAD = 64;

/**
 * To be asked before a `Worker` is created and before the first `fetch`, which starts a thread too: Bun 1.4.5 ends the process if
 * the thread gets no descriptor for its event loop.
 */
export function lacksDescriptorsForThread(): boolean {
  return lacksDescriptors(NEEDED_BY_THREAD);
}

/**
 * Opens descriptors to see whether enough are free, because errors do not show the lack of them: without a descriptor,
 * Bun 1.4.5 reports a refused connection (oven-sh/bun#36140), and the hosts file cannot be read, so that its names are
 * unknown.
 */
export function lacksDescriptors(needed = NEEDED_BY_CHECK): boolean {
  const opened: number[] = [];
  try {
    while (opened.length < needed) opened.push(openSync("/dev/null", "r"));
    return false;
  } catch {
    return true;
  } finally {
    for (const descriptor of opened) closeSync(descriptor);
  }
}

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

/** How many file descriptors this process may still open; null if that is not known. */
export async function freeDescriptors(): Promise<number | null> {
  const limit = descriptorLimit();
  if (process.platform !== "linux" || !Number.isFinite(limit)) return null;
  const open = await readdir("/proc/self/fd").catch(() => undefined);
  return open ? Math.max(0, limit - open.length) : null;
}
