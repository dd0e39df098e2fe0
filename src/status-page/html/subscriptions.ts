import { type Html, html } from "../../html.ts";
import type { AnyTexts } from "../languages/load.ts";
import { fillHtml, type Localization } from "../localization.ts";
import { htmlDocument } from "./unlock.ts";

/** The page of a subscription. @property url absolute, without a trailing slash */
interface SubscribedPage {
  title: string;
  url: string;
}

/**
 * Answers to the form of a page, and what the links of e-mails open. None of them shows an address, or says whether one is
 * subscribed.
 */
export type SubscriptionPageKind =
  | "pending"
  | "invalid"
  | "limited"
  | "confirm"
  | "confirmed"
  | "unsubscribe"
  | "unsubscribed";

interface Content {
  heading: string;
  body: Html;
}

/** @param title of the page, as HTML @param base its path */
function contentOf(
  texts: AnyTexts,
  kind: SubscriptionPageKind,
  { title, base }: { title: Html; base: string },
): Content {
  if (kind === "invalid")
    return { heading: texts.subscribe.heading, body: subscribeForm(texts, base, texts.subscribe.invalid) };
  const { heading, text } = texts[kind];
  const body = html`<p>${fillHtml(text, { title })}</p>`;
  const hasButton = kind === "confirm" || kind === "unsubscribe";
  return { heading, body: hasButton ? html`${body}${button(texts[kind].button)}` : body };
}

/** A complete HTML document. */
export function subscriptionPage(
  local: Localization,
  { title, url }: SubscribedPage,
  kind: SubscriptionPageKind,
): string {
  const base = new URL(url).pathname.replace(/\/$/, "");
  const name = html`<bdi>${title}</bdi>`;
  const { heading, body } = contentOf(local.texts, kind, { title: name, base });
  return htmlDocument({
    title: `${heading} – ${local.isolated(title)}`,
    base,
    local,
    head: html`<meta name="robots" content="noindex">`,
    body: html`<main class="alone"><p class="back"><a href="${base}/">${name}</a></p>
<div class="card panel"><h1>${heading}</h1>
${body}
</div></main>`,
  });
}

/** Posts to the URL that shows it, because that has the token. */
function button(label: string): Html {
  return html`<form method="post"><button class="button" type="submit">${label}</button></form>`;
}

/** @param base the path of the page */
export function subscribePanel({ texts }: Localization, base: string): Html {
  return html`<section id="subscribe" aria-labelledby="subscribe-title"><h2 id="subscribe-title">${texts.subscribe.heading}</h2>
<div class="card panel">${subscribeForm(texts, base)}</div></section>`;
}

/** The form that asks for an opt-in message. @param base the path of the page @param fault what was wrong with the address */
function subscribeForm({ subscribe }: AnyTexts, base: string, fault?: string): Html {
  const isWrong = fault !== undefined;
  return html`<p>${subscribe.text}</p>
<form method="post" action="${base}/subscriptions">
<label>${subscribe.address}<input type="email" name="email" dir="auto" required autocomplete="email"${isWrong ? html` aria-invalid="true" aria-describedby="fault"` : ""}></label>
<button class="button" type="submit">${subscribe.button}</button>
${isWrong ? html`<p class="fault" id="fault" role="alert">${fault}</p>` : ""}
</form>`;
}
