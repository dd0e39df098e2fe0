import { Elysia } from "elysia";
import { firstQuery } from "../../domain/monitors/overview-query.ts";
import { notFound } from "../../errors.ts";
import { sessionToken } from "../auth/session-cookie.ts";
import { queryOf } from "../http/query.ts";
import type { Services } from "../http/services.ts";

/** The addresses of the page; which of them is shown is decided in the browser. */
const PATHS = [
  "/",
  "/monitors/new",
  "/monitors/:id",
  "/monitors/:id/edit",
  "/events",
  "/channels",
  "/channels/new",
  "/channels/:id",
  "/keys",
  "/settings",
];

/** Only from this server, and no script but its files: names that users and targets choose stay text whatever happens. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
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

const FOR_EVER = "public, max-age=31536000, immutable";

/** The web page and its files. */
export function pageRoutes({ page }: Services) {
  const send = async (path: string, request: Request, own: Record<string, string>): Promise<Response> => {
    const file = await page.find(path, request.headers.get("accept-encoding") ?? "");
    if (!file) throw notFound();
    return new Response(new Uint8Array(file.body), {
      headers: {
        ...headers,
        ...own,
        "content-type": file.type,
        ...(file.encoding && { "content-encoding": file.encoding }),
      },
    });
  };
  const hidden = { detail: { hide: true } };
  const routes = new Elysia();
  for (const path of PATHS) {
    routes.get(
      path,
      async ({ request }) => {
        const link = [...(await page.preloads()), ...preloads(path, request)].join(", ");
        return send("/", request, { "cache-control": "no-cache", link });
      },
      hidden,
    );
  }
  return routes.get(
    "/assets/:name",
    ({ params: { name }, request }) => send(`/assets/${name}`, request, { "cache-control": FOR_EVER }),
    hidden,
  );
}

/** What the script will ask for first, so that the browser asks for it beside the script. */
function preloads(path: string, request: Request): string[] {
  const paths = ["/api/v1/session"];
  if (path === "/" && sessionToken(request))
    paths.push(`/api/v1/overview?${new URLSearchParams(firstQuery(queryOf(request)))}`);
  return paths.map((path) => `<${path}>; rel=preload; as=fetch; crossorigin`);
}
