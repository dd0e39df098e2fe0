import { readFileSync, statSync } from "node:fs";
import { UsageError } from "../config.ts";
import { fileReason } from "../system-error.ts";

/** The kinds of keys, each with what is said of it. */
const kinds = {
  probe: {
    pattern: /^stillup_probe_[0-9A-Za-z]{43}$/,
    is: "the key of a location, which begins with stillup_probe_",
  },
  api: { pattern: /^stillup_[0-9A-Za-z]{43}$/, is: "an API key, which begins with stillup_" },
};

/** The key in the first line of a file. @throws UsageError that does not repeat what the file contains */
export function readKeyFile(path: string, kind: keyof typeof kinds): string {
  const [line = ""] = contentOf(path).trimStart().split("\n");
  const key = line.trim();
  const { pattern, is } = kinds[kind];
  if (pattern.test(key)) return key;
  throw new UsageError(`the first line of ${path} must be ${is}`);
}

function contentOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    throw new UsageError(`${path} can't be read: ${fileReason(error)}`);
  }
}

/**
 * A warning about a key file that more users can read than need to (behavior 9.22): everybody, or a group although this process
 * runs as the owner. A service may read its key by its group. Undefined if there is none.
 */
export function exposureOf(path: string): string | undefined {
  const { mode, uid } = statSync(path);
  const readers =
    mode & 0o004 ? "all users" : mode & 0o040 && uid === process.getuid?.() ? "its group" : null;
  return readers === null ? undefined : `${path} can be read by ${readers}: its mode should be 0600`;
}

/** Whether requests to a server leave this machine without encryption. */
export function isPlain(server: string): boolean {
  const { protocol, hostname } = new URL(server);
  return protocol === "http:" && !/^(localhost|127\.[\d.]+|\[::1\])$/.test(hostname);
}
