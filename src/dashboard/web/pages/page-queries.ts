import { queryOptions } from "@tanstack/react-query";
import { api, getData } from "../data/api.ts";
import { queryKeys } from "../data/query-keys.ts";

export const pagesQuery = queryOptions({
  queryKey: queryKeys.pages,
  queryFn: () => getData(api.pages.get()),
});

export function pageQuery(id: string) {
  return queryOptions({
    queryKey: queryKeys.page(id),
    queryFn: () => getData(api.pages({ id }).get()),
  });
}

/**
 * The URL of a public page, which may have a host of its own. Only the page itself says it.
 *
 * @param slug of a page that is public
 */
export function pageUrlQuery(slug: string) {
  return queryOptions({
    queryKey: queryKeys.pageUrl(slug),
    queryFn: async (): Promise<string> => {
      const response = await fetch(`${pathOf(slug)}/api/v2/status.json`, { credentials: "omit" });
      return (await response.json()).page.url;
    },
    // Another node shows a page that became public within a second.
    retry: 3,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** The way back to all pages. */
export const PAGES = { href: "/pages", to: "public pages" };

/** The path of a public page on this server. */
export function pathOf(slug: string): string {
  return `/status/${encodeURIComponent(slug)}`;
}
