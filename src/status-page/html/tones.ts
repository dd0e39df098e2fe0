import type { ComponentStatus } from "../../domain/pages/component-status.ts";
import type { Impact } from "../../domain/pages/incident.ts";
import type { DayLevel } from "../../domain/pages/public-page.ts";
import { type Html, html } from "../../html.ts";

/** A color and, for readers who do not see it, an icon. Classes of the styles. */
export type Tone = "good" | "planned" | "minor" | "bad" | "neutral";

export const componentTones: Record<ComponentStatus, Exclude<Tone, "neutral">> = {
  operational: "good",
  under_maintenance: "planned",
  degraded_performance: "minor",
  major_outage: "bad",
};

export const impactTones: Record<Impact, Tone> = {
  none: "neutral",
  minor: "minor",
  major: "bad",
  critical: "bad",
};

/** The class of a bar. */
export const dayMarks: Record<DayLevel, string> = { good: "", partial: "p", down: "d", none: "n" };

/** The shapes of all icons. They are in the page once, and `icon` refers to them. */
export const iconShapes = html`<svg class="defs" aria-hidden="true">
<symbol id="good" viewBox="0 0 24 24"><circle cx="12" cy="12" r="10"/><path d="m8 12.4 2.8 2.8L16.2 9.6"/></symbol>
<symbol id="minor" viewBox="0 0 24 24"><path d="M12 3 1.9 20.5h20.2zM12 10v4.6M12 17.4v.1"/></symbol>
<symbol id="bad" viewBox="0 0 24 24"><circle cx="12" cy="12" r="10"/><path d="m9 9 6 6m0-6-6 6"/></symbol>
<symbol id="planned" viewBox="0 0 24 24"><circle cx="12" cy="12" r="10"/><path d="M12 6.5V12l3.5 2.2"/></symbol>
</svg>`;

export function icon(tone: Exclude<Tone, "neutral">): Html {
  return html`<svg aria-hidden="true"><use href="#${tone}"/></svg>`;
}
