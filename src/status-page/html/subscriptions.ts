import { iso } from "../../domain/iso-time.ts";
import { localTimeIn } from "../../domain/local-time.ts";
import { fill } from "../../domain/locale-formats.ts";
import type { PublicComponent, PublicPage } from "../../domain/pages/public-page.ts";
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
  | "choose"
  | "manage"
  | "saved"
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
  { title, base, choice }: { title: Html; base: string; choice: Choice },
): Content {
  if (kind === "invalid")
    return {
      heading: texts.subscribe.heading,
      body: subscribeForm(texts, base, { choice, fault: texts.subscribe.invalid }),
    };
  if (kind === "choose")
    return { heading: texts.subscribe.heading, body: subscribeForm(texts, base, { choice }) };
  if (kind === "manage") return { heading: texts.choose.label, body: manageForms(texts, choice) };
  if (kind === "saved") return { heading: texts.choose.saved, body: html`<p>${title}</p>` };
  const { heading, text } = texts[kind];
  const body = html`<p>${fillHtml(text, { title })}</p>`;
  const hasButton = kind === "confirm" || kind === "unsubscribe";
  return { heading, body: hasButton ? html`${body}${button(texts[kind].button)}` : body };
}

/** The components that a form offers. @property chosen their IDs; null for all */
export interface Choice {
  components: readonly Pick<PublicComponent, "id" | "name" | "group">[];
  chosen: readonly string[] | null;
}

const NO_CHOICE: Choice = { components: [], chosen: null };

/** A complete HTML document. @param choice of the forms that have one */
export function subscriptionPage(
  local: Localization,
  { title, url }: SubscribedPage,
  kind: SubscriptionPageKind,
  choice = NO_CHOICE,
): string {
  const base = new URL(url).pathname.replace(/\/$/, "");
  const name = html`<bdi>${title}</bdi>`;
  const { heading, body } = contentOf(local.texts, kind, { title: name, base, choice });
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

/** The choice of a subscription, and the button that deletes it. Both post to the URL that shows them, because that has the token. */
function manageForms({ choose, unsubscribe }: AnyTexts, choice: Choice): Html {
  return html`<form method="post"><p class="quiet">${choose.hint}</p>${checkBoxes(choice)}
<button class="button" type="submit">${choose.save}</button></form>
<form method="post"><button class="button plain-button" type="submit" name="unsubscribe" value="1">${unsubscribe.button}</button></form>`;
}

/** All ways to follow a page: e-mail if the server can send it, feed and calendar (behavior 15.48). */
export function subscribePanel(
  { texts }: Localization,
  { components: { length: componentCount } }: PublicPage,
  { base, canSubscribe }: { base: string; canSubscribe: boolean },
): Html {
  const choose = html`<p><a href="${base}/subscriptions">${texts.choose.label}</a></p>`;
  const form = () => html`${subscribeForm(texts, base)}${componentCount > 1 ? choose : ""}`;
  return html`<section id="subscribe" aria-labelledby="subscribe-title"><h2 id="subscribe-title">${texts.subscribe.heading}</h2>
<div class="card panel">${canSubscribe ? form() : ""}<p class="ways"><a href="${base}/feed.atom">${texts.atomFeed}</a><a href="${base}/maintenance.ics">${texts.calendar}</a></p></div></section>`;
}

function checkBoxes({ components, chosen }: Choice): Html {
  return html`<ul class="choice">${components.map(
    ({ id, name, group }) =>
      html`<li><label><input type="checkbox" name="component" value="${id}"${chosen?.includes(id) ? html` checked` : ""}><span><bdi>${name}</bdi>${group ? html` <small><bdi>${group.name}</bdi></small>` : ""}</span></label></li>`,
  )}</ul>`;
}

/**
 * The form that asks for an opt-in message.
 *
 * @param base the path of the page @property choice the components that the form offers @property fault what was wrong with the address
 */
function subscribeForm(
  { subscribe, choose }: AnyTexts,
  base: string,
  { choice, fault }: { choice?: Choice; fault?: string } = {},
): Html {
  const isWrong = fault !== undefined;
  const boxes = choice && choice.components.length > 1;
  return html`<p>${subscribe.text}</p>
<form method="post" action="${base}/subscriptions">
<label>${subscribe.address}<input type="email" name="email" dir="auto" required autocomplete="email"${isWrong ? html` aria-invalid="true" aria-describedby="fault"` : ""}></label>
<button class="button" type="submit">${subscribe.button}</button>
${isWrong ? html`<p class="fault" id="fault" role="alert">${fault}</p>` : ""}${boxes ? html`<fieldset><legend>${choose.label}</legend><p class="quiet">${choose.hint}</p>${checkBoxes(choice)}</fieldset>` : ""}
</form>`;
}

/** For example `Nov 22, 15:05 UTC`. The script shows the zone of the reader instead. */
export function time({ moment }: Localization, at: number): Html {
  return timeElement(at, moment(at));
}

/**
 * For example `Nov 22, 15:05 to 16:20 UTC`, with the second date if it is another one, and with both zones if the clocks are
 * changed in between.
 */
export function timeSpan(local: Localization, from: number, to: number): Html {
  const { shownAt } = localTimeIn(local.timezone);
  const isOneZone = shownAt(to) - shownAt(from) === to - from;
  const start = isOneZone ? timeElement(from, local.momentWithoutZone(from)) : time(local, from);
  return fillHtml(local.texts.span, { from: start, to: timeAfter(local, from, to) });
}

/** For example `16:20 UTC`, with the date if the time before it has another one. */
export function timeAfter(local: Localization, before: number, at: number): Html {
  if (local.dayOf(before) !== local.dayOf(at)) return time(local, at);
  // `data-s`: the date is missing, for the script.
  return html`<time datetime="${iso(at)}" data-s>${local.clock(at)}</time>`;
}

function timeElement(at: number, text: string): Html {
  return html`<time datetime="${iso(at)}">${text}</time>`;
}

/** Names the zone of all times. The script, which shows them in another one, takes its text from `data-own`. */
export function zoneNote({ texts, timezone }: Localization): Html {
  return html`<p data-own="${texts.ownTimeZone}">${fill(texts.timeZone, { zone: timezone })}</p>`;
}
