import { type Html, html } from "../../html.ts";
import { fill, type Localization } from "../localization.ts";

/** Names the zone of all times. The script, which shows them in another one, takes its text from `data-own`. */
export function zoneNote({ texts, timezone }: Localization): Html {
  return html`<p data-own="${texts.ownTimeZone}">${fill(texts.timeZone, { zone: timezone })}</p>`;
}

export function footerLinks({ texts }: Localization, base: string): Html {
  return html`<a href="${base}/feed.atom">${texts.atomFeed}</a><a href="${base}/api/v2/summary.json">JSON</a>`;
}
