import { formatCount } from "./numbers.ts";

const DAY = 86_400_000;

const UNITS: [length: number, name: string][] = [
  [DAY, "d"],
  [3_600_000, "h"],
  [60_000, "min"],
  [1000, "s"],
];

/** Such as `2 d 5 h`: the largest unit that fits and the next smaller one. @param length milliseconds */
export function formatDuration(length: number): string {
  const first = UNITS.findIndex(([unit]) => length >= unit);
  if (first < 0) return "0 s";
  let rest = length;
  const parts = UNITS.slice(first, first + 2).flatMap(([unit, name]) => {
    const count = Math.floor(rest / unit);
    rest -= count * unit;
    return count > 0 ? [`${count} ${name}`] : [];
  });
  return parts.join(" ");
}

/** Such as `2 d`: in the largest unit that fits. @param length milliseconds */
export function formatShortDuration(length: number): string {
  const [unit, name] = UNITS.find(([one]) => length >= one) ?? [1000, "s"];
  return `${Math.floor(length / unit)} ${name}`;
}

/** Such as `5 days left`. @param left milliseconds until the expiry; negative after it */
export function formatExpiry(left: number): string {
  const days = Math.floor(Math.abs(left) / DAY);
  const span = days > 0 ? formatCount(days, "day") : formatDuration(Math.abs(left));
  return left > 0 ? `${span} left` : `Expired ${span} ago`;
}
