import { NotFoundError, ParseError, ValidationError } from "elysia";
import { type Fault, FaultsError } from "../../domain/configuration/history.ts";
import { invalidValue } from "../../domain/schemas/validation.ts";
import {
  AppError,
  type ErrorKind,
  type FormFault,
  notFound,
  StorageFault,
  unavailable,
} from "../../errors.ts";
import type { Logger } from "../../log.ts";
import type { Services } from "./services.ts";

/** Behavior 7.13. */
export interface ErrorBody {
  error: string;
  code?: string;
  upgrade?: true;
  faults?: readonly Fault[];
}

const statuses: Record<ErrorKind, number> = {
  unauthorized: 401,
  no_subscription: 402,
  forbidden: 403,
  not_found: 404,
  refused: 409,
  too_large: 413,
  invalid: 422,
  limit_reached: 422,
  last_way_in: 422,
  too_many: 429,
  unavailable: 503,
};

/** Turns any thrown value into a response. This is the only place that does so. */
export function answerError(
  error: unknown,
  log: Logger,
): { status: number; body: ErrorBody; retryAfter?: number | undefined; fault?: string | undefined } {
  const known = asAppError(error);
  if (known) {
    const { kind, retryAfter, fault } = known;
    return { status: statuses[kind], body: bodyOf(known), retryAfter, fault: fault && asHeader(fault) };
  }
  log.error({ err: error }, "a request failed");
  return { status: 500, body: { error: "Internal error" } };
}

/** The longest value of the header, in characters: proxies bound all headers together. */
const LONGEST = 2000;

/** The header `stillup-fault`, which only the page reads: JSON in ASCII (behavior 27.71). Undefined if it would be too long, or has no code. */
function asHeader(fault: FormFault): string | undefined {
  const text = JSON.stringify(fault).replace(
    /[^\x20-\x7e]/g,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return fault.code === "" || text.length > LONGEST ? undefined : text;
}

/**
 * Answers at once while the database is known to be away, so that requests do not pile up. All routes of the API need it.
 *
 * @throws AppError `unavailable`
 */
export function assertReachable({ health }: Pick<Services, "health">, { url }: Request): void {
  if (health().database === "away" && /^\/(api\/|mcp$)/.test(new URL(url).pathname)) {
    throw unavailable(new Error("the database is away"));
  }
}

function asAppError(error: unknown): AppError | undefined {
  if (error instanceof AppError) return error;
  // Elysia wraps errors of its parse hooks.
  if (error instanceof ParseError) return asAppError(error.cause);
  if (error instanceof NotFoundError) return notFound();
  if (error instanceof ValidationError) return invalidRequest(error);
  if (error instanceof StorageFault) return unavailable(error);
  return undefined;
}

function invalidRequest({ valueError }: ValidationError): AppError | undefined {
  return valueError && invalidValue(valueError);
}

function bodyOf(error: AppError): ErrorBody {
  const { kind, message, errorCode } = error;
  return {
    error: message,
    ...(errorCode && { code: errorCode }),
    ...(kind === "limit_reached" && { upgrade: true }),
    ...(error instanceof FaultsError && { faults: error.faults }),
  };
}

/** The query of a request. The whole URL cannot be parsed if the client sent an invalid `Host`, or none. */
export function queryOf({ url }: Request): URLSearchParams {
  const start = url.indexOf("?");
  return start < 0 ? NO_QUERY : new URLSearchParams(url.slice(start));
}

/** Shared, because it would be a twentieth of the time of a check-in: to be read only. */
const NO_QUERY = new URLSearchParams();
