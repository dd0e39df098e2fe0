import { quantile } from "../../bench/support/figures.ts";
import type { Detection } from "./detections.ts";
import type { Verdict } from "./judge.ts";

/** The figures of one class, or of the whole course. */
export interface Figures {
  runs: number;
  right: number;
  falses: number;
  missed: number;
  late: number;
  detections: Detection[];
}

export function figuresOf(verdicts: Verdict[]): Figures {
  return {
    runs: verdicts.length,
    right: verdicts.filter(({ falses, missed, late }) => falses.length + missed.length + late.length === 0)
      .length,
    falses: verdicts.filter(({ falses }) => falses.length > 0).length,
    missed: verdicts.filter(({ missed }) => missed.length > 0).length,
    late: verdicts.filter(({ late }) => late.length > 0).length,
    detections: verdicts.flatMap(({ detections }) => detections),
  };
}

/** 0.99: a detection may take this much of them longer than the interval and the confirmations demand. */
const SHARE = 0.99;
const BEYOND = 1000;

/** Whether 99 of 100 detections took at most a second longer than the rules demand. */
export function isFast({ detections }: Figures): boolean {
  return detections.length > 0 && beyond(detections, SHARE) <= BEYOND;
}

export const COLUMNS = [
  ...["runs", "right", "false", "missed", "late", "not possible"],
  ...["known", "p50", "p99", "max", "p99 beyond"],
];

/**
 * The cells of a row: see `COLUMNS`. Times are multiples of what the rules demand; the last one is in seconds.
 *
 * @param impossible runs that were not possible
 */
export function cellsOf(
  { runs, right, falses, missed, late, detections }: Figures,
  impossible: number,
): string[] {
  const shares = detections
    .filter(({ expected }) => expected > 0)
    .map(({ took, expected }) => took / expected);
  const share = (q: number) => (shares.length === 0 ? "–" : `${quantile(shares, q).toFixed(2)}`);
  const last = detections.length === 0 ? "–" : `${(beyond(detections, SHARE) / 1000).toFixed(2)} s`;
  return [runs, right, falses, missed, late, impossible, detections.length]
    .map(String)
    .concat(share(0.5), share(0.99), share(1), last);
}

/** Milliseconds beyond what the rules demand, negative if it took less. */
function beyond(detections: Detection[], q: number): number {
  return quantile(
    detections.map(({ took, expected }) => took - expected),
    q,
  );
}
