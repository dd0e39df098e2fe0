import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { type Caller, RoleSchema } from "../../domain/accounts/api-key.ts";
import { isoOrNull } from "../../domain/iso-time.ts";
import { LANGUAGES } from "../../domain/pages/reader-locale.ts";
import { SESSION_LENGTH } from "../../domain/people/person.ts";
import { AssertionJson } from "../../domain/people/webauthn/ceremony.ts";
import { Timestamp } from "../../domain/schemas/format.ts";
import { closed, described, named, nullable, oneOf } from "../../domain/schemas/schema.ts";
import { parse as parseValue } from "../../domain/schemas/validation.ts";
import { AppError, notFound, unauthorized } from "../../errors.ts";
import { createToken, isTokenOfPerson } from "../../store/ids.ts";
import { answering } from "../http/openapi.ts";
import { documented, MAX_BODY, readJsonObject, tooLarge } from "../http/request-body.ts";
import type { Services } from "../http/services.ts";
import { partyOf, passkeyOptionRoutes, signInByPasskey } from "../people/passkey-ceremonies.ts";
import { forgottenPasswordRoutes, signInByPassword } from "../people/sign-in.ts";
import { authenticate, authentication, bodyFor, failedAttempt } from "./authentication.ts";
import {
  assertNotForeign,
  deletedSessionCookie,
  isSecure,
  renewedSessionCookie,
  sessionCookie,
  sessionToken,
} from "./session-cookie.ts";
import { signInHelpRoutes } from "./sign-in-help.ts";

const tag = "Session";

const WithKey = Type.Object(
  {
    key: Type.String({ description: "An API key." }),
    keep: Type.Optional(
      Type.Boolean({ description: "Whether the session lasts 30 days. Default: it lasts 12 hours." }),
    ),
  },
  closed,
);

const WithPassword = Type.Object(
  {
    email: Type.String({ maxLength: 254 }),
    password: Type.String({ maxLength: 4096 }),
    organizationId: Type.Optional(
      Type.String({ description: "For somebody who is in several organizations: which one." }),
    ),
  },
  closed,
);

const WithPasskey = Type.Object(
  { passkey: AssertionJson, organizationId: WithPassword.properties.organizationId },
  closed,
);

const SignIn = Type.Union([WithKey, WithPassword, WithPasskey], {
  examples: [{ key: "stillup_8Gq2ZxT1oPdWn5Kc0vRbYhLmEaUiJsFt3X7Q9wDzG4N6B" }],
});

type SignIn = Static<typeof SignIn>;

const example = { keyId: "5Y8kqvJfZk1q0TDgYxQ2Wd", role: "admin", expiresAt: "2026-11-21T21:30:00.000Z" };
export const SessionBody = Type.Object(
  {
    keyId: Type.Optional(Type.String({ description: "Absent for a person." })),
    personId: Type.Optional(Type.String({ description: "Absent for a key." })),
    role: RoleSchema,
    expiresAt: nullable(Timestamp),
    demo: Type.Optional(
      Type.Literal(true, {
        description: "The server is a demonstration, in which a request without a key is one of an owner.",
      }),
    ),
    discovery: Type.Optional(
      Type.Literal(true, {
        description: "The server looks for what runs, for the organization: see `getDiscovery`.",
      }),
    ),
  },
  named("Session", example),
);

/** Behavior 27.23: the page asks for it at its start. */
const CurrentSessionBody = Type.Object(
  {
    ...SessionBody.properties,
    language: described(
      nullable(oneOf(LANGUAGES)),
      "What the person has chosen. `null` for a key, and if the browser decides.",
    ),
  },
  named("CurrentSession", { ...example, language: null }),
);

const Switch = Type.Object(
  { organizationId: Type.String() },
  { ...closed, examples: [{ organizationId: "LOsFxPoKlO4gylM7AZ1Iu5" }] },
);

const EndedBody = Type.Object({ ended: Type.Boolean() }, closed);

/** Behavior 8.11: the page exchanges the key for a cookie that scripts cannot read. */
export function sessionRoutes(services: Services) {
  return new Elysia({ prefix: "/api/v1/session", normalize: false })
    .use(signInAndOut(services))
    .use(signInHelpRoutes(services))
    .use(passkeyOptionRoutes(services))
    .use(forgottenPasswordRoutes(services))
    .get(
      "/current",
      async ({ request, set }) => ({ data: await currentSession(services, { request, set }) }),
      {
        detail: answering({
          tag,
          operationId: "findSession",
          summary: "Find the session or key of the caller",
          description:
            "As `getSession`, but without a valid session or key `data` is `null`, with the status 200.",
          answer: nullable(CurrentSessionBody),
          example: { ...example, language: null },
          errors: [429],
          open: true,
        }),
      },
    )
    .use(authentication(services))
    .use(switching(services))
    .get("", ({ caller, request, set }) => ({ data: renewed(services, caller, { request, set }) }), {
      detail: answering({
        tag,
        operationId: "getSession",
        summary: "Get the session or key of the caller",
        description:
          "Returns the ID and role of the key, and when the session or key expires: `null` means never.",
        answer: SessionBody,
      }),
    });
}

function signInAndOut(services: Services) {
  const { store, clock, authenticator, baseUrl } = services;
  const demo = demoOf(services);
  return new Elysia({ normalize: false })
    .post(
      "",
      async ({ body, request, set, status }) => {
        if (!("key" in body)) {
          const signedIn =
            "passkey" in body
              ? await signInByPasskey(services, body, request)
              : await signInByPassword(services, body, request);
          if ("organizations" in signedIn) return status(422, signedIn);
          set.headers["set-cookie"] = signedIn.cookie;
          return {
            data: { ...sessionBody(signedIn.caller), ...demo, ...discoveryOf(services, signedIn.caller) },
          };
        }
        const { key, keep: isKept = false } = body;
        const caller = await authenticator.identify(key.trim());
        if (!caller) throw failedAttempt(authenticator, request);
        authenticator.noteUse(caller);
        const token = createToken();
        const now = clock.now();
        const expiresAt = await store.sessions.create({ caller, token, isKept }, now);
        const secure = isSecure(request, baseUrl());
        set.headers["set-cookie"] = sessionCookie(token, { expiresAt, now, secure, baseUrl: baseUrl() });
        const session = { ...sessionBody({ ...caller, expiresAt }), ...demo };
        return { data: { ...session, ...discoveryOf(services, caller) } };
      },
      {
        ...attemptFor({ authenticator, baseUrl }),
        detail: answering({
          tag,
          operationId: "signIn",
          summary: "Exchange an API key for a session",
          description:
            "Sets a cookie that is valid for 12 hours, or 30 days with `keep`, and never longer than the key; for people 30 days. It authenticates requests without an " +
            "`Authorization` header. A write with the cookie must come from a page of this server, according to " +
            "`Sec-Fetch-Site` or `Origin`.",
          answer: SessionBody,
          errors: [401, 403, 404, 413, 422, 429],
          open: true,
        }),
      },
    )
    .delete(
      "",
      async ({ request, set }) => {
        assertNotForeign(request, baseUrl());
        const token = sessionToken(request, baseUrl());
        if (token === undefined) throw unauthorized();
        if (!(await authenticator.identifySession(token))) throw failedAttempt(authenticator, request);
        if (isTokenOfPerson(token)) await store.personSessions.delete(token);
        else await store.sessions.delete(token);
        authenticator.forget();
        set.headers["set-cookie"] = deletedSessionCookie(request, baseUrl());
        return { data: { ended: true } };
      },
      {
        detail: answering({
          tag,
          operationId: "signOut",
          summary: "End the session",
          description: "Deletes the session of the cookie, and the cookie itself.",
          answer: EndedBody,
          example: { ended: true },
          errors: [403],
        }),
      },
    );
}

/** Behavior 19.80: a person who is in several organizations. */
function switching(services: Services) {
  const { store, authenticator, bodies, baseUrl } = services;
  return new Elysia({ normalize: false }).use(authentication({ authenticator, store })).patch(
    "",
    async ({ caller, body: { organizationId }, request }) => {
      const token = sessionToken(request, baseUrl());
      if (caller.actor.type !== "person" || token === undefined) throw notFound();
      await store.personSessions.switchOrganization({ token, personId: caller.actor.id, organizationId });
      authenticator.forget();
      const switched = await authenticator.identifySession(token);
      if (!switched) throw unauthorized();
      return { data: { ...sessionBody(switched), ...discoveryOf(services, switched) } };
    },
    {
      ...bodyFor({ authenticator, bodies }, Switch, { role: "viewer" }),
      detail: answering({
        tag,
        operationId: "switchOrganization",
        summary: "Switch the session to another organization",
        description:
          "For the session of a person. An organization in which the person is not active is a 404, and so is any with a key.",
        answer: SessionBody,
        example: { personId: "5Y8kqvJfZk1q0TDgYxQ2Wd", role: "viewer", expiresAt: example.expiresAt },
        errors: [403, 404, 413, 422],
      }),
    },
  );
}

/** Behavior 9.100: browsers report a 401 in their console, as if something was broken. */
async function currentSession(services: Services, { request, set }: Exchange) {
  try {
    const caller = await authenticate(services.authenticator, request);
    return { ...renewed(services, caller, { request, set }), language: caller.language ?? null };
  } catch (error) {
    if (error instanceof AppError && error.kind === "unauthorized") return null;
    throw error;
  }
}

interface Exchange {
  request: Request;
  set: { headers: Record<string, string | number> };
}

/** Behavior 19.30: a use renews the session of a person, which the page asks for whenever it is opened. Its cookie must last as long. */
function renewed(
  { clock, baseUrl, ...services }: Pick<Services, "clock" | "baseUrl" | "isDemonstration" | "discovery">,
  caller: Caller,
  { request, set }: Exchange,
) {
  const server = { ...demoOf(services), ...discoveryOf(services, caller) };
  if (caller.actor.type === "key") return { ...sessionBody(caller), ...server };
  const now = clock.now();
  const expiresAt = now + SESSION_LENGTH;
  const cookie = renewedSessionCookie(request, { expiresAt, now, baseUrl: baseUrl() });
  if (cookie) set.headers["set-cookie"] = cookie;
  return { ...sessionBody({ ...caller, expiresAt }), ...server };
}

/** Behavior 24.21. */
function demoOf({ isDemonstration }: Pick<Services, "isDemonstration">) {
  return isDemonstration ? { demo: true as const } : {};
}

/** Behavior 28.101. */
function discoveryOf({ discovery }: Pick<Services, "discovery">, { organizationId }: Caller) {
  return discovery?.isOf(organizationId) ? { discovery: true as const } : {};
}

type Attempt = Pick<Services, "authenticator" | "baseUrl">;

/**
 * The options of the route that signs in: a `parse` hook that reads and validates the body. A page of another site must
 * not sign in its visitors here. An invalid body counts as a failed attempt (behavior 8.15).
 */
function attemptFor({ authenticator, baseUrl }: Attempt) {
  const parse = async ({ request }: { request: Request }): Promise<SignIn> => {
    assertNotForeign(request, baseUrl());
    try {
      const body = await readJsonObject(request, { largest: MAX_BODY.credential, largestOf }).catch(asOfKey);
      if ("passkey" in body) {
        partyOf({ baseUrl });
        return parseValue(WithPasskey, body, "");
      }
      return parseValue("email" in body || "password" in body ? WithPassword : WithKey, body, "");
    } catch (error) {
      const limited = failedAttempt(authenticator, request);
      throw limited.kind === "too_many" ? limited : error;
    }
  };
  return { parse: [parse, "json" as const], body: documented(SignIn) };
}

/** A key needs less than a password or a passkey. */
function largestOf(body: object): number {
  return "password" in body || "passkey" in body ? MAX_BODY.credential : MAX_BODY.public;
}

/** A body that was not read has no password that is seen. */
function asOfKey(error: unknown): never {
  throw error instanceof AppError && error.kind === "too_large" ? tooLarge(MAX_BODY.public) : error;
}

export function sessionBody({ actor, role, expiresAt }: Caller) {
  const id = actor.type === "key" ? { keyId: actor.id } : { personId: actor.id };
  return { ...id, role, expiresAt: isoOrNull(expiresAt) };
}
