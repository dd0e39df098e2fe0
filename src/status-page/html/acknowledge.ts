import { formatTime } from "../../domain/alerts/alert-event.ts";
import { statusLabel } from "../../domain/monitors/status-label.ts";
import type { Outage } from "../../domain/outages/outage.ts";
import { readerOf } from "../../domain/pages/reader-locale.ts";
import { oneLine } from "../../domain/truncate.ts";
import { type Html, html } from "../../html.ts";
import { localizationOf } from "../localization.ts";
import { htmlDocument } from "./unlock.ts";

/** The parts of an outage that the link of a notification shows. */
export type ShownOutage = Pick<
  Outage,
  "monitor" | "status" | "startedAt" | "endedAt" | "acknowledgedAt" | "acknowledgedBy"
>;

const local = localizationOf(readerOf("en", null), "UTC");

/**
 * The page behind the link of a notification (behavior 23.51): the button that acknowledges an outage, or why there is none.
 *
 * @param isDone whether this request has acknowledged it
 */
export function acknowledgePage(outage: ShownOutage, isDone = false): string {
  const { monitor, status, startedAt, endedAt, acknowledgedAt, acknowledgedBy } = outage;
  const name = html`<bdi>${oneLine(monitor.name)}</bdi>`;
  if (endedAt !== null)
    return documentOf("The outage has ended", [html`The outage of ${name} ended at ${formatTime(endedAt)}.`]);
  if (acknowledgedAt !== null) {
    const by = html`<bdi>${acknowledgedBy ?? ""}</bdi>`;
    const when = html`The outage of ${name} is acknowledged since ${formatTime(acknowledgedAt)}, by ${by}.`;
    return documentOf(isDone ? "Acknowledged" : "Already acknowledged", [when]);
  }
  return documentOf(
    "Acknowledge the outage",
    [
      html`${name}: ${statusLabel[status]}, since ${formatTime(startedAt)}.`,
      html`This ends the reminders of this outage, and shows the others that somebody works on it.`,
    ],
    html`<form method="post"><button class="button" type="submit">Acknowledge</button></form>`,
  );
}

/** The same for every link that does not work, so that nobody learns why. */
export const missingAcknowledgePage = (): string =>
  documentOf("This link does not work", [
    html`A link of a notification works for 24 hours. Open stillup to acknowledge the outage.`,
  ]);

/** @param form posts to the address that shows it, because that has the token */
function documentOf(heading: string, lines: Html[], form = html``): string {
  return htmlDocument({
    title: `${heading} – stillup`,
    // Its address has two parts below the root.
    base: "..",
    local,
    head: html`<meta name="robots" content="noindex">`,
    body: html`<main class="alone"><div class="card panel"><h1>${heading}</h1>
${lines.map((line) => html`<p>${line}</p>`)}
${form}
</div></main>`,
  });
}
