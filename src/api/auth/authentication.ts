import type { Static, TSchema } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Caller } from "../../domain/accounts/api-key.ts";
import { assertSubscribed } from "../../domain/accounts/organization.ts";
import { permits, type Role } from "../../domain/accounts/role.ts";
import { tooManyFault } from "../../domain/faults/fault.ts";
import { type AppError, forbidden, unauthorized } from "../../errors.ts";
import type { Authenticator } from "../../runner/authenticator.ts";
import { compressJson } from "../http/json-stream.ts";
import { answering, change, creation, type DataOptions, deletion, listing } from "../http/openapi.ts";
import { createValidator, documented, MAX_BODY, readJsonObject } from "../http/request-body.ts";
import type { Services } from "../http/services.ts";
import { sessionToken, sourceOfRequest } from "./session-cookie.ts";

/** The requirements of a write for its caller. */
interface Requirements {
  role: Role;
  /** The role that a person needs, if it is another one. */
  ofPeople?: Role;
  /** Whether the organization must have an active subscription (behavior 7.6); a function is asked only if it has none. */
  subscription?: boolean | ((caller: Caller, params: Record<string, string>) => Promise<boolean>);
  /** Whether a request without a body is one with an empty object. */
  isOptional?: boolean;
  /** Bytes of the body. Default: 1 MiB. */
  largest?: number;
  /** Fields, arrays and objects of the body. Default: as `readJsonObject`. */
  mostParts?: number;
}

/**
 * A plugin for the routes of a resource, whose handlers get the `caller`, and by `authored` the store whose changes the audit log says
 * that the caller made.
 *
 * @param path below `/api/v1` @param tag of its operations in the OpenAPI document
 */
export function resource<const Path extends string>(services: Authored, path: Path, tag: string) {
  const prefix = `/api/v1${path}` as const;
  const routes = new Elysia({ prefix, normalize: false, tags: [tag] });
  // Not in one chain: the hook does not change the type, which is near the limit of the compiler.
  routes.mapResponse(compressJson);
  return routes.use(authentication(services));
}

type Authored = Pick<Services, "authenticator" | "store">;

interface Described extends Pick<DataOptions, "answer"> {
  /** The name of one of them in the names of operations, such as `AlertChannel`. */
  name: string;
  /** The same in words, with its article. */
  one: string;
  /** The role that writes need. */
  role: Role;
}

/** The options in which an operation differs from the usual operation. */
type Unusual = Partial<Omit<DataOptions, "description">> & { subscription?: true };

/**
 * The options of the usual routes of a resource: its parameters, the requirements of writes, and the description in the OpenAPI document.
 *
 * @property params of the path of one of them
 */
export function operationsOf<Params extends TSchema>(
  services: Pick<Services, "authenticator" | "bodies">,
  { name, one, role, params, answer }: Described & { params: Params },
) {
  const many = `${one.replace(/^an? /, "")}s`;
  const named = (description: string, { subscription: _, ...more }: Unusual, verb: string) => {
    const [id, things] = verb === "List" ? [`list${name}s`, many] : [`${verb.toLowerCase()}${name}`, one];
    return { operationId: id, summary: `${verb} ${things}`, description, answer, ...more };
  };
  return {
    list: (description: string, more: Unusual = {}) => ({
      detail: listing(named(description, more, "List")),
    }),
    read(description: string, { errors = [], ...more }: Unusual = {}) {
      return { params, detail: answering(named(description, { ...more, errors: [...errors, 404] }, "Get")) };
    },
    create<Body extends TSchema>(body: Body, description: string, more: Unusual = {}) {
      const options = bodyFor(services, body, { role, subscription: more.subscription ?? false });
      return { ...options, detail: creation(named(description, more, "Create")) };
    },
    update<Body extends TSchema>(body: Body, description: string, more: Unusual = {}) {
      const options = bodyFor(services, body, { role, subscription: more.subscription ?? false });
      return { params, ...options, detail: change(named(description, more, "Update")) };
    },
    delete(description: string, more: Unusual = {}) {
      return {
        params,
        beforeHandle: allowed({ role }),
        detail: deletion(named(description, more, "Delete")),
      };
    },
  };
}

/**
 * Gives the later routes of a plugin the `caller`, or answers 401. Elysia parses the body before `derive`, so routes
 * with a body also need `bodyFor`.
 */
export function authentication({ authenticator, store }: Authored) {
  return new Elysia({ name: "authentication" }).derive({ as: "scoped" }, async ({ request }) => {
    const caller = await authenticate(authenticator, request);
    return { caller, authored: () => store.as(authenticator.authorOf(caller, request)) };
  });
}

/**
 * The options of a route with a body: a `parse` hook that authenticates and authorizes the caller and then reads the body
 * and validates it, so that 401, 402 and 403 precede 413 and 422 (behavior 7.1). After the body, `authentication` finds the
 * caller again, and a `beforeHandle` hook authorizes this caller: while a slow body is received, the key may be deleted, and the
 * role lowered.
 */
export function bodyFor<T extends TSchema>(
  { authenticator, bodies }: Pick<Services, "authenticator" | "bodies">,
  schema: T,
  { largest = MAX_BODY.keyed, isOptional, mostParts, ...requirements }: Requirements,
) {
  const validate = createValidator(schema);
  const parse = async ({ request, params }: ParsedRequest): Promise<Static<T>> => {
    const caller = await authenticate(authenticator, request);
    await assertMeets(caller, requirements, params);
    using held = bodies.hold(caller.organizationId);
    const body = await readJsonObject(request, { largest, isOptional, mostParts, held });
    validate(body);
    return body;
  };
  const beforeHandle = ({ caller, params }: AuthenticatedRequest) =>
    assertMeets(caller, requirements, params);
  // "json" is for the OpenAPI document: Elysia does not parse a body again.
  return { parse: [parse, "json" as const], body: documented(schema), beforeHandle };
}

/** @property params of the path */
interface ParsedRequest {
  request: Request;
  params: Record<string, string>;
}

interface AuthenticatedRequest extends Pick<ParsedRequest, "params"> {
  caller: Caller;
}

/** @throws AppError `forbidden`, `payment_required` */
async function assertMeets(
  caller: Caller,
  requirements: Requirements,
  params: Record<string, string>,
): Promise<void> {
  authorize(caller, requirements);
  if (caller.subscription !== "active" && (await needsSubscription(caller, requirements, params)))
    assertSubscribed(caller);
}

async function needsSubscription(
  caller: Caller,
  { subscription = false }: Requirements,
  params: Record<string, string>,
): Promise<boolean> {
  return typeof subscription === "function" ? subscription(caller, params) : subscription;
}

/** A `beforeHandle` hook for writes without a body. */
export function allowed(requirements: Pick<Requirements, "role" | "ofPeople">) {
  return ({ caller }: { caller: Caller }): void => authorize(caller, requirements);
}

/**
 * Finds the caller of a request and records the use of its key.
 *
 * @throws AppError `unauthorized`, `forbidden`, `too_many`
 */
export async function authenticate(authenticator: Authenticator, request: Request): Promise<Caller> {
  const caller = await findCaller(authenticator, request);
  authenticator.noteUse(caller);
  return caller;
}

/**
 * Finds the caller by the key in the header or, without that header, by the session cookie.
 *
 * @throws like `authenticate`
 */
export async function findCaller(authenticator: Authenticator, request: Request): Promise<Caller> {
  const header = request.headers.get("authorization");
  return header === null ? bySession(authenticator, request) : byKey(authenticator, request, header);
}

/**
 * Counts a failed attempt with a key or session. Must be called after the lookup, so that a valid key always works,
 * however many failed attempts come from the same client (behavior 8.15).
 *
 * @returns the error to throw: 401, or 429 if the client failed too often
 */
export function failedAttempt(authenticator: Authenticator, request: Request): AppError {
  const wait = authenticator.noteFailure(request);
  return wait > 0 ? tooManyFault("tooManyFailedAttempts", wait) : unauthorized();
}

/** The headers of a request that forwards another one: they say who its client is. */
export function headersOfClient({ headers: given }: Request): Headers {
  const headers = new Headers({ "content-type": "application/json" });
  for (const name of ["authorization", "cookie", "origin", "host", "sec-fetch-site"]) {
    const value = given.get(name);
    if (value !== null) headers.set(name, value);
  }
  return headers;
}

/** The key in the header of a request. @throws AppError `unauthorized` */
export function keyOf(header: string | null): string {
  const [, key] = /^Bearer +(\S+)$/i.exec(header ?? "") ?? [];
  if (key === undefined) throw unauthorized();
  return key;
}

async function byKey(authenticator: Authenticator, request: Request, header: string): Promise<Caller> {
  const caller = await authenticator.identify(keyOf(header));
  if (!caller) throw failedAttempt(authenticator, request);
  return caller;
}

/**
 * Behavior 8.14: a browser also sends the cookie with writes that another site starts, so only our own pages may write.
 */
async function bySession(authenticator: Authenticator, request: Request): Promise<Caller> {
  const { anybody } = authenticator;
  const token = sessionToken(request, authenticator.baseUrl());
  const signedIn = token === undefined ? undefined : await authenticator.identifySession(token);
  const caller = signedIn ?? anybody;
  if (!caller) throw token === undefined ? unauthorized() : failedAttempt(authenticator, request);
  const isRead = request.method === "GET" || request.method === "HEAD";
  const source = isRead ? "own" : sourceOfRequest(request, authenticator.baseUrl());
  // A program has no session, and does not say where a request comes from.
  if (source === "foreign" || (signedIn && source !== "own")) throw forbidden();
  return caller;
}

function authorize(
  { role: own, actor }: Caller,
  { role, ofPeople = role }: Pick<Requirements, "role" | "ofPeople">,
): void {
  if (!permits(own, actor.type === "person" ? ofPeople : role)) throw forbidden();
}
