import { isPushToken } from "../../domain/monitors/push-token.ts";
import { numberOf, type Row, textOf } from "./data.ts";
import { intervalOf, leftOfInterval, type Taken } from "./fields.ts";

/** Seconds that a job may be late in addition to its retries. */
const GRACE = 60;

/** Type `push`: silence is one failed check, and each retry is one more interval. */
export function pushFrom(row: Row): Taken {
  const interval = intervalOf(row);
  const retries = Math.max(0, Math.round(numberOf(row, "maxretries") ?? 0));
  const retryInterval = Math.round(numberOf(row, "retry_interval") ?? 0) || interval;
  const token = textOf(row, "push_token");
  const left = leftOfInterval(row);
  const isUsable = isPushToken(token);
  if (!isUsable) left.push({ part: "push token", why: "it must be 8 to 64 letters and digits" });
  return {
    type: "SCHEDULED",
    config: {
      period: Math.max(interval, 10),
      grace: GRACE + Math.min(retries * retryInterval, LONGEST_GRACE),
      ...(isUsable && { pushToken: token }),
    },
    left,
    notes: [],
  };
}

const LONGEST_GRACE = 30_000_000;
