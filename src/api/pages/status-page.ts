import { Elysia } from "elysia";
import { cached } from "../../domain/cache.ts";
import type { PublicPage } from "../../domain/pages/public-page.ts";
import { LANGUAGES, type Language, readerOf, readerOfLocale } from "../../domain/pages/reader-locale.ts";
import { AppError, notFound } from "../../errors.ts";
import { missingIncidentPage, renderIncidentPage } from "../../status-page/html/incidents.ts";
import { renderPage } from "../../status-page/html/page.ts";
import { monthSpan, renderMonthPage } from "../../status-page/html/past.ts";
import { subscriptionPage } from "../../status-page/html/subscriptions.ts";
import { notFoundPage, type PageAddress, STILLUP_ICON } from "../../status-page/html/unlock.ts";
import { localizationOf } from "../../status-page/localization.ts";
import { queryOf } from "../http/errors.ts";
import { dropBody, readField } from "../http/request-body.ts";
import type { Services } from "../http/services.ts";
import {
  cacheByPage,
  type FoundBody,
  htmlBody,
  type PublicBody,
  type PublicContext,
  publicAnswer,
  publicBody,
  readerFor,
} from "./page-cache.ts";
import {
  answerForPage,
  answerFromPage,
  asksForHtml,
  baseOf,
  findPublicPage,
  type GateServices,
  judgePassword,
  lockedPage,
  type PublicPageReader,
  type PublicRequest,
  passCookie,
  publicPaths,
  refusalOf,
  refuse,
} from "./public-route.ts";

/** At the root of the page's host, or below its slug: the paths in the document differ. */
type Place = "host" | "slug";

type View = "whole" | "embedded";

interface StatusPageServices extends GateServices {
  pageIcon?: Services["pageIcon"];
  clock: Pick<Services["clock"], "now">;
  /** Only a server with SMTP shows the form of subscriptions. */
  delivery: Pick<Services["delivery"], "smtp">;
}

/** For search engines, at every host (behavior 17.15). */
const ROBOTS = "User-agent: *\nDisallow: /api/\n";

/** The public page, the pages of its incidents, and its icon (behavior 15.40 to 15.45). */
export function statusPageRoutes(services: StatusPageServices) {
  const { publicPages, pageIcon, clock } = services;
  const hidden = { detail: { hide: true } };
  const show = statusPage(services);
  const incidentOf = cacheByPage((page, key: `${Place} ${string} ${string}`) => {
    const [place, locale, id] = key.split(" ") as [Place, string, string];
    const incident = page.incidents.find((one) => one.id === id);
    if (!incident) return null;
    const address = addressOf(page, { place, publicPages });
    const local = localizationOf(readerOfLocale(locale), page.timezone);
    const { language } = page;
    return htmlBody(renderIncidentPage(page, { ...address, incident, local }), { language, page });
  }, MAX_INCIDENTS);
  const missingOf = cacheByPage((page, key: `${Place} ${string}`) => {
    const [place, locale] = key.split(" ") as [Place, string];
    const { base } = addressOf(page, { place, publicPages });
    const local = localizationOf(readerOfLocale(locale), page.timezone);
    return htmlBody(missingIncidentPage(page, { base, local }), { language: page.language, status: 404 });
  }, MAX_BODIES);
  const showIncident = answerInHtml(services, (page, place, { request, params }) => {
    const id = params?.id;
    const { locale } = readerFor(page, request);
    const isShown = page.incidents.some((incident) => incident.id === id);
    return isShown ? incidentOf(page, `${place} ${locale} ${id}`) : missingOf(page, `${place} ${locale}`);
  });
  const monthOf = cacheByPage(async (page, key: `${Place} ${string} ${string}`) => {
    const [place, locale, month] = key.split(" ") as [Place, string, string];
    const span = monthSpan(month, page.timezone, clock.now());
    if (!span) return null;
    const events = await publicPages.findMonth(page, span);
    const address = addressOf(page, { place, publicPages });
    const local = localizationOf(readerOfLocale(locale), page.timezone);
    const { language } = page;
    return htmlBody(renderMonthPage(page, { ...address, month, span, events, local }), { language, page });
  }, MAX_MONTHS);
  const showMonth = answerInHtml(services, (page, place, { request, params }) =>
    monthOf(page, `${place} ${readerFor(page, request).locale} ${params?.month ?? ""}`),
  );
  const icon = publicBody(
    pageIcon ? { type: pageIcon.type, text: pageIcon.bytes } : { type: "image/svg+xml", text: STILLUP_ICON },
  );
  const robots = publicBody({ type: "text/plain; charset=utf-8", text: ROBOTS });
  const logoOf = cacheByPage(
    (page, _: "logo") =>
      page.logo && publicBody({ type: page.logo.type, text: page.logo.bytes, headers: LOGO_HEADERS }),
  );
  const showLogo = answerFromPage(services, (page) => logoOf(page, "logo"));
  const routes = new Elysia()
    .get("/status/:slug", show, hidden)
    .get("/robots.txt", async ({ request, set }) => publicAnswer({ request, set }, robots), hidden);
  for (const path of publicPaths("/incidents/:id")) routes.get(path, showIncident, hidden);
  const subscribeForm = cacheByPage((page, key: `${Place} ${string}`) => {
    const [place, locale] = key.split(" ") as [Place, string];
    const { base } = addressOf(page, { place, publicPages });
    const local = localizationOf(readerOfLocale(locale), "UTC");
    // Only the path of the URL is in the document.
    const own = { title: page.title, url: `http://page${base}` };
    const document = subscriptionPage(local, own, "choose", { components: page.components, chosen: null });
    return htmlBody(document, { language: page.language });
  }, MAX_BODIES);
  if (services.delivery.smtp !== undefined) {
    const showForm = answerInHtml(services, (page, place, { request }) =>
      subscribeForm(page, `${place} ${readerFor(page, request).locale}`),
    );
    for (const path of publicPaths("/subscriptions")) routes.get(path, showForm, hidden);
  }
  for (const path of publicPaths("/history/:month")) routes.get(path, showMonth, hidden);
  for (const path of publicPaths("/logo")) routes.get(path, showLogo, hidden);
  for (const path of publicPaths("/icon"))
    routes.get(path, async ({ request, set }) => publicAnswer({ request, set }, icon), hidden);
  return routes;
}

/**
 * Bodies of one page in the cache: all of them, so that no client can ask for what must be rendered again. There are some 50
 * locales, two views and two places.
 */
const MAX_BODIES = 256;

/** Documents of incidents of one page. Thousands would take 100 MB, and one that is created again takes 2 ms. */
const MAX_INCIDENTS = 200;

/** Documents of months of one page, and answers for months without one. */
const MAX_MONTHS = 100;

/** An image that a browser opens as a document runs nothing: an SVG could have a script (behavior 17.24). */
const LOGO_HEADERS = {
  "cache-control": "public, max-age=86400",
  "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'",
};

/** The handler of the page itself, which is also at `/` of its host. */
export function statusPage(services: StatusPageServices) {
  const { publicPages, delivery } = services;
  const canSubscribe = delivery.smtp !== undefined;
  const bodyOf = cacheByPage((page, key: `${Place} ${View} ${string}`) => {
    const [place, view, locale] = key.split(" ") as [Place, View, string];
    const address = addressOf(page, { place, publicPages });
    const isEmbedded = view === "embedded";
    const local = localizationOf(readerOfLocale(locale), page.timezone);
    const { language } = page;
    return htmlBody(renderPage(page, { ...address, local, canSubscribe, isEmbedded }), { language, page });
  }, MAX_BODIES);
  return answerInHtml(services, (page, place, { request }) => {
    const view = queryOf(request).has("embed") ? "embedded" : "whole";
    return bodyOf(page, `${place} ${view} ${readerFor(page, request).locale}`);
  });
}

function addressOf(
  { slug }: PublicPage,
  { place, publicPages }: { place: Place; publicPages: PublicPageReader },
): PageAddress {
  return { base: place === "host" ? "" : publicPages.pathOf(slug), url: publicPages.urlOf(slug) };
}

/** The answer for every page that does not exist or is off, in the language of the reader. */
export function missingStatusPage({ rootOf }: PublicPageReader, request: Request): PublicBody {
  const { language } = readerOf("auto", request.headers.get("accept-language"));
  return missingIn(`${language} ${rootOf(request)}`);
}

const missingIn = cached((key: `${Language} ${string}`) => {
  const [language, base] = key.split(" ") as [Language, string];
  const local = localizationOf(readerOf(language, null), "UTC");
  return htmlBody(notFoundPage(local, base), { language: "auto", status: 404 });
}, 2 * LANGUAGES.length);

/** A handler whose 404 is a document too. @param bodyOf null for a 404 */
function answerInHtml(
  services: GateServices,
  bodyOf: (page: PublicPage, place: Place, request: PublicRequest) => FoundBody,
) {
  return async ({ request, params, set }: PublicContext & PublicRequest): Promise<Uint8Array | undefined> => {
    const place = params?.slug === undefined ? "host" : "slug";
    return answerForPage(
      services,
      { request, params, set },
      {
        bodyOf: (page) => bodyOf(page, place, { request, params }),
        otherwise: () => missingStatusPage(services.publicPages, request),
      },
    );
  };
}

type Context = PublicContext & PublicRequest;

/** The form for the password of a page (behavior 21.36). */
export function unlockRoutes(services: GateServices & Pick<Services, "baseUrl">) {
  const { publicPages, pageLock, baseUrl } = services;
  const hidden = { detail: { hide: true }, parse: "none" as const };

  function leadTo(path: string, { set }: Context): string {
    set.status = 303;
    set.headers["cache-control"] = "no-store";
    set.headers.location = path;
    return "";
  }

  async function unlock(context: Context): Promise<Uint8Array | string | undefined> {
    const { request, params, set } = context;
    const page = await findPublicPage(publicPages, { request, params });
    if (!page) {
      dropBody(request);
      if (asksForHtml(request))
        return publicAnswer({ request, set }, missingStatusPage(publicPages, request));
      throw notFound();
    }
    const path = baseOf(services, page, { params }) || "/";
    const locked = lockedPage(page);
    if (!locked) {
      dropBody(request);
      return leadTo(path, context);
    }
    // A form of another site would use up the attempts of its visitor (behavior 21.36).
    if (request.headers.get("sec-fetch-site") === "cross-site") {
      dropBody(request);
      return refuse(services, { page, refusal: { fault: "missing" } }, context);
    }
    const password = await passwordIn(request);
    const refusal = await judgePassword(services, locked, { password, request });
    if (refusal) return refuse(services, { page, refusal }, context);
    const isOwnHost = publicPages.slugAtHost(request) === page.slug;
    const secure = baseUrl().startsWith("https:");
    const cookie = passCookie(pageLock.issue(locked), { path: isOwnHost ? "/" : path, secure });
    set.headers["set-cookie"] = cookie;
    return leadTo(path, context);
  }

  /** For a browser that loads the address of the form again. */
  async function show(context: Context): Promise<Uint8Array | string | undefined> {
    const { request, params } = context;
    const page = await findPublicPage(publicPages, { request, params });
    if (!page) throw notFound();
    const refusal = await refusalOf(services, page, request);
    if (refusal) return refuse(services, { page, refusal }, context);
    return leadTo(baseOf(services, page, { params }) || "/", context);
  }

  const routes = new Elysia();
  for (const path of publicPaths("/unlock"))
    routes
      .post(path, ({ request, params, set }: Context) => unlock({ request, params, set }), hidden)
      .get(path, ({ request, params, set }: Context) => show({ request, params, set }), hidden);
  return routes;
}

/** A body that is no password is a wrong one. */
async function passwordIn(request: Request): Promise<string> {
  try {
    const { password } = (await readField(request, "password")) as { password?: unknown };
    return typeof password === "string" ? password : "";
  } catch (error) {
    if (error instanceof AppError && (error.kind === "invalid" || error.kind === "too_large")) return "";
    throw error;
  }
}
