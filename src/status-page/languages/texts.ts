import type { Plural } from "../../domain/locale-formats.ts";
import type { ComponentStatus } from "../../domain/pages/component-status.ts";
import type { Impact, IncidentStatus } from "../../domain/pages/incident.ts";
import type { DayLevel, PublicMaintenance } from "../../domain/pages/public-page.ts";

/** The text about a monitor that is down, and the text about a degraded one. */
type Outage = Record<"down" | "degraded", string>;

interface Message {
  heading: string;
  text: string;
}

/**
 * All texts of public pages, feeds and e-mails in one language (behavior 21.1).
 *
 * `{name}` is a place that a value replaces: a whole sentence is one template, because the order of its parts differs between
 * languages. A name is never declined, so its place is one where its form does not depend on the sentence.
 *
 * @typeParam Category as `Intl.PluralRules` has them for the language
 */
export interface Texts<Category extends Intl.LDMLPluralRule = never> {
  /** Between a name and its value, and between the items of a list, with their spaces. */
  colon: string;
  comma: string;

  /** The overall state. */
  summary: Record<Impact | "maintenance", string>;
  componentStatus: Record<ComponentStatus, string>;
  incidentStatus: Record<IncidentStatus, string>;
  maintenanceState: Record<PublicMaintenance["state"], string>;
  day: Record<DayLevel, string>;

  lastChange: string;
  since: string;
  /** From one time to another one. */
  span: string;
  edited: string;
  affected: string;
  lessThan: string;
  timeZone: string;
  /** The zone of the browser. */
  ownTimeZone: string;
  notRefreshed: string;

  currentIncidents: string;
  maintenanceInProgress: string;
  components: string;
  scheduledMaintenance: string;
  past: string;
  noneInDays: Plural<Category>;
  earlierUpdates: Plural<Category>;
  endedMaintenance: string;
  atomFeed: string;

  colorsOfDays: string;
  utcDays: string;
  history: Plural<Category>;
  noDaysWithProblems: string;
  daysWithProblems: Plural<Category>;
  andEarlier: Plural<Category>;
  today: string;
  uptime: string;
  noDataYet: string;
  meanLatency: string;

  /** The status of what people have not written about: nobody says that it is investigated (behavior 15.104). */
  detected: string;
  downtime: string;
  repeats: {
    every: string;
    /** Each Sunday, each Monday, and so on, as the items of a list. */
    on: readonly [string, string, string, string, string, string, string];
    /** Neither each day nor on days of the week. */
    other: string;
    next: string;
  };
  months: { link: string; none: string };
  darkMode: string;
  calendar: string;

  /** The generated texts of an outage (behavior 15.26). */
  outage: {
    several: Record<"down" | "degraded", Plural<Category>>;
    title: Outage;
    start: Outage;
    /** It was down, and is degraded now. */
    later: string;
    end: string;
  };

  notFound: Message;
  /** A page exists, but does not show an incident, for example because it is older than the days of the page. */
  noIncident: string;
  /** The form for the password of a page. */
  unlock: { label: string; button: string; wrong: string };
  subscribe: {
    heading: string;
    text: string;
    address: string;
    button: string;
    invalid: string;
  };
  /** The components that messages are about. */
  choose: { label: string; hint: string; save: string; saved: string };
  pending: Message;
  limited: Message;
  confirm: Message & { button: string };
  confirmed: Message;
  unsubscribe: Message & { button: string };
  unsubscribed: Message;

  mail: {
    optIn: { subject: string; reason: string; confirm: string; button: string };
    newIncident: string;
    maintenance: string;
    maintenanceOver: string;
    planned: string;
    moved: string;
    canceled: string;
    plannedFor: string;
    began: string;
    beganAndEnded: string;
    beganAndEnds: string;
    changes: Plural<Category>;
    changesOnPage: Plural<Category>;
    andMore: Plural<Category>;
    last: string;
    open: string;
    reason: string;
  };

  /** The report by mail. */
  report: {
    uptime: string;
    /** The uptime of the period before. */
    before: string;
    outages: string;
    missed: string;
    /** The heading of certificates and domains. */
    ends: string;
    certificate: string;
    domain: string;
  };
}
