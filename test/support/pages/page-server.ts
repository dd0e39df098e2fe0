import { Elysia } from "elysia";
import { answerError } from "../../../src/api/http/errors.ts";
import { securityHeaders } from "../../../src/api/http/server.ts";
import { pageFormatRoutes } from "../../../src/api/pages/page-formats.ts";
import type { PublicPageReader } from "../../../src/api/pages/public-route.ts";
import { statusPageRoutes } from "../../../src/api/pages/status-page.ts";
import type { PublicPage } from "../../../src/domain/pages/public-page.ts";
import { createLogger } from "../../../src/log.ts";
import type { PageLock } from "../../../src/runner/pages/public-pages.ts";
import { EXAMPLE_NOW } from "./example-events.ts";

/** Given pages in all formats, at the same paths as in the product. */
export interface PageServer extends Disposable {
  /** Without a trailing slash. */
  url: string;
}

/**
 * @param hosts for a host that shows a page at its root, the slug of that page
 * @param delivery with SMTP, pages have the form of subscriptions
 */
export function servePages(
  pages: PublicPage[],
  hosts: Record<string, string> = {},
  delivery: Parameters<typeof statusPageRoutes>[0]["delivery"] = {},
): PageServer {
  const app = new Elysia({ normalize: false });
  const log = createLogger({ level: "silent" });
  const publicPages: PublicPageReader = {
    find: async (slug) => pages.find((page) => page.slug === slug) ?? null,
    findMonth: async ({ incidents, maintenances }) => ({
      incidents,
      maintenances: maintenances.filter(({ state }) => state === "ended"),
    }),
    slugAtHost: ({ headers }) => hosts[headers.get("host") ?? ""],
    urlOf: (slug) => `${url()}/status/${slug}`,
    pathOf: (slug) => `/status/${slug}`,
    rootOf: () => "",
  };
  const gate = { publicPages, pageLock: NO_LOCK, addressOf: () => "127.0.0.1" };
  app
    .headers(securityHeaders(undefined))
    .onError(({ error, set }) => {
      const { status, body } = answerError(error, log);
      set.status = status;
      return body;
    })
    .use(statusPageRoutes({ ...gate, clock: { now: () => EXAMPLE_NOW }, delivery }))
    .use(pageFormatRoutes(gate))
    .listen({ hostname: "127.0.0.1", port: 0 });
  const url = () => `http://127.0.0.1:${app.server?.port}`;
  return { url: url(), [Symbol.dispose]: () => void app.stop(true) };
}

/** For pages without a password. */
const NO_LOCK: PageLock = {
  seal: () => Promise.reject(new Error("no page has a password")),
  judge: async () => false,
  issue: () => "",
  accepts: () => false,
};
