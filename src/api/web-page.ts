import { Elysia } from "elysia";
import { firstQuery } from "../domain/overview/overview-query.ts";
import { notFound } from "../errors.ts";
import { sessionToken } from "./auth/session-cookie.ts";
import { queryOf } from "./http/query.ts";
import type { Services } from "./http/services.ts";
import { statusPage } from "./pages/status-page.ts";

/** The paths of the page. The router in the browser decides what each one shows. */
const PATHS = [
  "/",
  "/monitors/new",
  "/monitors/:id",
  "/monitors/:id/edit",
  "/outages",
  "/outages/:id",
  "/events",
  "/channels",
  "/channels/new",
  "/channels/:id",
  "/locations",
  "/maintenances",
  "/maintenances/new",
  "/maintenances/:id/edit",
  "/pages",
  "/pages/new",
  "/pages/:id",
  "/pages/:id/incidents",
  "/pages/:id/incidents/new",
  "/pages/:id/incidents/:incidentId",
  "/pages/:id/incidents/:incidentId/edit",
  "/reports",
  "/keys",
  "/settings",
  "/settings/audit",
];

/**
 * Everything comes from this server, and no inline script runs, so that names chosen by users and targets stay text
 * (behavior 8.20).
 */
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

const IMMUTABLE = "public, max-age=31536000, immutable";

/** The web page and its files. */
export function webPageRoutes(services: Services) {
  const { page, publicPages } = services;
  const showStatusPage = statusPage(services);
  const send = async (path: string, request: Request, extra: Record<string, string>): Promise<Response> => {
    const file = await page.find(path, request.headers.get("accept-encoding") ?? "");
    if (!file) throw notFound();
    return new Response(new Uint8Array(file.body), {
      headers: {
        ...headers,
        ...extra,
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
      async ({ request, set }) => {
        const slug = path === "/" ? publicPages.slugAtHost(request) : undefined;
        if (slug !== undefined) return showStatusPage({ request, set, params: undefined });
        const link = [...(await page.preloads()), ...preloads(path, request)].join(", ");
        return send("/", request, { "cache-control": "no-cache", link });
      },
      hidden,
    );
  }
  return routes.get(
    "/assets/:name",
    ({ params: { name }, request }) => send(`/assets/${name}`, request, { "cache-control": IMMUTABLE }),
    hidden,
  );
}

/** Preload links for the first requests of the script, so that the browser sends them in parallel with the script. */
function preloads(path: string, request: Request): string[] {
  const paths = ["/api/v1/session"];
  if (path === "/" && sessionToken(request))
    paths.push(`/api/v1/overview?${new URLSearchParams(firstQuery(queryOf(request)))}`);
  return paths.map((path) => `<${path}>; rel=preload; as=fetch; crossorigin`);
}
