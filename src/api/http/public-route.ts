import type { PublicPage } from "../../domain/pages/public-page.ts";
import { notFound } from "../../errors.ts";

/** The pages that everybody may read, and the hosts of the settings that show one of them. */
export interface PublicPageReader {
  /** The identical object while nothing on it changed. Null without a public page of this slug. */
  find(slug: string): Promise<PublicPage | null>;
  /** @param host the value of a header `Host` @returns the slug of the page that this host shows at its root */
  slugOfHost(host: string | null): string | undefined;
}

/** What a public route gets of its context; `slug` is not in a path of a page's host. */
export interface PublicRequest {
  request: Request;
  params: { slug?: string };
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
  const slug = params.slug ?? pages.slugOfHost(request.headers.get("host"));
  const page = slug === undefined ? null : await pages.find(slug);
  if (page === null) throw notFound();
  return page;
}
