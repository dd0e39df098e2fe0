import { Elysia } from "elysia";
import type { Caller } from "../../domain/accounts/api-key.ts";
import { permits, type Role } from "../../domain/accounts/role.ts";
import { AppError, tooMany } from "../../errors.ts";
import type { Authenticator } from "../../runner/authenticator.ts";
import { readJsonObject } from "../http/request-body.ts";
import { sessionToken, sourceOfRequest } from "./session-cookie.ts";

/** What a write asks of its caller. */
interface Needs {
  role: Role;
  /** Whether the organization must have an active subscription (interface 4.2 rule 1, 4.5 rule 2). */
  subscription?: boolean;
}

/**
 * Gives every route that follows in its plugin the `caller`, or answers 401.
 * Elysia parses a body before it derives, so that routes with a body also take `bodyFor` as their `parse`.
 */
export function authentication(callers: Authenticator) {
  return new Elysia({ name: "authentication" }).derive({ as: "scoped" }, async ({ request }) => ({
    caller: await authenticate(callers, request),
  }));
}

/**
 * A `parse` hook: who calls and whether they may, then the body; so that 401, 402 and 403 come before any 422. The sender
 * is authenticated again after the body, which may take so long to come that the key was deleted meanwhile.
 */
export function bodyFor(callers: Authenticator, needs: Needs) {
  const parse = async ({ request }: { request: Request }): Promise<object> => {
    authorize(await authenticate(callers, request), needs);
    return readJsonObject(request);
  };
  // The word is for the documentation: a body that was parsed is not parsed again.
  return [parse, "json" as const];
}

/** A `beforeHandle` hook for writes without a body. */
export function allowed(needs: Needs) {
  return ({ caller }: { caller: Caller }): void => authorize(caller, needs);
}

/** Who sent a request, whose key is then noted as used. */
export async function authenticate(callers: Authenticator, request: Request): Promise<Caller> {
  const caller = await findSender(callers, request);
  callers.noteUse(caller);
  return caller;
}

/** By the key in the header or, if there is no such header, by the cookie of the page. */
export async function findSender(callers: Authenticator, request: Request): Promise<Caller> {
  const header = request.headers.get("authorization");
  return header === null ? bySession(callers, request) : byKey(callers, request, header);
}

/**
 * @returns to be thrown where a key or session does not open; where it is one of too many from its sender, as a 429. It
 *   is asked last, so that a good key opens however many bad ones come from the same address.
 */
export function failedAttempt(callers: Authenticator, request: Request): AppError {
  const wait = callers.noteFailure(request);
  return wait > 0 ? tooMany("failed attempts", wait) : unauthorized();
}

export function unauthorized(): AppError {
  return new AppError("unauthorized", "Unauthorized");
}

async function byKey(callers: Authenticator, request: Request, header: string): Promise<Caller> {
  const [, key] = /^Bearer +(\S+)$/i.exec(header) ?? [];
  if (key === undefined) throw unauthorized();
  const caller = await callers.identify(key);
  if (!caller) throw failedAttempt(callers, request);
  return caller;
}

/** A browser sends a cookie whoever makes it write, so that only a page of ours may. */
async function bySession(callers: Authenticator, request: Request): Promise<Caller> {
  const token = sessionToken(request);
  if (token === undefined) throw unauthorized();
  const caller = await callers.identifySession(token);
  if (!caller) throw failedAttempt(callers, request);
  const reads = request.method === "GET" || request.method === "HEAD";
  if (!reads && sourceOfRequest(request, callers.baseUrl()) !== "own") {
    throw new AppError("forbidden", "Forbidden");
  }
  return caller;
}

function authorize(caller: Caller, { role, subscription }: Needs): void {
  if (!permits(caller.role, role)) throw new AppError("forbidden", "Forbidden");
  if (subscription && caller.subscription !== "active") {
    throw new AppError("no_subscription", "No active subscription", "no_subscription");
  }
}
