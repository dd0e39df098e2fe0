import type { ComponentStatus } from "../../domain/pages/component-status.ts";
import type { Impact } from "../../domain/pages/incident.ts";
import type { DayLevel, PublicMaintenance } from "../../domain/pages/public-page.ts";

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
