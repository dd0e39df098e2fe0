import { countWords } from "./numbers.ts";

const DAY = 86_400_000;

const UNITS: [length: number, name: string][] = [
  [DAY, "d"],
  [3_600_000, "h"],
  [60_000, "min"],
  [1000, "s"],
];

/** As `2 d 5 h`: the largest unit that fits and the next smaller one. @param length milliseconds */
export function durationWords(length: number): string {
  const from = UNITS.findIndex(([unit]) => length >= unit);
  if (from < 0) return "0 s";
  let rest = length;
  const parts = UNITS.slice(from, from + 2).flatMap(([unit, name]) => {
    const count = Math.floor(rest / unit);
    rest -= count * unit;
    return count > 0 ? [`${count} ${name}`] : [];
  });
  return parts.join(" ");
}

/** In one unit, for where room is scarce. @param length milliseconds */
export function roughWords(length: number): string {
  const [unit, name] = UNITS.find(([one]) => length >= one) ?? [1000, "s"];
  return `${Math.max(0, Math.floor(length / unit))} ${name}`;
}

/** How far off an end is. @param left milliseconds; negative once it has passed */
export function endWords(left: number): string {
  const days = Math.floor(Math.abs(left) / DAY);
  const span = days > 0 ? countWords(days, "day") : durationWords(Math.abs(left));
  return left > 0 ? `${span} left` : `Ended ${span} ago`;
}
