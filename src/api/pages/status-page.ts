import { Elysia } from "elysia";
import type { PublicPage } from "../../domain/pages/public-page.ts";
import type { PageAddress } from "../../status-page/html/document.ts";
import { notFoundPage, STILLUP_ICON } from "../../status-page/html/document.ts";
import { renderIncidentPage } from "../../status-page/html/incidents.ts";
import { renderPage } from "../../status-page/html/page.ts";
import { queryOf } from "../http/query.ts";
import type { Services } from "../http/services.ts";
import { htmlBody, type PublicContext, publicAnswer, publicBody } from "./public-answer.ts";
import {
  answerFromPage,
  cacheByPage,
  type FoundBody,
  findPublicPage,
  type PublicPageReader,
  type PublicRequest,
  publicPaths,
} from "./public-route.ts";

/** At the root of the page's host, or below its slug: the paths in the document differ. */
type Place = "host" | "slug";

type View = "whole" | "embedded";

interface StatusPageServices {
  publicPages: PublicPageReader;
  pageIcon?: Services["pageIcon"];
  /** Only a server with SMTP shows the form of subscriptions. */
  delivery: Pick<Services["delivery"], "smtp">;
}

/** For search engines, at every host (behavior 17.15). */
const ROBOTS = "User-agent: *\nDisallow: /api/\n";

/** The public page, the pages of its incidents, and its icon (behavior 15.40 to 15.45). */
export function statusPageRoutes(services: StatusPageServices) {
  const { publicPages, pageIcon } = services;
  const hidden = { detail: { hide: true } };
  const show = statusPage(services);
  const incidentOf = cacheByPage((page, key: `${Place} ${string}`) => {
    const [place, id] = key.split(" ") as [Place, string];
    const incident = page.incidents.find((one) => one.id === id);
    return incident === undefined
      ? null
      : htmlBody(renderIncidentPage(page, { ...addressOf(page, { place, publicPages }), incident }), {
          page,
        });
  });
  const showIncident = answerInHtml(services, (page, place, { params }) => {
    const id = params?.id;
    return page.incidents.some((incident) => incident.id === id) ? incidentOf(page, `${place} ${id}`) : null;
  });
  const icon = publicBody(
    pageIcon ? { type: pageIcon.type, text: pageIcon.bytes } : { type: "image/svg+xml", text: STILLUP_ICON },
  );
  const robots = publicBody({ type: "text/plain; charset=utf-8", text: ROBOTS });
  const logoOf = cacheByPage(
    (page, _: "logo") =>
      page.logo && publicBody({ type: page.logo.type, text: page.logo.bytes, headers: LOGO_HEADERS }),
  );
  const showLogo = answerFromPage(publicPages, (page) => logoOf(page, "logo"));
  const routes = new Elysia()
    .get("/status/:slug", show, hidden)
    .get("/robots.txt", async ({ request, set }) => publicAnswer({ request, set }, robots), hidden);
  for (const path of publicPaths("/incidents/:id")) routes.get(path, showIncident, hidden);
  for (const path of publicPaths("/logo")) routes.get(path, showLogo, hidden);
  for (const path of publicPaths("/icon"))
    routes.get(path, async ({ request, set }) => publicAnswer({ request, set }, icon), hidden);
  return routes;
}

/** An image that a browser opens as a document runs nothing: an SVG could have a script (behavior 17.24). */
const LOGO_HEADERS = {
  "cache-control": "public, max-age=86400",
  "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'",
};

/** The handler of the page itself, which is also at `/` of its host. */
export function statusPage(services: StatusPageServices) {
  const { publicPages, delivery } = services;
  const canSubscribe = delivery.smtp !== undefined;
  const bodyOf = cacheByPage((page, key: `${Place} ${View}`) => {
    const [place, view] = key.split(" ") as [Place, View];
    const address = addressOf(page, { place, publicPages });
    const isEmbedded = view === "embedded";
    return htmlBody(renderPage(page, { ...address, canSubscribe, isEmbedded }), { page });
  });
  return answerInHtml(services, (page, place, { request }) =>
    bodyOf(page, `${place} ${queryOf(request).has("embed") ? "embedded" : "whole"}`),
  );
}

function addressOf(
  { slug }: PublicPage,
  { place, publicPages }: { place: Place; publicPages: PublicPageReader },
): PageAddress {
  return { base: place === "host" ? "" : `/status/${slug}`, url: publicPages.urlOf(slug) };
}

/** The answer for every page that does not exist or is off. */
export const missingStatusPage = htmlBody(notFoundPage(), { status: 404 });

/** A handler whose 404 is a document too. @param bodyOf null for a 404 */
function answerInHtml(
  { publicPages }: { publicPages: PublicPageReader },
  bodyOf: (page: PublicPage, place: Place, request: PublicRequest) => FoundBody,
) {
  return async ({ request, params, set }: PublicContext & PublicRequest): Promise<Uint8Array | undefined> => {
    const page = await findPublicPage(publicPages, { request, params });
    const body =
      page && (await bodyOf(page, params?.slug === undefined ? "host" : "slug", { request, params }));
    return publicAnswer({ request, set }, body ?? missingStatusPage);
  };
}
