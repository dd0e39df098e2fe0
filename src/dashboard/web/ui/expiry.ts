import { fill, plural, texts } from "../languages/texts.ts";
import { formatDuration } from "./durations.ts";

const DAY = 86_400_000;

/** Such as `5 days left`. @param left milliseconds until the expiry; negative after it */
export function formatExpiry(left: number): string {
  const { expiry } = texts.ui;
  const length = Math.abs(left);
  const days = Math.floor(length / DAY);
  if (days > 0) return plural(left > 0 ? expiry.daysLeft : expiry.daysAgo, days);
  return fill(left > 0 ? expiry.left : expiry.ago, { duration: formatDuration(length) });
}
