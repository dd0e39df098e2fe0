import { Elysia } from "elysia";
import { basePathOf } from "../../domain/network/base-path.ts";
import { AppError, notFound } from "../../errors.ts";
import type { Oidc } from "../../runner/people/oidc/oidc.ts";
import { attemptCookie, attemptToken, deletedAttemptCookie } from "../auth/attempt-cookie.ts";
import { authenticate } from "../auth/authentication.ts";
import { assertNotForeign, isSecure } from "../auth/session-cookie.ts";
import type { Services } from "../http/services.ts";
import { personOf } from "./me.ts";
import { beginSession } from "./sign-in.ts";

/** Where a sign-in by the provider begins, below the base URL. */
const PATH = "/sign-in/oidc";

/** Whether a path is one of these routes. */
export function isOidcPath(path: string): boolean {
  return path === PATH || path.startsWith(`${PATH}/`);
}

/** The URL at which a sign-in by the provider begins: only there does the cookie of the attempt come back. */
export function oidcUrl(baseUrl: string): string {
  return new URL(`${basePathOf(baseUrl)}${PATH}`, baseUrl).href;
}

/** Behavior 19.61 to 19.64: the browser goes to the provider and comes back. These routes are no part of the API. */
export function oidcRoutes(services: Services): Elysia {
  const hidden = { detail: { hide: true } };
  return new Elysia({ normalize: false })
    .get(PATH, ({ request }) => begin(services, request), hidden)
    .get(`${PATH}/callback`, ({ request }) => finish(services, request), hidden) as unknown as Elysia;
}

async function begin(services: Services, request: Request): Promise<Response> {
  const oidc = oidcOf(services);
  const isLink = new URL(request.url).searchParams.get("link") === "1";
  const sessionId = isLink ? await sessionToLink(services, request) : null;
  const { path, root, secure } = placeOf(services, request);
  const redirectUri = new URL(`${root}${PATH}/callback`, services.baseUrl()).href;
  const { url, browser } = await oidc.begin({ redirectUri, sessionId, address: services.addressOf(request) });
  return redirection(url, [attemptCookie(browser, { path, secure })]);
}

async function finish(services: Services, request: Request): Promise<Response> {
  const oidc = oidcOf(services);
  const { path, root, secure } = placeOf(services, request);
  const used = deletedAttemptCookie({ path, secure });
  try {
    const found = await oidc.finish({
      callback: new URL(`${root}${PATH}/callback${new URL(request.url).search}`, services.baseUrl()),
      browser: attemptToken(request, { secure }),
      address: services.addressOf(request),
    });
    if (!found) return redirection(`${root}/?sign-in=linked`, [used]);
    const { cookie } = await beginSession(services, { ...found, method: "oidc" }, request);
    return redirection(`${root}/`, [cookie, used]);
  } catch (error) {
    // Why it failed is in the log, and not for whoever sent the request.
    const isRefusal = error instanceof AppError && ["forbidden", "unauthorized"].includes(error.kind);
    if (!isRefusal) throw error;
    return redirection(`${root}/?sign-in=failed`, [used]);
  }
}

/** @throws AppError `not_found` without a provider */
function oidcOf({ oidc }: Services): Oidc {
  if (!oidc) throw notFound();
  return oidc;
}

/** @throws AppError `unauthorized`; `forbidden` for a page of another site; `not_found` with a key; `invalid` if the sign-in is too old */
async function sessionToLink(services: Services, request: Request): Promise<string> {
  const { store, clock, authenticator, baseUrl } = services;
  assertNotForeign(request, baseUrl());
  const { personId, sessionId } = personOf(await authenticate(authenticator, request));
  await store.personSessions.assertFresh({ personId, sessionId }, clock.now());
  return sessionId;
}

/** @property root the path of the base URL, which is empty for most @property path of the cookie */
function placeOf({ baseUrl }: Services, request: Request): { root: string; path: string; secure: boolean } {
  const root = basePathOf(baseUrl());
  return { root, path: `${root}${PATH}`, secure: isSecure(request, baseUrl()) };
}

function redirection(location: string, cookies: readonly string[]): Response {
  const headers = new Headers({ location });
  for (const cookie of cookies) headers.append("set-cookie", cookie);
  return new Response(null, { status: 303, headers });
}
