import type { PublicComponent, PublicMaintenance, PublicPage } from "../../domain/pages/public-page.ts";
import { type Html, html } from "../../html.ts";
import type { Localization } from "../localization.ts";
import { fillHtml } from "../template.ts";
import { affected } from "./incidents.ts";
import { timeSpan } from "./time.ts";

/** The windows of one state, under a heading. */
export function maintenanceSection(
  local: Localization,
  { maintenances, components }: PublicPage,
  { state, title }: { state: "active" | "scheduled"; title: string },
): Html {
  const shown = maintenances.filter((maintenance) => maintenance.state === state);
  if (shown.length === 0) return html``;
  return html`<section aria-labelledby="${state}"><h2 id="${state}">${title}</h2>
${shown.map((maintenance) => maintenanceCard(local, maintenance, components))}
</section>`;
}

export function maintenanceCard(
  local: Localization,
  maintenance: PublicMaintenance,
  components: PublicComponent[],
): Html {
  const { title, message, state, startsAt, endsAt, componentIds } = maintenance;
  const { texts } = local;
  const isOver = state === "ended";
  const span = timeSpan(local, startsAt, endsAt);
  return html`<article class="card event ${isOver ? "" : "open is-planned"}">
<div class="event-head"><h3><bdi>${title}</bdi></h3><span class="pill ${isOver ? "neutral" : "planned"}">${texts.maintenanceState[state]}</span></div>
<p class="facts"><span>${isOver ? fillHtml(texts.endedMaintenance, { span }) : span}</span>${affected(local, componentIds, components)}</p>
${message === null ? "" : html`<p class="plain" dir="auto">${message}</p>`}
</article>`;
}
