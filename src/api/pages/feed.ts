import { Elysia } from "elysia";
import { feed } from "../../status-page/feed.ts";
import { publicBody } from "./public-answer.ts";
import { answerFromPage, type PublicPageReader, pageBodies, publicPaths } from "./public-route.ts";

/** Behavior 15.59 and 15.60. */
export function feedRoutes({ publicPages }: { publicPages: PublicPageReader }) {
  const bodyOf = pageBodies((page) =>
    publicBody({
      type: "application/atom+xml; charset=utf-8",
      text: feed(page, publicPages.urlOf(page.slug)),
    }),
  );
  const routes = new Elysia();
  for (const path of publicPaths("/feed.atom"))
    routes.get(
      path,
      answerFromPage(publicPages, (page) => bodyOf(page, "feed")),
      { detail: { hide: true } },
    );
  return routes;
}
