/** What a caller did wrong, or what of theirs is missing. Each kind has one HTTP status (`api/errors.ts`). */
export type ErrorKind =
  | "unauthorized"
  | "forbidden"
  | "no_subscription"
  | "not_found"
  | "invalid"
  | "limit_reached"
  | "too_large"
  | "refused"
  | "too_many"
  | "unavailable";

/** The machine-readable words of the interface, section 7. */
export type ErrorCode = "no_subscription" | "interval_too_short";

/** An error that is the caller's to mend. Anything else that is thrown is a fault of ours. */
export class AppError extends Error {
  override readonly name = "AppError";

  constructor(
    /** Not called `code`: Elysia would take that for its own. */
    readonly kind: ErrorKind,
    message: string,
    readonly errorCode?: ErrorCode,
    /** Seconds after which it may be tried again. */
    readonly retryAfter?: number,
  ) {
    super(message);
  }
}

/** @param what there was too much of @param retryAfter seconds */
export function tooMany(what: string, retryAfter: number): AppError {
  return new AppError("too_many", `Too many ${what}: try again in ${retryAfter} s`, undefined, retryAfter);
}

export function notFound(): AppError {
  return new AppError("not_found", "Not found");
}

/** @param cause what the disk or the database said */
export function unavailable(cause: unknown): AppError {
  const error = new AppError("unavailable", "the database can't take this now: try again later");
  error.cause = cause;
  return error;
}
