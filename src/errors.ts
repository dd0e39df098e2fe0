/** Why a request is refused. Each kind has one HTTP status (`api/http/errors.ts`). */
export type ErrorKind =
  | "unauthorized"
  | "forbidden"
  | "no_subscription"
  | "not_found"
  | "invalid"
  | "limit_reached"
  | "last_way_in"
  | "too_large"
  | "refused"
  | "too_many"
  | "unavailable";

/** The `code` of an error response (behavior 7.6, 7.10, 26.30). */
export type ErrorCode = "no_subscription" | "interval_too_short" | "proxy_failed" | "token_failed";

/** An error that the caller can fix. Any other exception is a fault of stillup. */
export class AppError extends Error {
  override readonly name = "AppError";

  constructor(
    /** Not named `code`, because Elysia interprets a field with that name. */
    readonly kind: ErrorKind,
    message: string,
    readonly errorCode?: ErrorCode,
    /** Seconds until the caller may try again. */
    readonly retryAfter?: number,
  ) {
    super(message);
  }
}

/** @param what the caller sent too often, in the plural @param retryAfter seconds until the caller may try again */
export function tooMany(what: string, retryAfter: number): AppError {
  return new AppError("too_many", `Too many ${what}: try again in ${retryAfter} s`, undefined, retryAfter);
}

export function unauthorized(): AppError {
  return new AppError("unauthorized", "Unauthorized");
}

/** @param message what is wrong, where, and what would be right */
export function invalid(message: string): AppError {
  return new AppError("invalid", message);
}

export function notFound(): AppError {
  return new AppError("not_found", "Not found");
}

/** Seconds after which a request that could not be taken is worth another try. */
const UNAVAILABLE_FOR = 5;

/** @param cause the error of the disk or the database */
export function unavailable(cause: unknown): AppError {
  const message = "the database can't take this now: try again later";
  const error = new AppError("unavailable", message, undefined, UNAVAILABLE_FOR);
  error.cause = cause;
  return error;
}

/** For what needs file descriptors, while connections of clients use them. */
export function tooManyConnections(): AppError {
  const message = "the server has too many connections: try again later";
  return new AppError("unavailable", message, undefined, UNAVAILABLE_FOR);
}

/** The disk, a lock or damage of the database made an operation fail. The values to write did not. */
export class StorageFault extends Error {
  override readonly name = "StorageFault";

  /** @param cause the error of the engine */
  constructor(cause: unknown) {
    super((cause as Error).message, { cause });
  }
}
