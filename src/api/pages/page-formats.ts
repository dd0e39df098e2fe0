import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { NewIncidentUpdate } from "../../domain/pages/incident-request.ts";
import { BADGE_KINDS, type BadgeKind } from "../../domain/pages/public-page.ts";
import { readerOfLocale } from "../../domain/pages/reader-locale.ts";
import { closed } from "../../domain/schemas/schema.ts";
import { type Badge, badgeJson, badgeSvg, componentBadge, pageBadge } from "../../status-page/badge.ts";
import { calendar } from "../../status-page/calendar.ts";
import { feed } from "../../status-page/feed.ts";
import { localizationOf } from "../../status-page/localization.ts";
import { renderMarkdown } from "../../status-page/markdown.ts";
import { STATUSPAGE_DOCUMENTS, type StatuspageDocument } from "../../status-page/statuspage-json.ts";
import { bodyFor, resource } from "../auth/authentication.ts";
import { queryOf } from "../http/errors.ts";
import { answering } from "../http/openapi.ts";
import type { Services } from "../http/services.ts";
import { cacheByPage, publicBody, readerFor, varyBy } from "./page-cache.ts";
import { answerFromPage, type GateServices, publicPaths } from "./public-route.ts";

const FORMATS = ["svg", "json"] as const;
type Format = (typeof FORMATS)[number];

/** Feeds of one page in the cache. There are some 50 locales, of which a client can ask for all. */
const MAX_FEEDS = 64;

/** A public page for programs: as JSON of Statuspage, feed and badges (behavior 15.55 to 15.62). */
export function pageFormatRoutes(services: GateServices) {
  const { publicPages } = services;
  const routes = new Elysia();
  const add = (path: string, bodyOf: Parameters<typeof answerFromPage>[1]) => {
    for (const one of publicPaths(path))
      routes.get(one, answerFromPage(services, bodyOf), { detail: { hide: true } });
  };
  const feedOf = cacheByPage((page, locale: string) => {
    const local = localizationOf(readerOfLocale(locale), page.timezone);
    const text = feed(page, { url: publicPages.urlOf(page.slug), local });
    return publicBody({ type: "application/atom+xml; charset=utf-8", text, headers: varyBy(page.language) });
  }, MAX_FEEDS);
  add("/feed.atom", (page, { request }) => feedOf(page, readerFor(page, request).locale));
  const calendarOf = cacheByPage((page, _: "calendar") => {
    const text = calendar(page, publicPages.urlOf(page.slug));
    return publicBody({ type: "text/calendar; charset=utf-8", text });
  });
  add("/maintenance.ics", (page) => calendarOf(page, "calendar"));
  const documentOf = cacheByPage((page, name: StatuspageDocument) => {
    const document = STATUSPAGE_DOCUMENTS[name](page, publicPages.urlOf(page.slug));
    return publicBody({ type: "application/json; charset=utf-8", text: JSON.stringify(document) });
  });
  for (const name of Object.keys(STATUSPAGE_DOCUMENTS) as StatuspageDocument[])
    add(`/api/v2/${name}`, (page) => documentOf(page, name));
  const badgeOf = cacheByPage((page, format: Format) => badgeBody(pageBadge(page), format));
  for (const format of FORMATS) {
    add(`/badge.${format}`, (page) => badgeOf(page, format));
    add(`/components/:id/badge.${format}`, componentBadgeIn(format));
  }
  return routes;
}

function componentBadgeIn(format: Format): Parameters<typeof answerFromPage>[1] {
  const badgeOf = cacheByPage((page, key: `${BadgeKind} ${string}`) => {
    const [kind, id] = key.split(" ") as [BadgeKind, string];
    const component = page.components.find((one) => one.id === id);
    const badge = component ? componentBadge(page, component, kind) : null;
    return badge && badgeBody(badge, format);
  });
  return (page, { request, params }) => {
    const kind = kindOf(request);
    const isKnown = kind !== undefined && page.components.some((component) => component.id === params?.id);
    return isKnown ? badgeOf(page, `${kind} ${params?.id}`) : null;
  };
}

/** @returns undefined for an unknown one */
function kindOf(request: Request): BadgeKind | undefined {
  const wanted = queryOf(request).get("kind") ?? "status";
  return BADGE_KINDS.find((kind) => kind === wanted);
}

async function badgeBody(badge: Badge, format: Format) {
  return format === "json"
    ? publicBody({ type: "application/json; charset=utf-8", text: badgeJson(badge) })
    : publicBody({ type: "image/svg+xml; charset=utf-8", text: await badgeSvg(badge) });
}

const Text = Type.Object(
  { body: NewIncidentUpdate.properties.body },
  { ...closed, examples: [{ body: "Card payments **fail** since 10:00 UTC." }] },
);

const RenderedBody = Type.Object(
  { html: Type.String({ description: "HTML without scripts, pictures and attributes of people." }) },
  closed,
);

/** Behavior 15.98: an update, rendered like on the public pages. */
export function markdownRoutes({ store, authenticator, bodies }: Services) {
  return resource({ authenticator, store }, "/markdown", "Incidents").post(
    "",
    ({ body: { body } }) => ({ data: { html: renderMarkdown(body).markup } }),
    {
      ...bodyFor({ authenticator, bodies }, Text, { role: "viewer" }),
      detail: answering({
        operationId: "renderMarkdown",
        summary: "Render Markdown",
        description:
          "Renders the text of an update as public pages do. Changes nothing. Every role may do this.",
        answer: RenderedBody,
        example: { html: "<p>Card payments <strong>fail</strong> since 10:00 UTC.</p>\n" },
        errors: [403, 413, 422],
      }),
    },
  );
}
