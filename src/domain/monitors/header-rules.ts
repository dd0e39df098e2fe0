import { AppError } from "../../errors.ts";
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
    if (REFUSED.has(lower))
      throw invalid(`${fieldOf(at, name)} must be left out: stillup sets this header itself`);
    if (seen.has(lower)) throw invalid(`${fieldOf(at, name)} must occur once: names of headers ignore case`);
    seen.add(lower);
  }
  // Names and values are ASCII, so that a character is a byte.
  const bytes = Object.entries(headers).reduce((sum, [name, value]) => sum + name.length + value.length, 0);
  if (bytes > MAX_HEADER_BYTES) {
    throw invalid(
      `${at} must have at most ${MAX_HEADER_BYTES} bytes of names and values in all, got ${bytes}`,
    );
  }
}

/** Refuses names that are no tokens of RFC 9110. */
export function assertHeaderNames(names: string[], at: string): void {
  for (const name of names) {
    if (!/^[!#$%&'*+.^_`|~\w-]+$/.test(name)) {
      throw invalid(
        `${fieldOf(at, name)} must have the name of a header: letters, digits and !#$%&'*+-.^_\`|~`,
      );
    }
  }
}

function invalid(message: string): AppError {
  return new AppError("invalid", message);
}
