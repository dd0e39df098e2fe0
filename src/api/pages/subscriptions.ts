import { Elysia } from "elysia";
import { clientNetwork } from "../../domain/network/client-address.ts";
import { type PageLanguage, readerOf } from "../../domain/pages/reader-locale.ts";
import { choiceOf, parseSubscription } from "../../domain/pages/subscription.ts";
import { AppError, invalid, notFound, tooMany } from "../../errors.ts";
import { createWindowLimit } from "../../runner/rate-limit.ts";
import { type SubscriptionPageKind, subscriptionPage } from "../../status-page/html/subscriptions.ts";
import { type Localization, localizationOf } from "../../status-page/localization.ts";
import type { SubscribedPage } from "../../store/store.ts";
import { queryOf } from "../http/errors.ts";
import { dropBody, MAX_BODY, readForm } from "../http/request-body.ts";
import type { Services } from "../http/services.ts";
import {
  htmlBody,
  type PublicBody,
  type PublicContext,
  publicAnswer,
  publicBody,
  readerFor,
} from "./page-cache.ts";
import {
  findPublicPage,
  type PublicRequest,
  refusalOf as pageRefusal,
  publicPaths,
  refuse,
  slugOf,
} from "./public-route.ts";
import { missingStatusPage } from "./status-page.ts";

/** Requests of one client (behavior 15.72). @property period milliseconds */
const REQUESTS = { most: 60, period: 60 * 60 * 1000 };

type Context = PublicContext & PublicRequest;

/** Subscriptions to public pages by e-mail: everybody may request one, and its links confirm and delete it. */
export function subscriptionRoutes(services: Services) {
  const hidden = { detail: { hide: true }, parse: "none" as const };
  const subscribe = subscribeHandler(services);
  const routes = new Elysia();
  for (const path of publicPaths("/subscriptions"))
    routes.post(path, ({ request, params, set }: Context) => subscribe({ request, params, set }), hidden);
  const { show, submit } = manageForm(services);
  for (const path of publicPaths("/subscriptions/manage")) {
    const answer = async (context: Context, bodyOf: (request: Request) => Promise<PublicBody | null>) => {
      const { request } = context;
      const page = await findPublicPage(services.publicPages, context);
      const refusal = page?.passwordHash ? await pageRefusal(services, page, request) : undefined;
      if (page && refusal) {
        dropBody(request);
        return refuse(services, { page, refusal }, context);
      }
      const isPrivate = Boolean(page?.passwordHash);
      return publicAnswer(
        context,
        (await bodyOf(request)) ?? missingStatusPage(services.publicPages, request),
        { isPrivate },
      );
    };
    routes.get(path, ({ request, params, set }: Context) => answer({ request, params, set }, show), hidden);
    routes.post(
      path,
      ({ request, params, set }: Context) => answer({ request, params, set }, submit),
      hidden,
    );
  }
  for (const form of ["confirm", "unsubscribe"] as const) {
    const { show, submit } = formOf(form, services);
    for (const path of publicPaths(`/subscriptions/${form}`)) {
      routes.get(
        path,
        async ({ request, set }: Context) =>
          publicAnswer(
            { request, set },
            (await show(request)) ?? missingStatusPage(services.publicPages, request),
          ),
        hidden,
      );
      routes.post(
        path,
        async ({ request, set }: Context) => {
          dropBody(request);
          return publicAnswer(
            { request, set },
            (await submit(request)) ?? missingStatusPage(services.publicPages, request),
          );
        },
        hidden,
      );
    }
  }
  return routes;
}

function tokenOf(request: Request): string {
  return queryOf(request).get("token") ?? "";
}

const PENDING = publicBody({
  type: "application/json; charset=utf-8",
  text: JSON.stringify({ data: { status: "pending" } }),
  status: 202,
});

/** Behavior 15.70 to 15.72: the answer is the same for every address. */
function subscribeHandler(services: Services) {
  const { publicPages, baseUrl } = services;
  const save = subscriptionSaver(services);
  return async ({ request, params, set }: Context): Promise<Uint8Array | undefined> => {
    const slug = slugOf(publicPages, { request, params });
    if (slug === undefined) throw notFound();
    const asked = await publicPages.find(slug);
    const refusal = asked?.passwordHash ? await pageRefusal(services, asked, request) : undefined;
    if (asked && refusal) {
      dropBody(request);
      set.headers["access-control-allow-origin"] = "*";
      return refuse(services, { page: asked, refusal }, { request, params, set });
    }
    if (!wantsHtml(request)) {
      set.headers["access-control-allow-origin"] = "*";
      await save(request, slug);
      return publicAnswer({ request, set }, PENDING);
    }
    const { status, kind, retryAfter } = await save(request, slug).then(() => ACCEPTED, refusalOf);
    const page = kind && (await publicPages.find(slug));
    const url = params?.slug === undefined ? publicPages.urlOf(slug) : `${baseUrl()}/status/${slug}`;
    const body = page
      ? htmlBody(
          subscriptionPage(localizationFor(page, request), { title: page.title, url }, kind, {
            components: page.components,
            chosen: null,
          }),
          {
            language: page.language,
            status,
          },
        )
      : missingStatusPage(services.publicPages, request);
    const bytes = await publicAnswer({ request, set }, body);
    if (retryAfter !== undefined) set.headers["retry-after"] = String(retryAfter);
    return bytes;
  };
}

/** Stores what a request asks for, within the limit of its client. */
function subscriptionSaver({ store, clock, addressOf, wakePageMails, metrics }: Services) {
  const limit = createWindowLimit({ ...REQUESTS, clock });
  return async (request: Request, slug: string): Promise<void> => {
    const wait = limit.take(clientNetwork(addressOf(request)));
    if (wait > 0) {
      metrics.refused("subscriptions");
      throw tooMany("requests for subscriptions", wait);
    }
    const given = await readForm(request, MAX_BODY.subscription);
    const { email, componentIds } = parseSubscription(given instanceof FormData ? fieldsOf(given) : given);
    const { locale } = readerOf("auto", request.headers.get("accept-language"));
    await store.subscriptions.request({ slug, email, locale, componentIds }, clock.now());
    wakePageMails();
  };
}

function fieldsOf(form: FormData): object {
  const email = form.get("email");
  return { ...(email !== null && { email }), componentIds: chosenIn(form) };
}

function chosenIn(form: FormData): string[] {
  return form.getAll("component").map(String);
}

/** Documents of subscriptions name no times. */
function localizationFor(page: { language: PageLanguage }, request: Request): Localization {
  return localizationOf(readerFor(page, request), "UTC");
}

/** Whether a form of a browser sent it: its `Accept` begins with HTML. */
function wantsHtml({ headers }: Request): boolean {
  return /^\s*text\/html\b/i.test(headers.get("accept") ?? "");
}

/** An answer as a page. @property kind null for the page of an unknown address @property retryAfter seconds */
interface HtmlAnswer {
  status: number;
  kind: SubscriptionPageKind | null;
  retryAfter?: number | undefined;
}

const ACCEPTED: HtmlAnswer = { status: 202, kind: "pending" };

/** The page that a browser shows in place of the JSON of an error. */
function refusalOf(error: unknown): HtmlAnswer {
  if (!(error instanceof AppError)) throw error;
  if (error.kind === "invalid") return { status: 422, kind: "invalid" };
  if (error.kind === "too_large") return { status: 413, kind: "invalid" };
  if (error.kind === "too_many") return { status: 429, kind: "limited", retryAfter: error.retryAfter };
  if (error.kind === "not_found") return { status: 404, kind: null };
  throw error;
}

/** The form in which a subscriber chooses components or leaves, behind a link of each message (behavior 15.111). */
function manageForm(services: Services) {
  const { store, publicPages } = services;
  const { find, choose, delete: unsubscribe } = store.subscriptions;
  async function pageOf(request: Request, kind: SubscriptionPageKind): Promise<PublicBody | null> {
    const found = await find(tokenOf(request));
    const page = found?.isPublic ? await publicPages.find(found.slug) : null;
    if (!found || !page || (await pageRefusal(services, page, request))) return null;
    const { title, slug, language } = found;
    const choice = { components: page.components, chosen: found.componentIds };
    const url = publicPages.urlOf(slug);
    const document = subscriptionPage(localizationFor(found, request), { title, url }, kind, choice);
    return htmlBody(document, { language, isKept: false });
  }
  return {
    show: (request: Request) => pageOf(request, "manage"),
    async submit(request: Request): Promise<PublicBody | null> {
      const token = tokenOf(request);
      if (!(await find(token))) {
        dropBody(request);
        return null;
      }
      const given = await readForm(request, MAX_BODY.subscription);
      if (!(given instanceof FormData)) throw invalid("the body must be a form");
      if (!given.has("unsubscribe")) {
        await choose(token, choiceOf(chosenIn(given)));
        return pageOf(request, "saved");
      }
      const body = await pageOf(request, "unsubscribed");
      await unsubscribe(token);
      return body;
    },
  };
}

/** The form behind a link, which a GET only shows, and what it does. Both return null for an unknown token. */
function formOf(form: "confirm" | "unsubscribe", { store, clock, publicPages }: Services) {
  const { find, confirm, delete: unsubscribe } = store.subscriptions;
  const pageOf = async (
    request: Request,
    page: Promise<SubscribedPage | undefined>,
    kind: SubscriptionPageKind,
  ) => {
    const found = await page;
    // Only who is subscribed can leave a page that is off.
    if (!found || (form === "confirm" && !found.isPublic)) return null;
    const { title, slug, language } = found;
    const local = localizationFor(found, request);
    const document = subscriptionPage(local, { title, url: publicPages.urlOf(slug) }, kind);
    return htmlBody(document, { language, isKept: false });
  };
  return {
    show: (request: Request) => pageOf(request, find(tokenOf(request)), form),
    async submit(request: Request): Promise<PublicBody | null> {
      const token = tokenOf(request);
      const found = await find(token);
      // Neither an unknown token nor a repeated confirmation waits for the writer.
      if (!found) return null;
      if (form === "confirm" && found.isConfirmed)
        return pageOf(request, Promise.resolve(found), "confirmed");
      return form === "confirm"
        ? pageOf(request, confirm(token, clock.now()), "confirmed")
        : pageOf(request, unsubscribe(token), "unsubscribed");
    },
  };
}
