import { Elysia } from "elysia";
import { firstQuery } from "../domain/overview/overview-query.ts";
import { LANGUAGES, type Language, type Reader, readerOf } from "../domain/pages/reader-locale.ts";
import { notFound, StorageFault } from "../errors.ts";
import type { ExpectedPage } from "../runner/change-feed.ts";
import { authenticate } from "./auth/authentication.ts";
import { hasSessionCookie, sessionToken } from "./auth/session-cookie.ts";
import { queryOf } from "./http/errors.ts";
import type { Services } from "./http/services.ts";
import { type PublicContext, publicAnswer } from "./pages/page-cache.ts";
import { missingStatusPage, statusPage } from "./pages/status-page.ts";
import { isOidcPath } from "./people/oidc.ts";
import { missingReport, reportPage } from "./reports/report-mails.ts";

type Page = Services["page"];
type PageReader = Parameters<Page["preloads"]>[0];

/**
 * Everything comes from this server, and no inline script runs, so that names chosen by users and targets stay text
 * (behavior 8.20).
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "manifest-src 'self'",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

const headers = {
  "content-security-policy": POLICY,
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  vary: "accept-encoding",
};

/** A report is a document without script, in the styles of its mail. */
const REPORT_HEADERS = {
  "content-type": "text/html; charset=utf-8",
  "content-security-policy":
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'",
  "cache-control": "private, no-cache",
};

const IMMUTABLE = "public, max-age=31536000, immutable";

/** The web page and its files. */
export function webPageRoutes(services: Services) {
  const { page, publicPages, basePath } = services;
  const showStatusPage = statusPage(services);
  const hidden = { detail: { hide: true } };
  const routes = new Elysia();
  for (const path of page.paths) {
    routes.get(
      path,
      async ({ request, set }) => {
        const slug = path === "/" ? publicPages.slugAtHost(request) : undefined;
        if (slug !== undefined) return showStatusPage({ request, set, params: undefined });
        const own = hasToken(path) ? undefined : await expectPage(services, request);
        return sendPage(services, request, { path, own });
      },
      hidden,
    );
  }
  routes.get(
    "/reports/mails/:id/:first",
    async ({ request, params }) => {
      // Whoever is not signed in gets the page, which asks for that.
      const caller =
        (services.isDemonstration || hasSessionCookie(request)) &&
        (await authenticate(services.authenticator, request).catch(() => null));
      if (!caller) return sendPage(services, request, { path: "/reports" });
      const html = await reportPage(services, { organizationId: caller.organizationId, ...params });
      // Not the page: its script would ask the server for the report again.
      return new Response(html ?? missingReport(basePath), {
        status: html === null ? 404 : 200,
        headers: { ...headers, ...REPORT_HEADERS },
      });
    },
    hidden,
  );
  for (const path of ["/manifest.webmanifest", "/service-worker.js"]) {
    routes.get(
      path,
      ({ request }) => sendFile(page, path, { request, extra: { "cache-control": "no-cache" } }),
      hidden,
    );
  }
  return routes.get(
    "/assets/:name",
    ({ params: { name }, request }) =>
      sendFile(page, `/assets/${name}`, { request, extra: { "cache-control": IMMUTABLE } }),
    hidden,
  );
}

/** For so many milliseconds a page waits for the database at most. */
const PATIENCE = 300;

/**
 * Announces to the stream of changes that somebody who is signed in gets a page, which will soon read. Without the database, the
 * page is sent as well.
 *
 * @returns the language that this person has chosen
 */
async function expectPage(services: Services, request: Request): Promise<Language | undefined> {
  const page = { isSent: false };
  const late = Bun.sleep(PATIENCE).then(() => undefined);
  const own = await Promise.race([announce(services, request, page), late]);
  page.isSent = true;
  return own;
}

async function announce(
  { authenticator, changeFeed }: Services,
  request: Request,
  page: ExpectedPage,
): Promise<Language | undefined> {
  const token = sessionToken(request, authenticator.baseUrl());
  if (token === undefined) return undefined;
  try {
    const caller = await authenticator.identifySession(token);
    if (caller) await changeFeed.expectPage(caller.organizationId, page);
    return caller?.language ?? undefined;
  } catch (error) {
    if (!(error instanceof StorageFault)) throw error;
    return undefined;
  }
}

/** A request that gets an error. */
type FailedRequest = Pick<PublicContext, "request" | "set"> & { status: number };

/**
 * The answer to a browser in place of an error in JSON. In place of a 404 (behavior 9.101), it is the page, whose script says that
 * nothing has this address, or the document for all public pages that do not exist. In place of any error of a sign-in by the
 * provider (behavior 19.96), it is the page.
 *
 * @returns undefined for other clients, for other errors, and below `/api/`
 */
export function createErrorPage(services: Services) {
  return ({
    request,
    set,
    status,
  }: FailedRequest): Promise<Response | Uint8Array | undefined> | undefined => {
    const { method, headers, url } = request;
    if (method !== "GET" || !headers.get("accept")?.includes("text/html")) return undefined;
    const path = URL.parse(url)?.pathname ?? "/";
    if (status !== 404 && !isOidcPath(path)) return undefined;
    if (path.startsWith("/api/")) return undefined;
    const isPublic = /^\/status(\/|$)/.test(path) || services.publicPages.slugAtHost(request) !== undefined;
    if (isPublic) return publicAnswer({ request, set }, missingStatusPage(services.publicPages, request));
    return sendPage(services, request, { path, status });
  };
}

/** @param path of the request @param own language that the person who is signed in has chosen */
async function sendPage(
  { page, basePath }: Services,
  request: Request,
  { path, status = 200, own }: { path: string; status?: number; own?: Language | undefined },
): Promise<Response> {
  const reader = pageReader(request, own);
  const link = [...(await page.preloads(reader)), ...preloads(path, request, basePath)].join(", ");
  return sendFile(page, "/", {
    request,
    reader,
    status,
    extra: {
      "cache-control": status === 200 ? "no-cache" : "no-store",
      vary: "accept-encoding, accept-language, cookie",
      link,
      ...(hasToken(path) && { "x-robots-tag": "noindex" }),
    },
  });
}

interface SentFile {
  request: Request;
  reader?: PageReader;
  status?: number;
  extra: Record<string, string>;
}

async function sendFile(
  page: Page,
  path: string,
  { request, reader = pageReader(request), status = 200, extra }: SentFile,
): Promise<Response> {
  const accepted = request.headers.get("accept-encoding") ?? "";
  const file = await page.find(path, accepted, reader);
  if (!file) throw notFound();
  return new Response(new Uint8Array(file.body), {
    status,
    headers: {
      ...headers,
      ...extra,
      "content-type": file.type,
      ...(file.encoding && { "content-encoding": file.encoding }),
    },
  });
}

function pageReader(request: Request, own?: Language): PageReader {
  const cookie = request.headers.get("cookie");
  const hasSession = hasSessionCookie(request) && !hasToken(URL.parse(request.url)?.pathname ?? "/");
  return { ...readerIn(request.headers, own), theme: themeIn(cookie), hasSession };
}

/** The language that the person has chosen, else the one chosen in this browser, else the one that the browser wants (behavior 27.1). */
function readerIn(headers: Headers, own: Language | undefined): Reader {
  const wanted = readerOf("auto", headers.get("accept-language"));
  const [, chosen] = /(?:^|; )stillup_language=([\w-]+)(?:;|$)/.exec(headers.get("cookie") ?? "") ?? [];
  const language = own ?? LANGUAGES.find((one) => one === chosen);
  return language === undefined || language === wanted.language ? wanted : { language, locale: language };
}

/** Preload links for the first requests of the script, so that the browser sends them in parallel with the script. */
function preloads(path: string, request: Request, basePath: string): string[] {
  if (hasToken(path)) return [];
  const paths = ["/api/v1/session/current"];
  if (path === "/" && hasSessionCookie(request))
    paths.push(`/api/v1/overview?${new URLSearchParams(firstQuery(queryOf(request)))}`);
  return paths.map((path) => `<${basePath}${path}>; rel=preload; as=fetch; crossorigin`);
}

/** The wall and invitations need no session. */
function hasToken(path: string): boolean {
  return path.startsWith("/wall") || path.startsWith("/invite/");
}

/** The theme that the reader has chosen in this browser (behavior 16.374). */
export function themeIn(cookie: string | null): "light" | "dark" | undefined {
  const [, theme] = /(?:^|; )stillup_theme=(light|dark)(?:;|$)/.exec(cookie ?? "") ?? [];
  return theme as "light" | "dark" | undefined;
}
