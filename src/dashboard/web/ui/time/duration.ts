import { formatDuration } from "../../../../domain/duration.ts";
import { formatCount } from "../numbers.ts";

const DAY = 86_400_000;

/** Such as `2 d`: in the largest unit that fits. @param length milliseconds */
export function formatShortDuration(length: number): string {
  return /^\d+ \w+/.exec(formatDuration(length))?.[0] ?? "0 s";
}

/** Such as `5 days left`. @param left milliseconds until the expiry; negative after it */
export function formatExpiry(left: number): string {
  const days = Math.floor(Math.abs(left) / DAY);
  const span = days > 0 ? formatCount(days, "day") : formatDuration(Math.abs(left));
  return left > 0 ? `${span} left` : `Expired ${span} ago`;
}
