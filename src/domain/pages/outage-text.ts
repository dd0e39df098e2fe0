const SECOND = 1000;

/** From the largest; in milliseconds. */
const UNITS = [
  { name: "day", length: 86_400 * SECOND },
  { name: "hour", length: 3600 * SECOND },
  { name: "minute", length: 60 * SECOND },
  { name: "second", length: SECOND },
];

/*
 * What a page says of an outage by itself. It contains no name, because the texts are Markdown, in which a name could have a
 * meaning, and no reason (behavior 15.26).
 */

/** @param startedAt milliseconds since 1970 */
export function startText(isDown: boolean, startedAt: number): string {
  return `It has been ${isDown ? "down" : "degraded"} since ${timeInWords(startedAt)}.`;
}

/** @param length milliseconds */
export function endText(length: number): string {
  return `It lasted ${durationInWords(length)}.`;
}

/** For example `Nov 22, 15:05 UTC`. @param at milliseconds since 1970 */
export function timeInWords(at: number): string {
  const [, day, month, , time] = new Date(at).toUTCString().split(" ");
  return `${month} ${Number(day)}, ${time?.slice(0, 5)} UTC`;
}

/** For example `12 minutes` or `1 hour 5 minutes`: the largest unit that fits, and the next smaller one. @param length milliseconds */
export function durationInWords(length: number): string {
  const largest = UNITS.findIndex((unit) => length >= unit.length);
  if (largest < 0) return "less than a second";
  let rest = length;
  const parts = UNITS.slice(largest, largest + 2).map((unit) => {
    const count = Math.floor(rest / unit.length);
    rest -= count * unit.length;
    return count > 0 ? `${count} ${unit.name}${count > 1 ? "s" : ""}` : "";
  });
  return parts.filter(Boolean).join(" ");
}
