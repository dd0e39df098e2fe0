import type { PublicPage } from "../../domain/pages/public-page.ts";
import { type Html, html } from "../../html.ts";
import { pastIncident } from "./incidents.ts";
import { maintenanceCard } from "./maintenances.ts";
import { dayOf, fullDate } from "./time.ts";

/** What is over, incidents and maintenances, by the day on which it began. */
export function pastSection(page: PublicPage, base: string): Html {
  const days = Map.groupBy(pastEvents(page, base), ({ startedAt }) => dayOf(startedAt));
  return html`<section aria-labelledby="past"><h2 id="past">Past incidents and maintenance</h2>
${days.size === 0 ? html`<p class="quiet">None in the last ${String(page.historyDays)} days.</p>` : ""}
${[...days].map(
  ([day, events]) => html`<div class="day"><h3>${fullDate(day)}</h3>
${events.map(({ show }) => show())}</div>`,
)}
</section>`;
}

interface PastEvent {
  startedAt: number;
  show(): Html;
}

/** The newest first. */
function pastEvents({ incidents, maintenances, components }: PublicPage, base: string): PastEvent[] {
  const events = [
    ...incidents
      .filter(({ resolvedAt }) => resolvedAt !== null)
      .map((one) => ({ startedAt: one.startedAt, show: () => pastIncident(one, { components, base }) })),
    ...maintenances
      .filter(({ state }) => state === "ended")
      .map((one) => ({ startedAt: one.startsAt, show: () => maintenanceCard(one, components) })),
  ];
  return events.sort((a, b) => b.startedAt - a.startedAt);
}
