/** Milliseconds. */
export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

const UNITS = [
  { length: DAY, symbol: "d", name: "day" },
  { length: HOUR, symbol: "h", name: "hour" },
  { length: MINUTE, symbol: "min", name: "minute" },
  { length: SECOND, symbol: "s", name: "second" },
] as const;

type Unit = (typeof UNITS)[number];

/** A duration as `2 d 5 h`: the largest unit that fits, and the next smaller one. @param length milliseconds */
export function formatDuration(length: number): string {
  return joinUnits(length, (_, { symbol }) => symbol);
}

/** As `formatDuration`, with the names of the units: `2 days 5 hours`. @param length milliseconds */
export function durationInWords(length: number): string {
  return joinUnits(length, (count, { name }) => (count > 1 ? `${name}s` : name));
}

function joinUnits(length: number, nameOf: (count: number, unit: Unit) => string): string {
  const parts = durationParts(length);
  if (parts.length === 0) return "less than a second";
  return parts.map(({ count, unit }) => `${count} ${nameOf(count, unit)}`).join(" ");
}

/** The largest unit that fits, and the next smaller one, without a unit of which there are 0. None below a second. @param length milliseconds */
export function durationParts(length: number): { count: number; unit: Unit }[] {
  const largest = UNITS.findIndex((unit) => length >= unit.length);
  if (largest < 0) return [];
  let rest = length;
  const parts = UNITS.slice(largest, largest + 2).map((unit) => {
    const count = Math.floor(rest / unit.length);
    rest -= count * unit.length;
    return { count, unit };
  });
  return parts.filter(({ count }) => count > 0);
}

/** A latency as `0.4 ms`, `42 ms` or, from 10 s on, `12.3 s`. @param latencyMs milliseconds */
export function formatLatency(latencyMs: number): string {
  if (latencyMs >= 10 * SECOND) return `${(latencyMs / SECOND).toFixed(1)} s`;
  if (latencyMs === 0) return "0 ms";
  return latencyMs < 10 ? `${latencyMs.toFixed(1)} ms` : `${Math.round(latencyMs)} ms`;
}

/** A mean of latencies for readers of public pages: `less than 1 ms` or as `formatLatency`. @param latencyMs milliseconds */
export function formatMeanLatency(latencyMs: number): string {
  return latencyMs < 1 ? "less than 1 ms" : formatLatency(latencyMs);
}

const DURATION = /^(?=\d)(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?$/;

/** Reads a duration such as `30m` or `1h30m`: days, hours, minutes, seconds. @returns milliseconds; null for any other text */
export function parseDuration(text: string): number | null {
  const parts = DURATION.exec(text)
    ?.slice(1)
    .map((part) => Number(part ?? 0));
  if (!parts) return null;
  const [days = 0, hours = 0, minutes = 0, seconds = 0] = parts;
  const length = (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000;
  return length > 0 ? length : null;
}
