import { durationParts, SECOND } from "../../../domain/duration.ts";
import { isEnglish } from "../languages/locale.ts";
import { fill, listOf, plural, texts } from "../languages/texts.ts";
import { formatUnit } from "./numbers.ts";

/* Durations and latencies as the reader writes them: in English as the domain does. */

/** A duration as `2 d 5 h`: the largest unit that fits, and the next smaller one. @param length milliseconds */
export function formatDuration(length: number): string {
  const parts = durationParts(length).map(({ count, unit }) => formatUnit(count, unit.name));
  if (parts.length === 0) return texts.ui.duration.belowSecond;
  return isEnglish ? parts.join(" ") : listOf(parts, "measure");
}

/** Such as `2 d`: in the largest unit that fits. @param length milliseconds */
export function formatShortDuration(length: number): string {
  const [{ count, unit } = { count: 0, unit: { name: "second" } } as const] = durationParts(length);
  return formatUnit(count, unit.name);
}

/** A latency as `0.4 ms`, `42 ms` or, from 10 s on, `12.3 s`. @param latencyMs milliseconds */
export function formatLatency(latencyMs: number): string {
  if (latencyMs >= 10 * SECOND) return formatUnit(latencyMs / SECOND, "second", 1);
  return formatUnit(latencyMs, "millisecond", latencyMs > 0 && latencyMs < 10 ? 1 : 0);
}

/** A latency, with a dash for none. */
export function latencyOrDash(latencyMs: number | null | undefined): string {
  return latencyMs === null || latencyMs === undefined ? "–" : formatLatency(latencyMs);
}

/** How long a run took, as `412 ms` or, from a second on, `8 min 12 s`. @param length milliseconds */
export function formatRunTime(length: number): string {
  return length < SECOND ? formatLatency(length) : formatDuration(length);
}

const DAY = 86_400_000;

/** Such as `5 days left`. @param left milliseconds until the expiry; negative after it */
export function formatExpiry(left: number): string {
  const { expiry } = texts.ui;
  const length = Math.abs(left);
  const days = Math.floor(length / DAY);
  if (days > 0) return plural(left > 0 ? expiry.daysLeft : expiry.daysAgo, days);
  return fill(left > 0 ? expiry.left : expiry.ago, { duration: formatDuration(length) });
}
