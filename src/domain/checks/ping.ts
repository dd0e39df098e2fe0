/**
 * The figures of the pings of a check (behavior 20.31). Times are round trips in milliseconds, null without a reply.
 *
 * @property sent how many of the pings this machine could send
 */
export interface PingFacts {
  sent: number;
  received: number;
  minMs: number | null;
  avgMs: number | null;
  maxMs: number | null;
}

/** @param roundTrips of the replies, in milliseconds */
export function pingFacts(sent: number, roundTrips: readonly number[]): PingFacts {
  const received = roundTrips.length;
  if (received === 0) return { sent, received, minMs: null, avgMs: null, maxMs: null };
  const mean = roundTrips.reduce((sum, one) => sum + one, 0) / received;
  return {
    sent,
    received,
    minMs: rounded(Math.min(...roundTrips)),
    avgMs: rounded(mean),
    maxMs: rounded(Math.max(...roundTrips)),
  };
}

/**
 * Why a check whose target answered is Degraded all the same: more of its pings were lost than the config allows (behavior 20.33).
 *
 * @param maxLoss percent
 * @returns null if as many arrived as expected
 */
export function excessiveLoss({ sent, received }: PingFacts, maxLoss: number): string | null {
  const lost = sent - received;
  if (lost * 100 <= maxLoss * sent) return null;
  return `${lost} of ${sent} pings were lost, expected at most ${maxLoss} %`;
}

/** To microseconds. */
function rounded(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}
