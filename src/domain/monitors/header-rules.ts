import { fault } from "../faults/fault.ts";
import { fieldOf } from "../schemas/field-name.ts";

const MAX_HEADER_BYTES = 8192;

/** Headers that follow from the body and from the connection of a check. */
const REFUSED = new Set(["content-length", "transfer-encoding", "connection"]);

/** Refuses headers that cannot be sent (behavior 10.3). The schema covers their number and the values. */
export function assertRequestHeaders(headers: Record<string, string>, at: string): void {
  const names = Object.keys(headers);
  assertHeaderNames(names, at);
  const seen = new Set<string>();
  for (const name of names) {
    const lower = name.toLowerCase();
    if (REFUSED.has(lower)) throw fault("headerOfConnection", { field: fieldOf(at, name) });
    if (seen.has(lower)) throw fault("headerTwice", { field: fieldOf(at, name) });
    seen.add(lower);
  }
  // Names and values are ASCII, so that a character is a byte.
  const bytes = Object.entries(headers).reduce((sum, [name, value]) => sum + name.length + value.length, 0);
  if (bytes > MAX_HEADER_BYTES) {
    throw fault("headersTooLarge", { field: at, count: MAX_HEADER_BYTES, got: bytes });
  }
}

/** Refuses names that are no tokens of RFC 9110. */
export function assertHeaderNames(names: string[], at: string): void {
  for (const name of names) {
    if (!/^[!#$%&'*+.^_`|~\w-]+$/.test(name)) {
      throw fault("headerName", { field: fieldOf(at, name) });
    }
  }
}
