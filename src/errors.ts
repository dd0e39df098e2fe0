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

/**
 * The fault of a request, which the page says in the language of its reader (behavior 27.70).
 *
 * @property code a text of the page
 * @property field of the request, such as `config.port`; empty if the fault is of none
 * @property values of the places of the text
 */
export interface FormFault {
  code: string;
  field: string;
  values: Readonly<Record<string, string | number>>;
}

/** An error that the caller can fix. Any other exception is a fault of stillup. */
export class AppError extends Error {
  override readonly name = "AppError";
  /** Only if the page has a text for it. */
  fault?: FormFault;

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

/** The same error, with the fault of its sentence. */
export function withFault(error: AppError, fault: FormFault): AppError {
  error.fault = fault;
  return error;
}

/** Faults of no field. Their sentences are here, because this file imports nothing. */
export type OtherCode = "forbidden" | "notFound" | "databaseAway" | "tooManyConnections";

/** The faults of a certificate with its key (`key-pair.ts`). */
export type KeyPairCode =
  | "otherKey"
  | "noCertificate"
  | "malformedCertificate"
  | "malformedChain"
  | "passphrase"
  | "unknownKey";

function coded(error: AppError, code: OtherCode): AppError {
  return withFault(error, { code, field: "", values: {} });
}

/** @param what the caller sent too often, in the plural @param retryAfter seconds until the caller may try again */
export function tooMany(what: string, retryAfter: number): AppError {
  return new AppError("too_many", `Too many ${what}: try again in ${retryAfter} s`, undefined, retryAfter);
}

export function unauthorized(): AppError {
  return new AppError("unauthorized", "Unauthorized");
}

export function forbidden(): AppError {
  return coded(new AppError("forbidden", "Forbidden"), "forbidden");
}

/** @param message what is wrong, where, and what would be right */
export function invalid(message: string): AppError {
  return new AppError("invalid", message);
}

export function notFound(): AppError {
  return coded(new AppError("not_found", "Not found"), "notFound");
}

/** Seconds after which a request that could not be taken is worth another try. */
const UNAVAILABLE_FOR = 5;

/** @param cause the error of the disk or the database */
export function unavailable(cause: unknown): AppError {
  const message = "the database can't take this now: try again later";
  const error = new AppError("unavailable", message, undefined, UNAVAILABLE_FOR);
  error.cause = cause;
  return coded(error, "databaseAway");
}

/** For what needs file descriptors, while connections of clients use them. */
export function tooManyConnections(): AppError {
  const message = "the server has too many connections: try again later";
  return coded(new AppError("unavailable", message, undefined, UNAVAILABLE_FOR), "tooManyConnections");
}

/** The disk, a lock or damage of the database made an operation fail. The values to write did not. */
export class StorageFault extends Error {
  override readonly name = "StorageFault";

  /** @param cause the error of the engine */
  constructor(cause: unknown) {
    super((cause as Error).message, { cause });
  }
}
