import { hasFailure } from "../domain/checks/observation.ts";
import type { CheckReport } from "./probe-messages.ts";

/**
 * How long a success waits for others to be sent with, in milliseconds: to wake the main thread costs more than some ten
 * reports, and the recorder waits longer.
 */
const WAIT = 20;

/** So many are sent at once, because other checks may wait for the sockets of these. */
const MAX_REPORTS = 32;

/** @returns takes reports, and sends them in their order: at once with one that is no success, else together with others */
export function createReportBatches(
  send: (reports: CheckReport[]) => void,
  after: (ms: number, task: () => void) => void,
): (reports: CheckReport[]) => void {
  let waiting: CheckReport[] = [];
  let isTimed = false;

  function flush(): void {
    if (waiting.length > 0) send(waiting);
    waiting = [];
  }

  function flushLater(): void {
    if (isTimed) return;
    isTimed = true;
    after(WAIT, () => {
      isTimed = false;
      flush();
    });
  }

  return (reports) => {
    for (const report of reports) waiting.push(report);
    if (waiting.length >= MAX_REPORTS || !reports.every(isSuccess)) flush();
    else flushLater();
  };
}

function isSuccess(report: CheckReport): boolean {
  if (!("observation" in report)) return false;
  const { observation } = report;
  return observation.outcome !== "inconclusive" && !hasFailure(observation);
}
