import { localizationOf } from "../../alerts/languages/localization.ts";
import { fill } from "../../domain/locale-formats.ts";
import type { Outage } from "../../domain/outages/outage.ts";
import type { Reader } from "../../domain/pages/reader-locale.ts";
import { type Html, html } from "../../html.ts";
import { htmlDocument } from "../../status-page/html/unlock.ts";
import { localizationOf as pageLocalizationOf } from "../../status-page/localization.ts";

/** The parts of an outage that the link of a notification shows. */
export type ShownOutage = Pick<
  Outage,
  "monitor" | "status" | "startedAt" | "endedAt" | "acknowledgedAt" | "acknowledgedBy"
>;

/**
 * The page behind the link of a notification (behavior 23.51): the button that acknowledges an outage, or why there is none.
 *
 * @param isDone whether this request has acknowledged it
 */
export function acknowledgePage(reader: Reader, outage: ShownOutage, isDone = false): string {
  const { monitor, status, startedAt, endedAt, acknowledgedAt, acknowledgedBy } = outage;
  const { texts, time } = localizationOf(reader.language);
  const { ended, acknowledged, ask } = texts.acknowledgePage;
  const { isolated } = pageLocalizationOf(reader, "UTC");
  const name = isolated(monitor.name);
  if (endedAt !== null)
    return documentOf(reader, ended.title, [fill(ended.text, { name, time: time(endedAt) })]);
  if (acknowledgedAt !== null) {
    const by = isolated(acknowledgedBy ?? "");
    const text = fill(acknowledged.text, { name, time: time(acknowledgedAt), by });
    return documentOf(reader, isDone ? acknowledged.now : acknowledged.before, [text]);
  }
  const state = fill(ask.state, { name, status: texts.status[status], time: time(startedAt) });
  return documentOf(
    reader,
    ask.title,
    [state, ask.effect],
    html`<form method="post"><button class="button" type="submit">${texts.link.acknowledge}</button></form>`,
  );
}

/** The same for every link that does not work, so that nobody learns why. */
export function missingAcknowledgePage(reader: Reader): string {
  const { title, text } = localizationOf(reader.language).texts.acknowledgePage.missing;
  return documentOf(reader, title, [text]);
}

/** @param form posts to the address that shows it, because that has the token */
function documentOf(reader: Reader, heading: string, lines: string[], form: Html = html``): string {
  return htmlDocument({
    title: `${heading} – stillup`,
    // Its address has two parts below the root.
    base: "..",
    local: pageLocalizationOf(reader, "UTC"),
    head: html`<meta name="robots" content="noindex">`,
    body: html`<main class="alone"><div class="card panel"><h1>${heading}</h1>
${lines.map((line) => html`<p>${line}</p>`)}
${form}
</div></main>`,
  });
}
