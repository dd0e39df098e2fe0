import { formatDuration } from "../../../domain/duration.ts";
import type { Window } from "../../../domain/maintenance/windows.ts";

/** How times are written. @property timeZone of the times; undefined for that of the reader */
export interface Writing {
  locale?: string | undefined;
  timeZone?: string | undefined;
}

/** A window in words with its length, such as `Tue, Nov 24, 2026, 02:00 – 03:00 (1 h)`. */
export function describeWindow(window: Window, writing: Writing = {}): string {
  return `${describeSpan(window, writing)} (${formatDuration(window.endsAt - window.startsAt)})`;
}

export function describeSpan({ startsAt, endsAt }: Window, { locale, timeZone }: Writing = {}): string {
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
  if (now >= endsAt) return "over";
  return now >= startsAt
    ? `open now, ends in ${formatDuration(endsAt - now)}`
    : `in ${formatDuration(startsAt - now)}`;
}

/** Whether a zone and the reader's zone show the same local time during a window. */
export function isInReadersTime(window: Window, timeZone: string): boolean {
  return describeSpan(window) === describeSpan(window, { timeZone });
}
