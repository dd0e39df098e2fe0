import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import type { Caller } from "../../domain/accounts/api-key.ts";
import { RoleSchema } from "../../domain/accounts/role-schema.ts";
import { closed, nullable } from "../../domain/schemas/schema.ts";
import { AppError } from "../../errors.ts";
import { createToken } from "../../store/ids.ts";
import { isoOrNull, Timestamp } from "../bodies/time.ts";
import { dataOf, operation } from "../http/openapi.ts";
import { readJsonObject } from "../http/request-body.ts";
import type { Services } from "../http/services.ts";
import { authentication, failedAttempt, unauthorized } from "./authentication.ts";
import { isSecure, noSessionCookie, sessionCookie, sessionToken, sourceOfRequest } from "./session-cookie.ts";

const tag = "Session";

const SignIn = Type.Object(
  { key: Type.String({ description: "An API key." }) },
  { ...closed, examples: [{ key: "stillup_8Gq2ZxT1oPdWn5Kc0vRbYhLmEaUiJsFt3X7Q9wDzG4N6B" }] },
);

const SessionBody = Type.Object(
  {
    keyId: Type.String(),
    role: RoleSchema,
    expiresAt: nullable(Timestamp),
  },
  closed,
);

const EndedBody = Type.Object({ ended: Type.Boolean() }, closed);

const example = { keyId: "5Y8kqvJfZk1q0TDgYxQ2Wd", role: "admin", expiresAt: "2026-11-21T21:30:00.000Z" };

/** How the page signs in: an extension of the interface. The key is exchanged for a cookie that no script can read. */
export function sessionRoutes(services: Services) {
  return new Elysia({ prefix: "/api/v1/session", normalize: false })
    .use(signing(services))
    .use(authentication(services.callers))
    .get("", ({ caller }) => ({ data: sessionBody(caller) }), {
      detail: operation({
        tag,
        operationId: "getSession",
        summary: "Tell who calls, by session or by key",
        answer: dataOf(SessionBody),
        example: { data: example },
      }),
    });
}

function signing({ store, callers, baseUrl }: Services) {
  return new Elysia({ normalize: false })
    .post(
      "",
      async ({ body: { key }, request, set }) => {
        const caller = await callers.identify(key.trim());
        if (!caller) throw failedAttempt(callers, request);
        callers.noteUse(caller);
        const token = createToken();
        const expiresAt = await store.sessions.create({ caller, token }, Date.now());
        set.headers["set-cookie"] = sessionCookie(token, { expiresAt, secure: isSecure(request, baseUrl()) });
        return { data: sessionBody({ ...caller, expiresAt }) };
      },
      {
        parse: [ownPage(baseUrl), "json" as const],
        body: SignIn,
        detail: operation({
          tag,
          operationId: "signIn",
          summary: "Exchange an API key for a session",
          description:
            "The cookie lasts 12 hours, and no longer than the key. It stands in for the key where there is no " +
            "`Authorization`; a write by it must come from a page of this server, told by `Sec-Fetch-Site` or `Origin`.",
          answer: dataOf(SessionBody),
          example: { data: example },
          errors: [403, 413, 422],
        }),
      },
    )
    .delete(
      "",
      async ({ request, set }) => {
        assertNotForeign(request, baseUrl());
        const token = sessionToken(request);
        if (token === undefined) throw unauthorized();
        if (!(await callers.identifySession(token))) throw failedAttempt(callers, request);
        await store.sessions.delete(token);
        callers.forget();
        set.headers["set-cookie"] = noSessionCookie(request);
        return { data: { ended: true } };
      },
      {
        detail: operation({
          tag,
          operationId: "signOut",
          summary: "End the session of the cookie",
          answer: dataOf(EndedBody),
          example: { data: { ended: true } },
          errors: [403],
        }),
      },
    );
}

/** A `parse` hook: another's page must not sign its visitors in. */
function ownPage(baseUrl: () => string) {
  return ({ request }: { request: Request }): Promise<object> => {
    assertNotForeign(request, baseUrl());
    return readJsonObject(request);
  };
}

function assertNotForeign(request: Request, baseUrl: string): void {
  if (sourceOfRequest(request, baseUrl) === "foreign") throw new AppError("forbidden", "Forbidden");
}

function sessionBody({ keyId, role, expiresAt }: Caller) {
  return { keyId, role, expiresAt: isoOrNull(expiresAt) };
}
