import type { IncidentUpdate } from "../domain/pages/incident.ts";
import type { PublicComponent, PublicIncident } from "../domain/pages/public-page.ts";
import { type Html, html } from "../html.ts";
import { time } from "./html/time.ts";
import type { Localization } from "./localization.ts";
import { cachedMarkdown } from "./markdown.ts";
import { fill, fillHtml } from "./template.ts";

/** The title of an incident: as people wrote it, or generated for an outage in the language of the reader. */
export function incidentTitle({ texts, isolated }: Localization, { title, outage }: PublicIncident): string {
  return outage ? fill(texts.outage.title[levelOf(outage)], { name: isolated(outage.component) }) : title;
}

/** The title as HTML: a name does not change the direction of the text around it. */
export function titleMarkup({ texts }: Localization, { title, outage }: PublicIncident): Html {
  if (!outage) return html`<bdi>${title}</bdi>`;
  return fillHtml(texts.outage.title[levelOf(outage)], { name: html`<bdi>${outage.component}</bdi>` });
}

/** The text of an update, as HTML: Markdown of people, or generated for an outage in the language of the reader. */
export function updateText(local: Localization, { outage }: PublicIncident, update: IncidentUpdate): Html {
  return outage ? html`<p>${outageText(local, outage, update)}</p>\n` : cachedMarkdown(update.body);
}

/** The names of the components of an incident or a maintenance, as HTML; null without any. */
export function affectedText(
  { texts }: Localization,
  ids: readonly string[],
  components: readonly PublicComponent[],
): Html | null {
  const names = components
    .filter(({ id }) => ids.includes(id))
    .map(({ name }, at) => html`${at > 0 ? texts.comma : ""}<bdi>${name}</bdi>`);
  return names.length > 0 ? fillHtml(texts.affected, { components: html`${names}` }) : null;
}

type Outage = NonNullable<PublicIncident["outage"]>;

function outageText(
  local: Localization,
  outage: Outage,
  { status, createdAt }: Pick<IncidentUpdate, "status" | "createdAt">,
): Html {
  const { texts, duration } = local;
  if (status === "investigating")
    return fillHtml(texts.outage.start[levelOf(outage)], { time: time(local, createdAt) });
  const text = status === "resolved" ? texts.outage.end : texts.outage.later;
  return fillHtml(text, { duration: duration(outage.lengthMs, "long") });
}

function levelOf({ isDown }: { isDown: boolean }): "down" | "degraded" {
  return isDown ? "down" : "degraded";
}
