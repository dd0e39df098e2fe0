import type { PublicPage } from "../../domain/pages/public-page.ts";
import { notFound } from "../../errors.ts";
import { type PublicBody, type PublicContext, publicAnswer } from "./public-answer.ts";

/** The pages that everybody may read, and the hosts of the settings that show one of them. */
export interface PublicPageReader {
  /** The identical object while nothing on it changed. Null without a public page of this slug. */
  find(slug: string): Promise<PublicPage | null>;
  /** @param host the value of a header `Host` @returns the slug of the page that this host shows at its root */
  slugOfHost(host: string | null): string | undefined;
  /** Where users read a page: at its host, if it has one. Without a trailing slash. */
  urlOf(slug: string): string;
}

/** What a public route gets of its context; `params` is undefined at a path without parameters. */
export interface PublicRequest {
  request: Request;
  params: { slug?: string; id?: string } | undefined;
}

/** Both paths of a public route: below the slug, and at the root of the page's host. @param path empty for the page */
export function publicPaths(path: string): [belowSlug: string, atHost: string] {
  return [`/status/:slug${path}`, path === "" ? "/" : path];
}

/** @throws AppError `not_found` if there is no such public page */
export async function findPublicPage(
  pages: PublicPageReader,
  { request, params }: PublicRequest,
): Promise<PublicPage> {
  const slug = params?.slug ?? pages.slugOfHost(request.headers.get("host"));
  const page = slug === undefined ? null : await pages.find(slug);
  if (page === null) throw notFound();
  return page;
}

/**
 * A handler that answers with a body that is created from the page. Scripts of other hosts may read errors too.
 *
 * @param bodyOf null for a 404
 */
export function answerFromPage(
  pages: PublicPageReader,
  bodyOf: (
    page: PublicPage,
    context: PublicContext & PublicRequest,
  ) => PublicBody | null | Promise<PublicBody | null>,
) {
  // Elysia reads the names of the properties that a handler uses, and prepares only these.
  return async ({ request, params, set }: PublicContext & PublicRequest): Promise<Uint8Array | undefined> => {
    set.headers["access-control-allow-origin"] = "*";
    const page = await findPublicPage(pages, { request, params });
    const body = await bodyOf(page, { request, params, set });
    if (body === null) throw notFound();
    return publicAnswer({ request, set }, body);
  };
}
