const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const UNITS = [
  { length: DAY, name: "d" },
  { length: HOUR, name: "h" },
  { length: MINUTE, name: "min" },
  { length: SECOND, name: "s" },
];

/** A duration as `2 d 5 h`: the largest unit that fits, and the next smaller one. @param length milliseconds */
export function formatDuration(length: number): string {
  const largest = UNITS.findIndex((unit) => length >= unit.length);
  if (largest < 0) return "less than a second";
  let rest = length;
  const parts = UNITS.slice(largest, largest + 2).map((unit) => {
    const count = Math.floor(rest / unit.length);
    rest -= count * unit.length;
    return count > 0 ? `${count} ${unit.name}` : "";
  });
  return parts.filter(Boolean).join(" ");
}

/** A latency as `0.4 ms`, `42 ms` or, from 10 s on, `12.3 s`. @param latencyMs milliseconds */
export function formatLatency(latencyMs: number): string {
  if (latencyMs >= 10 * SECOND) return `${(latencyMs / SECOND).toFixed(1)} s`;
  if (latencyMs === 0) return "0 ms";
  return latencyMs < 10 ? `${latencyMs.toFixed(1)} ms` : `${Math.round(latencyMs)} ms`;
}
