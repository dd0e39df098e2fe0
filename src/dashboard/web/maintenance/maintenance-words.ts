import type { MaintenanceState } from "../../../domain/maintenance/maintenance.ts";
import { type Window, windowsFrom } from "../../../domain/maintenance/windows.ts";
import type { Selector } from "../../../domain/monitors/selector.ts";
import { isolated, locale as ownLocale } from "../languages/locale.ts";
import { fill, listOf, plural, texts } from "../languages/texts.ts";
import type { CalendarDay } from "../ui/days.ts";
import { formatDuration } from "../ui/durations.ts";
import { dateFormat } from "../ui/time.tsx";
import { isForever, parsedTimes, type TimesBody } from "./maintenance-values.ts";

/** How many monitors a sentence names. */
export const MAX_NAMES = 3;
const untilFormat = dateFormat({ dateStyle: "medium", timeStyle: "short" });

/** Which monitors a selector names, in words. @param known names of monitors, by ID */
export function describeSelector(
  { all, tags = [], monitorIds = [] }: Selector,
  known: ReadonlyMap<string, string>,
): string {
  const words = texts.maintenance.monitors;
  if (all) return words.all;
  const shown = monitorIds.slice(0, MAX_NAMES).flatMap((id) => known.get(id) ?? []);
  const rest = monitorIds.length - shown.length;
  const tagged = tags.length === 0 ? [] : [fill(words.tagged, { tags: listOf(tags, "disjunction") })];
  const others = rest === 0 ? [] : [plural(shown.length === 0 ? words.count : words.more, rest)];
  return [...tagged, ...shown.map(isolated), ...others].join(texts.common.comma);
}

/** When a maintenance has windows, in words. */
export function describeTimes({ startsAt, endsAt, cron, timezone, duration, until }: TimesBody): string {
  if (startsAt !== null && endsAt !== null)
    return describeWindow({ startsAt: Date.parse(startsAt), endsAt: Date.parse(endsAt) });
  const words = texts.maintenance.times;
  const length = formatDuration((duration ?? 0) * 1000);
  const times = { cron: cron ?? "", zone: timezone ?? "UTC", length };
  if (until === null || isForever(until)) return fill(words.repeated, times);
  return fill(words.repeatedUntil, { ...times, end: untilFormat.format(Date.parse(until)) });
}

interface Sorted {
  title: string;
  state: MaintenanceState;
  nextStartsAt: string | null;
  endsAt: string | null;
}

const ORDER: MaintenanceState[] = ["active", "scheduled", "ended"];

/** Maintenances in progress first, then by the next start, then by the latest end. */
export function byState(a: Sorted, b: Sorted): number {
  return (
    ORDER.indexOf(a.state) - ORDER.indexOf(b.state) ||
    compare(a.nextStartsAt, b.nextStartsAt) ||
    compare(b.endsAt, a.endsAt) ||
    a.title.localeCompare(b.title)
  );
}

function compare(a: string | null, b: string | null): number {
  return (a === null ? 0 : Date.parse(a)) - (b === null ? 0 : Date.parse(b));
}

/** How times are written. @property timeZone of the times; undefined for the reader's zone */
interface Writing {
  locale?: string | undefined;
  timeZone?: string | undefined;
}

/** A window in words with its length, such as `Tue, Nov 24, 2026, 02:00 – 03:00 (1 h)`. */
export function describeWindow(window: Window, writing: Writing = {}): string {
  const length = formatDuration(window.endsAt - window.startsAt);
  return fill(texts.maintenance.times.once, { span: describeSpan(window, writing), length });
}

export function describeSpan(
  { startsAt, endsAt }: Window,
  { locale = ownLocale, timeZone }: Writing = {},
): string {
  const format = new Intl.DateTimeFormat(locale, {
    weekday: "short",
    year: "numeric",
    month: "short",
    day: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    timeZone,
  });
  return format.formatRange(startsAt, endsAt);
}

/** When a window begins or ends, seen from a moment. */
export function describeDistance({ startsAt, endsAt }: Window, now: number): string {
  const words = texts.maintenance.preview;
  if (now >= endsAt) return words.over;
  return now >= startsAt
    ? fill(words.open, { duration: formatDuration(endsAt - now) })
    : fill(words.ahead, { duration: formatDuration(startsAt - now) });
}

/** Whether a zone and the reader's zone show the same local time during a window. */
export function isInReadersTime(window: Window, timeZone: string): boolean {
  return describeSpan(window) === describeSpan(window, { timeZone });
}

/** The part of a window on one day. */
export interface CalendarEntry {
  id: string;
  title: string;
  startsAt: number;
  endsAt: number;
}

/** @property createdAt ISO 8601 */
type Shown = TimesBody & { id: string; title: string; createdAt: string };

/** A cron expression may have a run each minute. */
const MAX_WINDOWS = 10;

/** The windows of a day, soonest first, of each maintenance only the first ones. Windows before it was created are none. */
export function entriesOn({ start, end }: CalendarDay, maintenances: readonly Shown[]): CalendarEntry[] {
  return maintenances
    .flatMap(({ id, title, createdAt, ...times }) =>
      windowsFrom(parsedTimes(times), start, MAX_WINDOWS)
        .filter(({ startsAt, endsAt }) => startsAt < end && endsAt > Date.parse(createdAt))
        .map((window) => ({ id, title, ...window })),
    )
    .sort((a, b) => a.startsAt - b.startsAt);
}

/** The first entries of a day, and how many more there are: an empty text without others. */
export function shortList(
  entries: readonly CalendarEntry[],
  most: number,
): { shown: CalendarEntry[]; rest: string } {
  const shown = entries.slice(0, most);
  const hidden = entries.length - shown.length;
  const counts = Map.groupBy(entries, ({ id }) => id);
  const isCut = [...counts.values()].some((one) => one.length === MAX_WINDOWS);
  const words = texts.maintenance.calendar;
  return { shown, rest: hidden === 0 ? "" : isCut ? words.manyMore : plural(words.more, hidden) };
}
