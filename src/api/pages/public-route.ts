import type { PublicPage } from "../../domain/pages/public-page.ts";
import { notFound } from "../../errors.ts";
import type { Services } from "../http/services.ts";
import type { FoundBody } from "./page-cache.ts";
import { type GateServices, refusalOf, refuse } from "./page-gate.ts";
import { type PublicBody, type PublicContext, publicAnswer } from "./public-answer.ts";

/** The pages that everybody may read, and where they are. */
export type PublicPageReader = Services["publicPages"];

/** The part of the context that a public route uses; `params` is undefined at a path without parameters. */
export interface PublicRequest {
  request: Request;
  params: { slug?: string; id?: string } | undefined;
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
  "/badge.svg",
  "/badge.json",
  "/subscriptions",
  "/unlock",
  "/healthz",
]);
const BELOW_HOST = ["/incidents/", "/components/", "/subscriptions/", "/api/v2/"];

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
  if (refusal) return refuse({ page, refusal }, { request, params, set });
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
