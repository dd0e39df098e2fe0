import { cached } from "../cache.ts";
import { DAY } from "../duration.ts";
import type { MaintenanceTimes } from "../maintenance/maintenance.ts";
import {
  lastWindowUntil,
  nextChangeAfter,
  nextWindowAfter,
  openWindowAt,
  type Window,
} from "../maintenance/windows.ts";
import { isSelected, type Selector } from "../monitors/selector.ts";
import { pick } from "../pick.ts";
import type { MaintenanceFacts, PageFacts, RunFacts } from "./component-status.ts";
import type { PublicMaintenance, Repetition } from "./public-page.ts";

/** @property changes when something of them changed or will change @property nextChange infinite without one */
export interface ShownMaintenances {
  items: PublicMaintenance[];
  changes: number[];
  nextChange: number;
}

/** How far a page looks ahead and back, in milliseconds. */
const HORIZON = 30 * DAY;

/** The most ended windows, besides the last one of each maintenance, which no repeated one pushes out. */
const MAX_ENDED = 20;

/**
 * The windows of maintenances that name a component (behavior 15.28): open windows, then the next window of each maintenance,
 * then ended windows.
 */
export function showMaintenances(facts: PageFacts, now: number): ShownMaintenances {
  const own = facts.maintenances.filter(({ selector }) => selected(facts, selector).length > 0);
  const active = own.flatMap((one) => showOpen(facts, one, now));
  const later = own.flatMap((one) => showNext(facts, one, now));
  const known = new Set(active.map(({ id }) => id));
  const ended = latestEnded(facts, now).filter(({ id }) => !known.has(id));
  const items = [...active.sort(byStart), ...later.sort(byStart), ...ended];
  return {
    items,
    changes: items.flatMap(({ startsAt, endsAt, updatedAt }) => [startsAt, endsAt, updatedAt]),
    nextChange: Math.min(Number.POSITIVE_INFINITY, ...own.map((one) => nextChangeAfter(one, now))),
  };
}

/** When the window that contains a moment ends, with those that overlap with it or touch it; null if there is none. */
export function windowEnd(times: MaintenanceTimes, at: number): number | null {
  return wholeAt(times, at)?.endsAt ?? null;
}

function wholeAt(times: MaintenanceTimes, at: number): WholeWindow | null {
  const window = openWindowAt(times, at);
  return window && whole(times, window);
}

function showOpen(facts: PageFacts, maintenance: MaintenanceFacts, now: number): PublicMaintenance[] {
  const window = openWindowAt(maintenance, now);
  if (!window) return [];
  const run = facts.runs.find(
    ({ maintenanceId, endsAt }) => maintenanceId === maintenance.id && endsAt === null,
  );
  const startsAt = run && run.startsAt <= now ? run.startsAt : window.startsAt;
  return [show(facts, maintenance, { ...whole(maintenance, window), startsAt, state: "active" })];
}

/** The next window of a maintenance, if it is near enough. A repeated one has no more: they would hide the others. */
function showNext(facts: PageFacts, maintenance: MaintenanceFacts, now: number): PublicMaintenance[] {
  const open = wholeAt(maintenance, now);
  if (open?.isEndless) return [];
  const next = nextWindowAfter(maintenance, open?.endsAt ?? now);
  if (!next || next.startsAt > now + HORIZON) return [];
  const shown = show(facts, maintenance, { ...whole(maintenance, next), state: "scheduled" });
  return [{ ...shown, repeats: repetitionOf(maintenance, next.startsAt) }];
}

/** @param from the start of the next window */
function repetitionOf(times: MaintenanceTimes, from: number): Repetition | null {
  const { cron, timezone } = times;
  if (cron === null) return null;
  const windows = laterWindows(JSON.stringify({ ...pick(times, TIMES), from }));
  return { weekdays: weekdaysOf(cron), timezone: timezone ?? "UTC", windows };
}

const TIMES = [
  ...(["startsAt", "endsAt", "cron", "timezone", "duration", "until", "endedRun", "endedRunAt"] as const),
];

/** The most windows of one maintenance in a calendar: one a day, and one more. */
const MAX_LATER = 31;

/** Kept, because each window takes some searches for a run. */
const laterWindows = cached((key: string): Window[] => {
  const { from, ...times } = JSON.parse(key) as MaintenanceTimes & { from: number };
  const windows: Window[] = [];
  for (let next = nextWindowAfter(times, from - 1); next && windows.length < MAX_LATER; ) {
    const { startsAt, endsAt, isEndless } = whole(times, next);
    if (startsAt > from + HORIZON) break;
    windows.push({ startsAt, endsAt });
    next = isEndless ? null : nextWindowAfter(times, endsAt);
  }
  return windows;
}, 1000);

const DAY_NAMES = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

/**
 * The days of the week on which an expression with one time of the day runs; all of them for each day.
 *
 * @returns null for any other expression
 */
export function weekdaysOf(cron: string): number[] | null {
  const [minute = "", hour = "", ofMonth, month, ofWeek = ""] = cron.trim().toLowerCase().split(/\s+/);
  if (!/^\d+$/.test(minute) || !/^\d+$/.test(hour) || ofMonth !== "*" || month !== "*") return null;
  const days = new Set<number>();
  for (const part of ofWeek.split(",")) {
    const [, from = "", to, step = "1"] = /^([\da-z]+|\*)(?:-([\da-z]+))?(?:\/(\d+))?$/.exec(part) ?? [];
    const first = from === "*" ? 0 : numberOfDay(from);
    const last = from === "*" ? 6 : to === undefined ? first : numberOfDay(to);
    if (Number.isNaN(first + last) || (to === undefined && from !== "*" && step !== "1")) return null;
    for (let day = first; day <= last; day += Number(step)) days.add(day % 7);
  }
  return days.size === 0 ? null : [...days].sort((one, other) => one - other);
}

/** @returns 0 to 7, or NaN */
function numberOfDay(text: string): number {
  if (/^[0-7]$/.test(text)) return Number(text);
  const named = DAY_NAMES.indexOf(text);
  return named < 0 ? Number.NaN : named;
}

/** The windows that ended since a moment, the latest first. */
export function endedSince(facts: PageFacts, since: number, now: number): PublicMaintenance[] {
  return facts.runs.flatMap((run) => showEnded(facts, run, { since, now })).sort(byEnd);
}

/** The last ended window of each maintenance, and the last ones of all: the latest first. */
function latestEnded(facts: PageFacts, now: number): PublicMaintenance[] {
  const windows = facts.runs.flatMap((run) =>
    showEnded(facts, run, { since: now - HORIZON, now }).map((window) => ({ window, of: run.maintenanceId })),
  );
  const seen = new Set<string>();
  return windows
    .sort((one, other) => byEnd(one.window, other.window))
    .filter(({ of }, at) => {
      const isLast = !seen.has(of);
      seen.add(of);
      return isLast || at < MAX_ENDED;
    })
    .map(({ window }) => window);
}

function showEnded(
  facts: PageFacts,
  run: RunFacts,
  { since, now }: { since: number; now: number },
): PublicMaintenance[] {
  const { maintenanceId: id, startsAt, updatedAt } = run;
  const endsAt = run.endsAt ?? unnoticedEnd(facts, run, now);
  if (endsAt === null || endsAt <= startsAt || endsAt < since) return [];
  if (selected(facts, run.selector).length === 0) return [];
  const window = { startsAt, endsAt, state: "ended" as const };
  return [show(facts, { ...run, id, updatedAt: Math.max(endsAt, updatedAt ?? 0) }, window)];
}

/** The end of a window that is noticed a little later; null if it has not ended. */
function unnoticedEnd({ maintenances }: PageFacts, { maintenanceId }: RunFacts, now: number): number | null {
  const maintenance = maintenances.find(({ id }) => id === maintenanceId);
  if (!maintenance) return now;
  if (openWindowAt(maintenance, now)) return null;
  return Math.min(now, lastWindowUntil(maintenance, now)?.endsAt ?? now);
}

function show(
  facts: PageFacts,
  { id, title, message, selector, updatedAt }: Omit<MaintenanceFacts, keyof MaintenanceTimes>,
  { startsAt, endsAt, state }: Window & Pick<PublicMaintenance, "state">,
): PublicMaintenance {
  const componentIds = selected(facts, selector);
  return {
    id: `${id}${startsAt.toString(36)}`,
    series: id,
    repeats: null,
    title,
    message,
    state,
    startsAt,
    endsAt,
    componentIds,
    updatedAt,
  };
}

/** The IDs of the components that a selector names. */
function selected({ components }: PageFacts, selector: Selector): string[] {
  return components
    .filter(({ monitorId, tags }) => isSelected(selector, { id: monitorId, tags }))
    .map(({ id }) => id);
}

/** Bounds the search: the windows of an expression may overlap without an end. */
const MAX_IN_A_ROW = 100;

/** @property isEndless whether so many follow without a gap that no gap was found: no window after it is shown */
type WholeWindow = Window & { isEndless: boolean };

/** A window with those that overlap with it or touch it, which follow it. */
function whole(times: MaintenanceTimes, { startsAt, endsAt }: Window): WholeWindow {
  let [last, end] = [startsAt, endsAt];
  for (let count = 0; count < MAX_IN_A_ROW; count++) {
    const next = nextWindowAfter(times, last);
    if (!next || next.startsAt > end) return { startsAt, endsAt: end, isEndless: false };
    last = next.startsAt;
    end = Math.max(end, next.endsAt);
  }
  return { startsAt, endsAt: end, isEndless: true };
}

function byStart(one: PublicMaintenance, other: PublicMaintenance): number {
  return one.startsAt - other.startsAt || compare(one.id, other.id);
}

function byEnd(one: PublicMaintenance, other: PublicMaintenance): number {
  return other.endsAt - one.endsAt || compare(one.id, other.id);
}

function compare(one: string, other: string): number {
  return one < other ? -1 : 1;
}
