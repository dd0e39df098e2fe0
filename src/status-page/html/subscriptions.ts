import { type Html, html } from "../../html.ts";
import { htmlDocument } from "./document.ts";

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
  body(page: SubscribedPage, base: string): Html;
}

const contents: Record<SubscriptionPageKind, Content> = {
  pending: {
    heading: "Look at your inbox",
    body: () =>
      html`<p>If the address is not subscribed yet, you get a message with a link. Open it to confirm your subscription.</p>`,
  },
  invalid: {
    heading: "Subscribe to updates",
    body: (_, base) => subscribeForm(base, "This is not a valid e-mail address."),
  },
  limited: {
    heading: "Too many requests",
    body: () => html`<p>You have sent too many requests. Try again in some minutes.</p>`,
  },
  confirm: {
    heading: "Confirm your subscription",
    body: ({ title }) =>
      html`<p>You then get an e-mail about incidents and maintenance of <bdi>${title}</bdi>.</p>${button("Confirm")}`,
  },
  confirmed: {
    heading: "You are subscribed",
    body: ({ title }) =>
      html`<p>You get an e-mail about incidents and maintenance of <bdi>${title}</bdi>. Each message has a link that unsubscribes you.</p>`,
  },
  unsubscribe: {
    heading: "Unsubscribe",
    body: ({ title }) =>
      html`<p>You then get no more messages about <bdi>${title}</bdi>.</p>${button("Unsubscribe")}`,
  },
  unsubscribed: {
    heading: "You are unsubscribed",
    body: ({ title }) => html`<p>You get no more messages about <bdi>${title}</bdi>.</p>`,
  },
};

/** A complete HTML document. */
export function subscriptionPage(page: SubscribedPage, kind: SubscriptionPageKind): string {
  const { heading, body } = contents[kind];
  const base = new URL(page.url).pathname.replace(/\/$/, "");
  return htmlDocument({
    title: `${heading} – ${page.title}`,
    base,
    head: html`<meta name="robots" content="noindex">`,
    body: html`<main class="alone"><p class="back"><a href="${base}/"><bdi>${page.title}</bdi></a></p>
<div class="card panel"><h1>${heading}</h1>
${body(page, base)}
</div></main>`,
  });
}

/** Posts to the URL that shows it, because that has the token. */
function button(label: string): Html {
  return html`<form method="post"><button class="button" type="submit">${label}</button></form>`;
}

/** @param base the path of the page */
export function subscribePanel(base: string): Html {
  return html`<section id="subscribe" aria-labelledby="subscribe-title"><h2 id="subscribe-title">Subscribe to updates</h2>
<div class="card panel">${subscribeForm(base)}</div></section>`;
}

/** The form that asks for an opt-in message. @param base the path of the page @param fault what was wrong with the address */
function subscribeForm(base: string, fault?: string): Html {
  const isWrong = fault !== undefined;
  return html`<p>Get an e-mail about incidents and maintenance. You confirm your address with the first message, and each message has a link that unsubscribes you.</p>
<form method="post" action="${base}/subscriptions">
<label>E-mail address<input type="email" name="email" required autocomplete="email"${isWrong ? html` aria-invalid="true" aria-describedby="fault"` : ""}></label>
<button class="button" type="submit">Subscribe</button>
${isWrong ? html`<p class="fault" id="fault" role="alert">${fault}</p>` : ""}
</form>`;
}
