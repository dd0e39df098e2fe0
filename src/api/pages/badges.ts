import { Elysia } from "elysia";
import { BADGE_KINDS, type BadgeKind } from "../../domain/pages/public-page.ts";
import { type Badge, badgeJson, badgeSvg, componentBadge, pageBadge } from "../../status-page/badge.ts";
import { queryOf } from "../http/query.ts";
import { publicBody } from "./public-answer.ts";
import { answerFromPage, type PublicPageReader, pageBodies, publicPaths } from "./public-route.ts";

const FORMATS = ["svg", "json"] as const;
type Format = (typeof FORMATS)[number];

/** Behavior 15.61 and 15.62. */
export function badgeRoutes({ publicPages }: { publicPages: PublicPageReader }) {
  const pageBodyOf = pageBodies((page, format: Format) => bodyOf(pageBadge(page), format));
  const componentBodyOf = pageBodies((page, key: `${Format} ${BadgeKind} ${string}`) => {
    const [format, kind, id] = key.split(" ") as [Format, BadgeKind, string];
    const component = page.components.find((one) => one.id === id);
    const badge = component ? componentBadge(page, component, kind) : null;
    return badge && bodyOf(badge, format);
  });
  const routes = new Elysia();
  const hidden = { detail: { hide: true } };
  for (const format of FORMATS) {
    for (const path of publicPaths(`/badge.${format}`))
      routes.get(
        path,
        answerFromPage(publicPages, (page) => pageBodyOf(page, format)),
        hidden,
      );
    for (const path of publicPaths(`/components/:id/badge.${format}`))
      routes.get(
        path,
        answerFromPage(publicPages, (page, { request, params }) => {
          const kind = kindOf(request);
          const isKnown =
            kind !== undefined && page.components.some((component) => component.id === params?.id);
          return isKnown ? componentBodyOf(page, `${format} ${kind} ${params?.id}`) : null;
        }),
        hidden,
      );
  }
  return routes;
}

/** @returns undefined for an unknown one */
function kindOf(request: Request): BadgeKind | undefined {
  const wanted = queryOf(request).get("kind") ?? "status";
  return BADGE_KINDS.find((kind) => kind === wanted);
}

async function bodyOf(badge: Badge, format: Format) {
  return format === "json"
    ? publicBody({ type: "application/json; charset=utf-8", text: badgeJson(badge) })
    : publicBody({ type: "image/svg+xml; charset=utf-8", text: await badgeSvg(badge) });
}
