import { formatMeanLatency } from "../domain/duration.ts";
import { type ComponentStatus, isUnderMaintenance } from "../domain/pages/component-status.ts";
import type { Impact } from "../domain/pages/incident.ts";
import type { BadgeKind, PublicComponent, PublicPage } from "../domain/pages/public-page.ts";
import { oneLine, truncate } from "../domain/truncate.ts";
import { validXml } from "./feed.ts";

/** The names of shields.io. */
export type Color =
  | "brightgreen"
  | "green"
  | "yellowgreen"
  | "yellow"
  | "orange"
  | "red"
  | "blue"
  | "lightgrey";

export interface Badge {
  label: string;
  message: string;
  color: Color;
}

/** UTF-16 units of a name in a label. */
const MAX_LABEL = 60;

const INDICATOR_COLORS: Record<Impact, Color> = {
  none: "brightgreen",
  minor: "yellow",
  major: "orange",
  critical: "red",
};

const STATUS_BADGES: Record<ComponentStatus, Omit<Badge, "label">> = {
  operational: { message: "operational", color: "brightgreen" },
  under_maintenance: { message: "under maintenance", color: "blue" },
  degraded_performance: { message: "degraded", color: "yellow" },
  major_outage: { message: "down", color: "red" },
};

const NO_DATA: Omit<Badge, "label"> = { message: "no data", color: "lightgrey" };

/** The overall state (behavior 15.61). */
export function pageBadge({ title, summary, indicator, components }: PublicPage): Badge {
  const color = isUnderMaintenance(indicator, components) ? "blue" : INDICATOR_COLORS[indicator];
  return { label: labelOf(title), message: summary, color };
}

/** @returns null for a kind that the page does not show (behavior 15.61) */
export function componentBadge(page: PublicPage, component: PublicComponent, kind: BadgeKind): Badge | null {
  if (kind === "latency" && !page.showLatency) return null;
  return badges[kind](page, component);
}

const badges: Record<BadgeKind, (page: PublicPage, component: PublicComponent) => Badge> = {
  status: (_page, { name, status }) => ({ label: labelOf(name), ...STATUS_BADGES[status] }),
  uptime: ({ historyDays }, { name, uptime }) => ({
    label: `${labelOf(name)} uptime, ${historyDays} days`,
    ...(uptime === null ? NO_DATA : { message: uptime, color: uptimeColor(Number.parseFloat(uptime)) }),
  }),
  latency: (_page, { name, latencyMs }) => ({
    label: `${labelOf(name)} latency`,
    ...(latencyMs === null ? NO_DATA : { message: formatMeanLatency(latencyMs), color: "blue" }),
  }),
};

/** @param percent 0 to 100 */
function uptimeColor(percent: number): Color {
  if (percent >= 99.9) return "brightgreen";
  if (percent >= 99) return "green";
  if (percent >= 97) return "yellowgreen";
  if (percent >= 95) return "yellow";
  return percent >= 90 ? "orange" : "red";
}

function labelOf(name: string): string {
  return truncate(oneLine(name), MAX_LABEL);
}

/** In the form of the endpoint badges of shields.io. */
export function badgeJson({ label, message, color }: Badge): string {
  return JSON.stringify({ schemaVersion: 1, label, message, color });
}

/** The colors that shields.io shows for these names. */
const COLORS: Record<Color, string> = {
  brightgreen: "4c1",
  green: "97ca00",
  yellowgreen: "a4a61d",
  yellow: "dfb317",
  orange: "fe7d37",
  red: "e05d44",
  blue: "007ec6",
  lightgrey: "9f9f9f",
};

/** A picture in a flat style, because the other style has IDs that differ each time. */
export async function badgeSvg({ label, message, color }: Badge): Promise<string> {
  // Loaded at the first use: the widths of its letters take two megabytes.
  const { badgen } = await import("badgen");
  return validXml(badgen({ label, status: message, color: COLORS[color], style: "flat" }));
}
