import type { PublicPage } from "../../domain/pages/public-page.ts";
import { type Language, readerOf } from "../../domain/pages/reader-locale.ts";
import { AppError, notFound } from "../../errors.ts";
import { type LockedPage, PASS_LENGTH } from "../../runner/pages/public-pages.ts";
import { type UnlockFault, unlockPage } from "../../status-page/html/unlock.ts";
import { localizationOf } from "../../status-page/localization.ts";
import type { Services } from "../http/services.ts";
import {
  cacheByPage,
  type FoundBody,
  htmlBody,
  type PublicBody,
  type PublicContext,
  publicAnswer,
  publicBody,
  readerFor,
  varyBy,
} from "./page-cache.ts";

/** The pages that everybody may read, and where they are. */
export type PublicPageReader = Services["publicPages"];

/** The part of the context that a public route uses; `params` is undefined at a path without parameters. */
export interface PublicRequest {
  request: Request;
  params: { slug?: string; id?: string; month?: string } | undefined;
}

/** Both paths of a public route: below the slug, and at the root of the page's host. @param path empty for the page */
export function publicPaths(path: string): [belowSlug: string, atHost: string] {
  return [`/status/:slug${path}`, path === "" ? "/" : path];
}

/** The paths at the host of a page, and the beginnings of others: all `publicPaths`, and `/healthz` for its proxy. */
const AT_HOST = new Set([
  "/",
  "/icon",
  "/logo",
  "/robots.txt",
  "/feed.atom",
  "/maintenance.ics",
  "/badge.svg",
  "/badge.json",
  "/subscriptions",
  "/unlock",
  "/healthz",
]);
const BELOW_HOST = ["/incidents/", "/history/", "/components/", "/subscriptions/", "/api/v2/"];

/**
 * A host of a page has nothing but that page (behavior 15.103): neither the dashboard, the API and check-ins, nor other pages.
 *
 * @throws AppError `not_found`
 */
export function assertServedAtHost({ slugAtHost }: PublicPageReader, request: Request): void {
  const slug = slugAtHost(request);
  if (slug === undefined) return;
  const { pathname } = new URL(request.url);
  const own = `/status/${slug}`;
  const isServed =
    AT_HOST.has(pathname) ||
    BELOW_HOST.some((beginning) => pathname.startsWith(beginning)) ||
    pathname === own ||
    pathname.startsWith(`${own}/`);
  if (!isServed) throw notFound();
}

/** The slug in the path of a request, or the slug of the page at its host; undefined at another host. */
export function slugOf(
  { slugAtHost }: PublicPageReader,
  { request, params }: PublicRequest,
): string | undefined {
  return params?.slug ?? slugAtHost(request);
}

/** The page that a request is for; null if there is no such public page. */
export async function findPublicPage(
  pages: PublicPageReader,
  request: PublicRequest,
): Promise<PublicPage | null> {
  const slug = slugOf(pages, request);
  return slug === undefined ? null : pages.find(slug);
}

/**
 * Answers a request that is for a page: all that shows something of one does it by this function or asks `refusalOf`, so that
 * nothing is shown without the password (behavior 21.34).
 *
 * @param context `params` is undefined at a path without parameters @param bodyOf what a reader sees @param otherwise without a page
 */
export async function answerForPage(
  services: GateServices,
  { request, params, set }: PublicContext & PublicRequest,
  { bodyOf, otherwise }: { bodyOf: (page: PublicPage) => FoundBody; otherwise: () => PublicBody },
): Promise<Uint8Array | undefined> {
  const page = await findPublicPage(services.publicPages, { request, params });
  if (!page) return publicAnswer({ request, set }, otherwise());
  const isPrivate = page.passwordHash !== null;
  const refusal = isPrivate ? await refusalOf(services, page, request) : undefined;
  if (refusal) return refuse(services, { page, refusal }, { request, params, set });
  return publicAnswer({ request, set }, (await bodyOf(page)) ?? otherwise(), { isPrivate });
}

/**
 * A handler that answers with a body that is created from the page. Scripts of other hosts may read errors too.
 *
 * @param bodyOf null for a 404
 */
export function answerFromPage(
  services: GateServices,
  bodyOf: (page: PublicPage, context: PublicContext & PublicRequest) => FoundBody,
) {
  // Elysia reads the names of the properties that a handler uses, and prepares only these.
  return async ({ request, params, set }: PublicContext & PublicRequest): Promise<Uint8Array | undefined> => {
    set.headers["access-control-allow-origin"] = "*";
    return answerForPage(
      services,
      { request, params, set },
      {
        bodyOf: (page) => bodyOf(page, { request, params, set }),
        otherwise() {
          throw notFound();
        },
      },
    );
  };
}

/** The services that decide who may read a page. */
export type GateServices = Pick<Services, "publicPages" | "pageLock" | "addressOf">;

type Fault = "missing" | UnlockFault;

const ANSWERS: Record<Fault, { status: number; error: string }> = {
  missing: { status: 401, error: "Unauthorized: the page needs its password" },
  wrong: { status: 401, error: "Unauthorized: the password is wrong" },
  limited: { status: 429, error: "Too many wrong passwords: try again later" },
};

/** Why a page is not shown. @property retryAfter seconds */
interface Refusal {
  fault: Fault;
  retryAfter?: number | undefined;
}

/**
 * Why a reader may not see a page (behavior 21.34, 21.35): a valid cookie opens it, or the password by Basic authentication.
 *
 * @returns undefined if they may
 */
export async function refusalOf(
  services: GateServices,
  page: PublicPage,
  request: Request,
): Promise<Refusal | undefined> {
  const locked = lockedPage(page);
  if (!locked) return undefined;
  if (passesOf(request).some((pass) => services.pageLock.accepts(locked, pass))) return undefined;
  const password = basicPassword(request.headers.get("authorization"));
  return password === undefined
    ? { fault: "missing" }
    : judgePassword(services, locked, { password, request });
}

/** @returns null for a page without a password */
export function lockedPage({ id, passwordHash }: PublicPage): LockedPage | null {
  return passwordHash === null ? null : { id, passwordHash };
}

/** @returns undefined if the password is right */
export async function judgePassword(
  { pageLock, addressOf }: GateServices,
  page: LockedPage,
  { password, request }: { password: string; request: Request },
): Promise<Refusal | undefined> {
  try {
    const isRight = await pageLock.judge(page, { password, address: addressOf(request) });
    return isRight ? undefined : { fault: "wrong" };
  } catch (error) {
    if (!(error instanceof AppError) || error.kind !== "too_many") throw error;
    return { fault: "limited", retryAfter: error.retryAfter };
  }
}

/**
 * Answers a reader who may not see a page: a browser gets the form, another client what it has to send. Nobody keeps the answer,
 * and it has no `ETag`: see `publicBody`.
 */
export async function refuse(
  services: GateServices,
  { page, refusal: { fault, retryAfter } }: { page: PublicPage; refusal: Refusal },
  { request, params, set }: PublicContext & PublicRequest,
): Promise<Uint8Array | undefined> {
  const base = baseOf(services, page, { params });
  const body = asksForHtml(request)
    ? formOf(page, `${fault} ${readerFor(page, request).language} ${base}`)
    : errorOf(page, fault);
  const bytes = await publicAnswer({ request, set }, body, { isPrivate: true });
  if (retryAfter !== undefined) set.headers["retry-after"] = String(retryAfter);
  return bytes;
}

/** Kept, because strangers can ask for it as often as they like. */
const formOf = cacheByPage((page, key: `${Fault} ${Language} ${string}`) => {
  const [fault, language, base] = key.split(" ") as [Fault, Language, string];
  const local = localizationOf(readerOf(language, null), "UTC");
  const document = unlockPage(local, { title: page.title, base }, fault === "missing" ? undefined : fault);
  return htmlBody(document, { language: page.language, status: ANSWERS[fault].status });
});

const errorOf = cacheByPage((page, fault: Fault) => {
  const { status, error } = ANSWERS[fault];
  const challenge = { "www-authenticate": 'Basic realm="status page", charset="UTF-8"' };
  const headers = { ...varyBy(page.language), ...(status === 401 && challenge) };
  return publicBody({
    type: "application/json; charset=utf-8",
    text: JSON.stringify({ error }),
    status,
    headers,
  });
});

/** The path before the routes of a page, as the request has it. */
export function baseOf(
  { publicPages }: GateServices,
  { slug }: PublicPage,
  { params }: Pick<PublicRequest, "params">,
): string {
  return params?.slug === undefined ? "" : publicPages.pathOf(slug);
}

/** Whether a browser sent it, or a client that says that it shows documents. */
export function asksForHtml({ headers }: Request): boolean {
  return /\btext\/html\b/i.test(headers.get("accept") ?? "");
}

/** @returns undefined without a password by Basic authentication */
function basicPassword(authorization: string | null): string | undefined {
  const [, encoded] = /^basic[ ]+([\w+/=-]+)[ ]*$/i.exec(authorization ?? "") ?? [];
  if (encoded === undefined) return undefined;
  const credentials = Buffer.from(encoded, "base64").toString();
  const colon = credentials.indexOf(":");
  return colon < 0 ? undefined : credentials.slice(colon + 1);
}

const NAME = "stillup_page";

/** The other cookies are not parsed: a header can have thousands. */
const PASSES = new RegExp(`(?:^|;)[ \\t]*${NAME}=([^;]*)`, "g");

/** There are two cookies if the page got this host after the first cookie was set: for its path, and for `/`. */
const MOST = 4;

/** The passes in the cookies of a request. */
function passesOf({ headers }: Request): string[] {
  const cookies = headers.get("cookie");
  if (cookies === null) return [];
  return [...cookies.matchAll(PASSES).take(MOST)].map(([, pass = ""]) => pass.trim());
}

/** The `Set-Cookie` header for a page (behavior 21.36). @param path of the page */
export function passCookie(pass: string, { path, secure }: { path: string; secure: boolean }): string {
  const maxAge = PASS_LENGTH / 1000;
  return new Bun.Cookie(NAME, pass, { path, secure, maxAge, httpOnly: true, sameSite: "lax" }).toString();
}
