import { durationParts, formatDuration as inEnglish, SECOND } from "../../../domain/duration.ts";
import { isEnglish } from "../languages/locale.ts";
import { listOf, texts } from "../languages/texts.ts";
import { formatUnit, unitIn } from "./numbers.ts";

/* Durations and latencies as the reader writes them: in English as the domain does. */

/** A duration as `2 d 5 h`: the largest unit that fits, and the next smaller one. @param length milliseconds */
export function formatDuration(length: number): string {
  if (isEnglish) return inEnglish(length);
  const parts = durationParts(length).map(({ count, unit }) => unitIn(count, unit.name));
  return parts.length === 0 ? texts.ui.duration.belowSecond : listOf(parts, "measure");
}

/** Such as `2 d`: in the largest unit that fits. @param length milliseconds */
export function formatShortDuration(length: number): string {
  const [{ count, unit } = { count: 0, unit: { name: "second", symbol: "s" } }] = durationParts(length);
  return isEnglish ? `${count} ${unit.symbol}` : unitIn(count, unit.name);
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
