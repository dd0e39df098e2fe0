import type { PageLanguage } from "./language.ts";

export const PAGE_VISIBILITIES = ["public", "password", "off"] as const;
export type PageVisibility = (typeof PAGE_VISIBILITIES)[number];

/** Whether the page has readers, who may need its password. */
export function isShown(visibility: PageVisibility): boolean {
  return visibility !== "off";
}

/** A monitor on a page. */
export interface Component {
  id: string;
  monitorId: string;
  /** Replaces the name of the monitor; null if it does not. */
  name: string | null;
  group: string | null;
}

/** Components of one page. */
export const MAX_COMPONENTS = 500;

/** A public page, as its organization configures it. */
export interface Page {
  id: string;
  /** Unique on the server. */
  slug: string;
  title: string;
  description: string | null;
  visibility: PageVisibility;
  /** `•••` for a stored password; null without a password. */
  password: string | null;
  /** Days of history, today included. */
  days: number;
  /** Seconds; shorter outages are not shown as incidents. */
  minOutage: number;
  showLatency: boolean;
  /** Such as `#2450c4`; null for the color of stillup. */
  accent: string | null;
  /** A data URL. */
  logo: string | null;
  /** The sites that may embed it. */
  embedOrigins: string[];
  /** Language of its texts, its feed and its e-mails. */
  language: PageLanguage;
  /** IANA name of the zone of its times. */
  timezone: string;
  components: Component[];
  /** The name under which a configuration file knows it; null if none does. */
  ref: string | null;
}
