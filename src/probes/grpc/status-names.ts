/** The names of the status codes of gRPC, by number. */
const NAMES = [
  "OK",
  "CANCELLED",
  "UNKNOWN",
  "INVALID_ARGUMENT",
  "DEADLINE_EXCEEDED",
  "NOT_FOUND",
  "ALREADY_EXISTS",
  "PERMISSION_DENIED",
  "RESOURCE_EXHAUSTED",
  "FAILED_PRECONDITION",
  "ABORTED",
  "OUT_OF_RANGE",
  "UNIMPLEMENTED",
  "INTERNAL",
  "UNAVAILABLE",
  "DATA_LOSS",
  "UNAUTHENTICATED",
];

export const OK = 0;
export const NOT_FOUND = 5;
export const UNIMPLEMENTED = 12;

/** For example `5 NOT_FOUND`, or only the number if it has no name. */
export function statusWords(status: number): string {
  const name = NAMES[status];
  return name ? `${status} ${name}` : String(status);
}
