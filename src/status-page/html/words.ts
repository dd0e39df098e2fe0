import type { Impact } from "../../domain/pages/incident.ts";
import type { ComponentStatus, DayLevel, PublicMaintenance } from "../../domain/pages/public-page.ts";

/** A color and, for readers who do not see it, an icon. Classes of the styles. */
export type Tone = "good" | "planned" | "minor" | "bad" | "neutral";

export const componentWords: Record<ComponentStatus, { label: string; tone: Tone }> = {
  operational: { label: "Operational", tone: "good" },
  under_maintenance: { label: "Under maintenance", tone: "planned" },
  degraded_performance: { label: "Degraded performance", tone: "minor" },
  major_outage: { label: "Major outage", tone: "bad" },
};

export const impactTones: Record<Impact, Tone> = {
  none: "neutral",
  minor: "minor",
  major: "bad",
  critical: "bad",
};

export const maintenanceWords: Record<PublicMaintenance["state"], string> = {
  scheduled: "Scheduled",
  active: "In progress",
  ended: "Completed",
};

/** @property mark the class of a bar */
export const dayWords: Record<DayLevel, { label: string; mark: string }> = {
  good: { label: "No problems", mark: "" },
  partial: { label: "Problems", mark: "p" },
  down: { label: "Outage", mark: "d" },
  none: { label: "No data", mark: "n" },
};
