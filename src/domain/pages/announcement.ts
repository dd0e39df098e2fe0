import type { MaintenanceTimes } from "../maintenance/maintenance.ts";
import { isSelected, type Selector } from "../monitors/selector.ts";
import type { DownStretch } from "../outages/outage.ts";
import { longFrom, viewOf, windowEndOf } from "./outage-view.ts";
import type { MaintenanceNotice, OutageNotice, PageMail, PageNotice, PlanChange } from "./subscription.ts";

/* Notices for the subscribers of a page, besides written incidents. Times are milliseconds since 1970. */

interface NamedMonitor {
  id: string;
  tags: readonly string[];
}

/** A component with its public name. */
export interface AnnouncedComponent {
  id: string;
  name: string;
  monitor: NamedMonitor;
}

/** A window of a maintenance as it is stored. @property endsAt null while it is open */
export interface StoredRun {
  pk: number;
  maintenanceId: string;
  title: string;
  selector: Selector;
  startsAt: number;
  endsAt: number | null;
  /** The message of the maintenance; null if it is deleted. */
  message: string | null;
  /** When it is expected to end; null if that is not known. */
  expectedEnd: number | null;
  /** When the maintenance last changed. */
  updatedAt: number;
}

/** An outage of a component. @property maintenanceId of the window in which it began, null if it began in none */
export interface ComponentOutage {
  id: string;
  component: AnnouncedComponent;
  /** All components of its monitor, of which `component` is the first. */
  componentIds: readonly string[];
  startedAt: number;
  endedAt: number | null;
  /** When its monitor was in group down. */
  downs: readonly DownStretch[];
  maintenanceId: string | null;
}

/** An announcement that is not over. @property subject the ID of the outage, or the number of the window */
export interface OpenAnnouncement {
  pk: number;
  kind: "outage" | "maintenance";
  subject: string;
}

/** The events that a public page announces. */
export interface PageEvents {
  page: { pk: number; minOutage: number; updatedAt: number };
  components: readonly AnnouncedComponent[];
  /** Open and announced outages. */
  outages: readonly ComponentOutage[];
  /** Open windows, announced windows, and windows of maintenances in which an open outage began. */
  runs: readonly StoredRun[];
  announcements: readonly OpenAnnouncement[];
  /** The outages that the page shows as incidents. */
  incidentOutages: ReadonlySet<string>;
}

/** One step of an announcement. A step without a notice is stored, and nobody is notified. */
export type AnnouncementStep =
  | ({
      step: "start";
      kind: OpenAnnouncement["kind"];
      subject: string;
      at: number;
      notice: PageNotice;
    } & About)
  | ({ step: "end"; pk: number; at: number; notice: PageNotice | null } & About)
  /** The window continues as another one. */
  | { step: "move"; pk: number; subject: string };

/** The components that a notice is about. */
interface About {
  componentIds: readonly string[];
}

/** The announcements of a page now: the ends first (behavior 15.78, 15.79). */
export function planAnnouncements(events: PageEvents, now: number): AnnouncementStep[] {
  return [
    ...events.announcements.flatMap((one) =>
      one.kind === "outage" ? outageEnd(one, events, now) : windowEnd(one, events, now),
    ),
    ...events.outages.flatMap((outage) => outageStart(outage, events, now)),
    ...events.runs.flatMap((run) => windowStart(run, events)),
  ];
}

function outageStart(outage: ComponentOutage, events: PageEvents, now: number): AnnouncementStep[] {
  const { page, incidentOutages } = events;
  if (outage.endedAt !== null || incidentOutages.has(outage.id) || isAnnounced(events, "outage", outage.id))
    return [];
  const longAt = longFrom({ ...outage, windowEndsAt: windowEndOf(outage, events.runs) }, page.minOutage);
  if (longAt > now) return [];
  const at = Math.max(longAt, page.updatedAt);
  const notice = outageNotice(outage, events, now);
  const { componentIds } = outage;
  return [{ step: "start", kind: "outage", subject: outage.id, at, notice, componentIds }];
}

function outageEnd({ pk, subject }: OpenAnnouncement, events: PageEvents, now: number): AnnouncementStep[] {
  const outage = events.outages.find(({ id }) => id === subject);
  // The component, or its monitor, was deleted.
  if (!outage) return [{ step: "end", pk, at: now, notice: null, componentIds: [] }];
  if (outage.endedAt === null) return [];
  const notice = events.incidentOutages.has(subject) ? null : outageNotice(outage, events, now);
  return [{ step: "end", pk, at: outage.endedAt, notice, componentIds: outage.componentIds }];
}

function outageNotice(outage: ComponentOutage, { page, runs }: PageEvents, now: number): OutageNotice {
  const { component } = outage;
  const measured = { ...outage, windowEndsAt: windowEndOf(outage, runs) };
  const { isDown, startedAt, endedAt, lengthMs } = viewOf(measured, page.minOutage, now);
  const length = endedAt === null ? {} : { lengthMs };
  return { kind: "outage", component: component.name, isDown, startedAt, endedAt, ...length };
}

function windowStart(run: StoredRun, events: PageEvents): AnnouncementStep[] {
  if (run.endsAt !== null || isAnnounced(events, "maintenance", String(run.pk))) return [];
  const components = componentsIn(run, events);
  if (components.length === 0 || precedingAnnouncement(run, events)) return [];
  const at = Math.max(run.startsAt, run.updatedAt, events.page.updatedAt);
  const notice = windowNotice(run, components);
  const componentIds = components.map(({ id }) => id);
  return [{ step: "start", kind: "maintenance", subject: String(run.pk), at, notice, componentIds }];
}

function windowEnd({ pk, subject }: OpenAnnouncement, events: PageEvents, now: number): AnnouncementStep[] {
  const run = events.runs.find((one) => String(one.pk) === subject);
  if (!run) return [{ step: "end", pk, at: now, notice: null, componentIds: [] }];
  if (run.endsAt === null) return [];
  const next = events.runs.find((other) => continues(other, run));
  if (next && componentsIn(next, events).length > 0) return [{ step: "move", pk, subject: String(next.pk) }];
  const components = componentsIn(run, events);
  const componentIds = components.map(({ id }) => id);
  return [{ step: "end", pk, at: run.endsAt, notice: windowNotice(run, components), componentIds }];
}

/** The announcement of the window that another one continues. */
function precedingAnnouncement(run: StoredRun, { runs, announcements }: PageEvents) {
  const previous = runs.filter((one) => continues(run, one)).map(({ pk }) => String(pk));
  return announcements.find(({ kind, subject }) => kind === "maintenance" && previous.includes(subject));
}

/** Whether a window continues an earlier window of the same maintenance, which was closed because its monitors changed. */
function continues(run: StoredRun, previous: StoredRun): boolean {
  return run.maintenanceId === previous.maintenanceId && run.startsAt === previous.endsAt;
}

function componentsIn(
  { selector }: Pick<StoredRun, "selector">,
  { components }: Pick<PageEvents, "components">,
): AnnouncedComponent[] {
  return components.filter(({ monitor }) => isSelected(selector, monitor));
}

function windowNotice(run: StoredRun, announced: readonly AnnouncedComponent[]): MaintenanceNotice {
  const components = announced.map(({ name }) => name);
  const { title, message, startsAt, endsAt, expectedEnd } = run;
  const isOver = endsAt !== null;
  const end = { endsAt: endsAt ?? expectedEnd, isOver };
  return { kind: "maintenance", title, message, components, startedAt: startsAt, ...end };
}

function isAnnounced(
  { announcements }: PageEvents,
  kind: OpenAnnouncement["kind"],
  subject: string,
): boolean {
  return announcements.some((one) => one.kind === kind && one.subject === subject);
}

/** A maintenance as people planned it. */
interface PlannedWindow extends Pick<MaintenanceTimes, "startsAt" | "endsAt" | "cron"> {
  title: string;
  message: string | null;
  selector: Selector;
  notifySubscribers: boolean;
}

/**
 * The notice for the subscribers of a page after a maintenance changed, and the components that it names (behavior 15.110).
 *
 * @param change `before` is null if it is new, `after` if it is deleted
 * @returns null if nothing: the start of a window that has started is announced by itself
 */
export function planNotice(
  change: { before: PlannedWindow | null; after: PlannedWindow | null },
  components: readonly AnnouncedComponent[],
  now: number,
): { notice: MaintenanceNotice; componentIds: string[] } | null {
  const plan = planChange(change, now);
  const window = change.after ?? change.before;
  if (!plan || !window || window.startsAt === null) return null;
  const own = componentsIn(window, { components });
  if (own.length === 0) return null;
  const { title, message, startsAt, endsAt } = window;
  const names = own.map(({ name }) => name);
  const times = { startedAt: startsAt, endsAt, isOver: false };
  return {
    notice: { kind: "maintenance", plan, title, message, components: names, ...times },
    componentIds: own.map(({ id }) => id),
  };
}

function planChange(
  { before, after }: { before: PlannedWindow | null; after: PlannedWindow | null },
  now: number,
): PlanChange | null {
  if (!isPlanned(after, now)) return after === null && isPlanned(before, now) ? "canceled" : null;
  if (!before?.notifySubscribers) return "planned";
  return before.startsAt === after?.startsAt && before.endsAt === after?.endsAt ? null : "moved";
}

function isPlanned(window: PlannedWindow | null, now: number): boolean {
  if (!window?.notifySubscribers || window.cron !== null) return false;
  return window.startsAt !== null && window.startsAt > now;
}

/** How many notices one message lists. */
const LISTED = 50;

/** One message about everything that a page announces at the same time; null if nobody is notified. */
export function mailOfNotices(notices: readonly PageNotice[]): PageMail | null {
  const [first] = notices;
  if (!first) return null;
  if (notices.length === 1) return first;
  return { kind: "several", notices: notices.slice(0, LISTED), count: notices.length };
}
