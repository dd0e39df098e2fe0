import type { PublicComponent, PublicMaintenance, PublicPage } from "../../domain/pages/public-page.ts";
import { type Html, html } from "../../html.ts";
import { affected } from "./incidents.ts";
import { timeSpan } from "./time.ts";
import { maintenanceWords } from "./words.ts";

/** The windows of one state, under a heading. */
export function maintenanceSection(
  { maintenances, components }: PublicPage,
  { state, title }: { state: "active" | "scheduled"; title: string },
): Html {
  const shown = maintenances.filter((maintenance) => maintenance.state === state);
  if (shown.length === 0) return html``;
  return html`<section aria-labelledby="${state}"><h2 id="${state}">${title}</h2>
${shown.map((maintenance) => maintenanceCard(maintenance, components))}
</section>`;
}

export function maintenanceCard(maintenance: PublicMaintenance, components: PublicComponent[]): Html {
  const { title, message, state, startsAt, endsAt, componentIds } = maintenance;
  const isOver = state === "ended";
  return html`<article class="card event ${isOver ? "" : "open is-planned"}">
<div class="event-head"><h3><bdi>${title}</bdi></h3><span class="pill ${isOver ? "neutral" : "planned"}">${maintenanceWords[state]}</span></div>
<p class="facts"><span>${isOver ? "Maintenance, " : ""}${timeSpan(startsAt, endsAt)}</span>${affected(componentIds, components)}</p>
${message === null ? "" : html`<p class="plain" dir="auto">${message}</p>`}
</article>`;
}
