export interface PagedApi extends AsyncDisposable {
  url: string;
  /** The paths that were asked for, with their pages. */
  paths: string[];
}

interface Options {
  token: string;
  /** The pages of each list, by path. */
  lists: Record<string, unknown[][]>;
  /** The body of a page. @param urlOf the URL of another page of the list */
  body(page: { entries: unknown[]; number: number; last: number; urlOf(number: number): string }): unknown;
}

/** A server that answers with lists in pages, to those who send its token. */
export function startPagedApi({ token, lists, body }: Options): PagedApi {
  const paths: string[] = [];
  const server = Bun.serve({
    ...{ hostname: "127.0.0.1", port: 0 },
    fetch({ url, headers }) {
      const { pathname, search, searchParams, origin } = new URL(url);
      paths.push(pathname + search);
      if (headers.get("authorization") !== `Bearer ${token}`) return new Response(null, { status: 401 });
      const pages = lists[pathname];
      const number = Number(searchParams.get("page") ?? 1);
      const entries = pages?.[number - 1];
      if (!pages || !entries) return new Response(null, { status: 404 });
      const urlOf = (other: number) => `${origin}${pathname}?page=${other}`;
      return Response.json(body({ entries, number, last: pages.length, urlOf }));
    },
  });
  return {
    ...{ url: `http://127.0.0.1:${server.port}`, paths },
    [Symbol.asyncDispose]: () => server.stop(true),
  };
}
