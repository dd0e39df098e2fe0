import type { ComponentStatus } from "./component-status.ts";
import type { Impact, Incident, IncidentStatus } from "./incident.ts";
import type { Logo } from "./page-look.ts";
import type { PasswordHash } from "./page-password.ts";
import type { PageLanguage } from "./reader-locale.ts";

/*
 * A page as everybody may see it: no target, no reason, no ID of a monitor, nothing of a monitor that is not a component
 * (behavior 15.30). Times are milliseconds since 1970.
 */

/** The level of one day (UTC). `none`: no result. */
export const DAY_LEVELS = ["none", "good", "partial", "down"] as const;
export type DayLevel = (typeof DAY_LEVELS)[number];

export interface PublicDay {
  /** For example `2026-11-22`. */
  date: string;
  level: DayLevel;
  /** Two decimals, for example `99.98%`; null without results. */
  uptime: string | null;
}

export interface PublicComponent {
  id: string;
  name: string;
  /** The ID and the name of its group; null without one. */
  group: { id: string; name: string } | null;
  status: ComponentStatus;
  /** When its status last changed. */
  since: number;
  createdAt: number;
  /** Over the days of the page; null without results. */
  uptime: string | null;
  /** The oldest first; the last one is today. */
  days: PublicDay[];
  /** For how long it was down on a day (UTC), in milliseconds, by the date; without the days on which it was not. */
  downMs: Readonly<Record<string, number>>;
  /** Mean of the last 24 hours in milliseconds; null without one, or if the page does not show it. */
  latencyMs: number | null;
}

/**
 * An incident that people wrote, or an outage. The title and the updates of an outage are in plain English; all bodies are Markdown.
 */
export interface PublicIncident extends Incident {
  /** The values in the texts of an outage, which are generated in each language; null if people wrote the incident. */
  outage: PublicOutage | null;
  status: IncidentStatus;
  updatedAt: number;
}

/**
 * @property component its name
 * @property lengthMs how long it lasted, or how long it was down before it was degraded; 0 while neither is known
 */
export interface PublicOutage {
  component: string;
  isDown: boolean;
  lengthMs: number;
}

/** When a repeated maintenance has windows. @property timezone IANA name */
export interface Repetition {
  /** Sunday is 0; all seven for each day. Null if the windows do not begin at one time on days of the week. */
  weekdays: readonly number[] | null;
  timezone: string;
  /** The windows of the next 30 days that do not overlap, the soonest first. */
  windows: readonly { startsAt: number; endsAt: number }[];
}

/** One window of a maintenance. */
export interface PublicMaintenance {
  /** Differs from window to window. */
  id: string;
  /** The same for all windows of one maintenance. */
  series: string;
  /** The repetition, for the next window of a maintenance that repeats; null for all other windows. */
  repeats: Repetition | null;
  title: string;
  message: string | null;
  state: "scheduled" | "active" | "ended";
  startsAt: number;
  endsAt: number;
  componentIds: string[];
  updatedAt: number;
}

export interface PublicPage {
  id: string;
  slug: string;
  title: string;
  description: string | null;
  /** The hash of the password that readers need, which no body shows; null without one. */
  passwordHash: PasswordHash | null;
  /** How many days of history it shows. */
  historyDays: number;
  showLatency: boolean;
  /** Such as `#2450c4`; null for the color of stillup. */
  accent: string | null;
  logo: Logo | null;
  /** The sites that may show it in a frame. */
  embedOrigins: readonly string[];
  language: PageLanguage;
  /** IANA name of the zone of its times. Its days are in UTC. */
  timezone: string;
  /** Milliseconds since 1970: the latest change of anything on it, except of uptimes and latencies. */
  updatedAt: number;
  /** The worst of components and open incidents. */
  indicator: Impact;
  /** The overall state in English, for example `All Systems Operational`. */
  summary: string;
  /** The mean of the uptimes of its components, such as `99.98%`; null without results. */
  uptime: string | null;
  /** In the order of the page; components of one group follow each other, at the place of the first of them. */
  components: PublicComponent[];
  /**
   * All that people wrote, and at most 50 outages: open incidents first, of these the written incidents first, each part the
   * newest first.
   */
  incidents: PublicIncident[];
  /** Open windows, then the next one of each maintenance in 30 days, then ended ones of the last 30 days, the nearest first. */
  maintenances: PublicMaintenance[];
}

/** The values that the badge of a component can show. */
export const BADGE_KINDS = ["status", "uptime", "latency"] as const;
export type BadgeKind = (typeof BADGE_KINDS)[number];
