import type { Clock } from "../../clock.ts";

/** Delay that batches finished checks into one scan, in milliseconds. */
const DELAY = 250;

/**
 * While due checks wait for others to end, the delay is this multiple of the duration of a scan: finished checks are
 * replaced soon, and scans of many overdue checks still leave the main thread most of its time.
 */
const DELAY_PER_SCAN = 10;

/** Decides when running checks cause a scan before the next regular one. */
export interface ScanTrigger {
  /**
   * A scan was planned.
   *
   * @property moreWaiting whether due checks wait until others end
   * @property morePaced whether overdue checks wait only so that their starts are spread
   * @property took milliseconds, without the listing if the next one needs none
   */
  planned(scan: { moreWaiting: boolean; morePaced: boolean; took: number }): void;
  /** A running check holds fewer sockets, so that another one may start. */
  settled(): void;
  /** @param wait milliseconds until the next check of the monitor is due; null if that has to be found out now */
  ended(wait: number | null): void;
  stop(): void;
}

/**
 * @param scan lists what is due @param refill starts what the last scan left
 * @param lookAhead how long before a check is due the regular scan must find it, in milliseconds
 */
export function createScanTrigger({
  clock,
  scan,
  refill,
  lookAhead,
}: {
  clock: Pick<Clock, "after">;
  scan: () => void;
  refill: () => void;
  lookAhead: number;
}): ScanTrigger {
  let delay = DELAY;
  let moreWaiting = false;
  let scheduled: "nothing" | "refill" | "scan" = "nothing";
  let isStopped = false;

  function schedule(what: "refill" | "scan"): void {
    if (isStopped) return;
    const isFirst = scheduled === "nothing";
    if (scheduled !== "scan") scheduled = what;
    if (isFirst) clock.after(delay, run);
  }

  function run(): void {
    const act = scheduled === "scan" ? scan : refill;
    scheduled = "nothing";
    act();
  }

  return {
    planned(last) {
      moreWaiting = last.moreWaiting;
      delay = moreWaiting ? Math.min(DELAY, DELAY_PER_SCAN * last.took) : DELAY;
      if (last.morePaced) schedule("refill");
    },
    settled() {
      if (moreWaiting) schedule("refill");
    },
    ended(wait) {
      if (wait === null) scan();
      else if (moreWaiting) schedule("refill");
      // The next regular scan may be too late.
      else if (wait < lookAhead) schedule("scan");
    },
    stop() {
      isStopped = true;
    },
  };
}
