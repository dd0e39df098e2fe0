/**
 * When a channel is notified of the trouble of a monitor, in seconds (behavior 14.5, 14.6).
 *
 * @property after how long the trouble must last; 0: at once
 * @property every how often the channel is notified again while it lasts; 0: never
 */
export interface AlertTiming {
  after: number;
  every: number;
}

/** A timing as a binding stores it. @property kept what held before a change during an outage, for that outage */
export interface StoredTiming extends AlertTiming {
  kept: (AlertTiming & { outagePk: number }) | null;
}

/** What holds during an outage: a change holds from the next one on (behavior 14.7). @param outagePk null without one */
export function timingDuring({ kept, after, every }: StoredTiming, outagePk: number | null): AlertTiming {
  return kept && kept.outagePk === outagePk ? { after: kept.after, every: kept.every } : { after, every };
}
