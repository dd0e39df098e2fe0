import { Elysia } from "elysia";
import { accepts } from "../domain/network/accept-encoding.ts";
import { notFound } from "../errors.ts";
import stylesheet from "../guide/guide.css" with { type: "text" };
import type { Services } from "./http/services.ts";
import { themeIn } from "./web-page.ts";

/** The guide has no script: what a page of Markdown says stays text. */
const HEADERS = {
  "content-security-policy":
    "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cache-control": "no-cache",
};

/** Behavior 9.113, 9.114: the documentation of this version, without a key. */
export function guideRoutes({ basePath }: Pick<Services, "basePath">) {
  const hidden = { detail: { hide: true } };
  const load = async () => (await import("../guide/guide.ts")).loadGuide();
  const answer = (request: Request, page: string | undefined) => answerBelow(basePath, request, page);
  return new Elysia()
    .get("/guide", async ({ request }) => answer(request, (await load()).page("")), hidden)
    .get(
      "/guide/search",
      async ({ request, query }) => {
        const { q = "" } = query as { q?: string };
        return answer(request, await (await load()).results(q.slice(0, MAX_QUERY)));
      },
      hidden,
    )
    .get(
      "/guide/guide.css",
      () => new Response(stylesheet, { headers: { ...HEADERS, "content-type": "text/css" } }),
      hidden,
    )
    .get(
      "/guide/*",
      async ({ request, params }) => {
        const guide = await load();
        const picture = guide.picture(params["*"]);
        if (!picture) return answer(request, guide.page(params["*"]));
        return new Response(await picture, { headers: { ...HEADERS, "content-type": "image/png" } });
      },
      hidden,
    );
}

/** Characters of a search. */
const MAX_QUERY = 200;

/** The links of the guide, and the files that it loads. */
const PATHS = /(?<= (?:href|src|action)=")(?=\/)/g;

function answerBelow(basePath: string, request: Request, page: string | undefined): Response {
  if (page === undefined) throw notFound();
  const placed = basePath === "" ? page : page.replaceAll(PATHS, basePath);
  const theme = themeIn(request.headers.get("cookie"));
  const themed = theme ? placed.replace("<html", `<html data-theme="${theme}"`) : placed;
  const isGzipped = accepts(request.headers.get("accept-encoding") ?? "", "gzip");
  return new Response(isGzipped ? Bun.gzipSync(new TextEncoder().encode(themed)) : themed, {
    headers: {
      ...HEADERS,
      "content-type": "text/html; charset=utf-8",
      vary: "accept-encoding, cookie",
      ...(isGzipped && { "content-encoding": "gzip" }),
    },
  });
}
