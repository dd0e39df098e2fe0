import { Elysia } from "elysia";
import { STATUSPAGE_DOCUMENTS, type StatuspageDocument } from "../../status-page/statuspage-json.ts";
import { publicBody } from "./public-answer.ts";
import { answerFromPage, type PublicPageReader, pageBodies, publicPaths } from "./public-route.ts";

/** Behavior 15.55 to 15.58. */
export function statusJsonRoutes({ publicPages }: { publicPages: PublicPageReader }) {
  const bodyOf = pageBodies((page, name: StatuspageDocument) => {
    const document = STATUSPAGE_DOCUMENTS[name](page, publicPages.urlOf(page.slug));
    return publicBody({ type: "application/json; charset=utf-8", text: JSON.stringify(document) });
  });
  const routes = new Elysia();
  for (const name of Object.keys(STATUSPAGE_DOCUMENTS) as StatuspageDocument[])
    for (const path of publicPaths(`/api/v2/${name}`))
      routes.get(
        path,
        answerFromPage(publicPages, (page) => bodyOf(page, name)),
        { detail: { hide: true } },
      );
  return routes;
}
