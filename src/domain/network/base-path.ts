/**
 * The path of a base URL: before each path of this server at which a browser or a program reaches it; empty for most servers.
 *
 * @param baseUrl an HTTP URL without a query and a fragment
 */
export function basePathOf(baseUrl: string): string {
  // Not `URL`, because each request with a session asks. No host begins before the eighth character.
  const start = baseUrl.indexOf("/", 8);
  return start < 0 ? "" : baseUrl.slice(start).replace(/\/+$/, "");
}

/** The part of a request that a proxy may have changed. */
interface Addressed {
  readonly url: string;
}

/**
 * Gives requests the paths of the routes (behavior 26.160): a proxy may remove the path of the base URL or pass it on. A path that means
 * something in both forms means what follows the path of the base URL.
 *
 * @param basePath not empty @param routes the paths of all routes, as patterns such as `/monitors/:id` and `/guide/*`
 * @returns changes the `url` of a request, and returns the same request, which has its connection and its body
 */
export function createLocator(basePath: string, routes: readonly string[]) {
  const patterns = [...new Set(routes)].map((route) =>
    route.replace(/[.+]/g, "\\$&").replace(/:\w+/g, "[^/]+").replace(/\*/g, ".*"),
  );
  const known = new RegExp(`^(?:${patterns.join("|")})$`);

  function placeOf(path: string): string {
    const isBelow = path === basePath || path.startsWith(`${basePath}/`);
    if (!isBelow) return path;
    const rest = path.slice(basePath.length) || "/";
    return !known.test(rest) && known.test(path) ? path : rest;
  }

  return <R extends Addressed>(request: R): R => {
    // Without a valid `Host`, there is only the path.
    const [, origin = "", path = "/", query = ""] =
      /^([a-z]+:\/\/[^/?]*)?([^?]*)(.*)$/is.exec(request.url) ?? [];
    const place = placeOf(path);
    if (place !== path || origin === "")
      Object.defineProperty(request, "url", { value: `${origin || "http://localhost"}${place}${query}` });
    return request;
  };
}
