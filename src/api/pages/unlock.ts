import { Elysia } from "elysia";
import { AppError, notFound } from "../../errors.ts";
import { dropBody } from "../http/body-bytes.ts";
import { readField } from "../http/request-body.ts";
import type { Services } from "../http/services.ts";
import { passCookie } from "./page-cookie.ts";
import {
  asksForHtml,
  baseOf,
  type GateServices,
  judgePassword,
  lockedPage,
  refusalOf,
  refuse,
} from "./page-gate.ts";
import { type PublicContext, publicAnswer } from "./public-answer.ts";
import { findPublicPage, type PublicRequest, publicPaths } from "./public-route.ts";
import { missingStatusPage } from "./status-page.ts";

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
      if (asksForHtml(request)) return publicAnswer({ request, set }, missingStatusPage(request));
      throw notFound();
    }
    const path = baseOf(page, { params }) || "/";
    const locked = lockedPage(page);
    if (!locked) {
      dropBody(request);
      return leadTo(path, context);
    }
    // A form of another site would use up the attempts of its visitor (behavior 21.36).
    if (request.headers.get("sec-fetch-site") === "cross-site") {
      dropBody(request);
      return refuse({ page, refusal: { fault: "missing" } }, context);
    }
    const password = await passwordIn(request);
    const refusal = await judgePassword(services, locked, { password, request });
    if (refusal) return refuse({ page, refusal }, context);
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
    if (refusal) return refuse({ page, refusal }, context);
    return leadTo(baseOf(page, { params }) || "/", context);
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
