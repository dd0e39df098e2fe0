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

/** @param at milliseconds since 1970 */
export function timeWords(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19).replace("T", " ")} UTC`;
}

/** As `2 d 5 h`: the largest unit that fits and the next smaller one. @param length milliseconds */
export function durationWords(length: number): string {
  const from = UNITS.findIndex((unit) => length >= unit.length);
  if (from < 0) return "less than a second";
  let rest = length;
  const parts = UNITS.slice(from, from + 2).map(({ length: unit, name }) => {
    const count = Math.floor(rest / unit);
    rest -= count * unit;
    return count > 0 ? `${count} ${name}` : "";
  });
  return parts.filter(Boolean).join(" ");
}

export function latencyWords(latencyMs: number): string {
  return latencyMs < 10 ? `${latencyMs.toFixed(1)} ms` : `${Math.round(latencyMs)} ms`;
}
