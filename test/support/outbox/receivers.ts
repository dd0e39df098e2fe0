import type { DeliveryAttempt } from "../../../src/domain/alerts/delivery.ts";

/** How a receiver answers. @property after milliseconds until the answer, or until the timeout if it hangs */
export interface Manner {
  label: string;
  after: number;
  answer: DeliveryAttempt;
}

const SECOND = 1000;
const HOUR = 3600 * SECOND;

function refusal(status: number, retryAfterMs?: number): DeliveryAttempt {
  const error = `the receiver answered ${status}`;
  const final = status === 400;
  return { outcome: "failed", error, final, ...(retryAfterMs !== undefined && { retryAfterMs }) };
}

export const accepts: Manner = { label: "accepts", after: 0, answer: { outcome: "delivered" } };

export const MANNERS: readonly Manner[] = [
  accepts,
  { label: "accepts after 4 s", after: 4 * SECOND, answer: { outcome: "delivered" } },
  { label: "answers 503", after: 0, answer: refusal(503) },
  { label: "answers 503 after 4 s", after: 4 * SECOND, answer: refusal(503) },
  { label: "answers 503 with Retry-After 3 s", after: 0, answer: refusal(503, 3 * SECOND) },
  { label: "answers 503 with Retry-After 20 min", after: 0, answer: refusal(503, HOUR / 3) },
  { label: "answers 503 with Retry-After 3 h", after: 0, answer: refusal(503, 3 * HOUR) },
  { label: "answers 400", after: 0, answer: refusal(400) },
  { label: "answers 400 after 4 s", after: 4 * SECOND, answer: refusal(400) },
  {
    label: "hangs",
    after: 10 * SECOND,
    answer: { outcome: "failed", error: "no answer within 10 s", final: false },
  },
];
