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
  /** Runs with evidence or without what they needed: the layers were right, unknown at least once, or wrong at least once. */
  explained: { right: number; unknown: number; wrong: number };
  /** The sizes of stored facts. */
  bytes: number[];
  detections: Detection[];
}

export function figuresOf(verdicts: Verdict[]): Figures {
  const blames = verdicts.map(({ blame }) => blame);
  return {
    runs: verdicts.length,
    right: verdicts.filter(({ falses, missed, late }) => falses.length + missed.length + late.length === 0)
      .length,
    falses: verdicts.filter(({ falses }) => falses.length > 0).length,
    missed: verdicts.filter(({ missed }) => missed.length > 0).length,
    late: verdicts.filter(({ late }) => late.length > 0).length,
    explained: {
      right: blames.filter(({ right, unknown, wrong }) => right > 0 && unknown.length + wrong.length === 0)
        .length,
      unknown: blames.filter(({ unknown, wrong }) => unknown.length > 0 && wrong.length === 0).length,
      wrong: blames.filter(({ wrong }) => wrong.length > 0).length,
    },
    bytes: blames.flatMap(({ bytes }) => bytes),
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

/** This share of runs with a failure must name the right layer. */
const RIGHT_LAYERS = 0.97;

/** Whether the layers of evidence are right often enough, and never wrong. */
export function isExplained({ explained: { right, unknown, wrong } }: Figures): boolean {
  return wrong === 0 && right >= RIGHT_LAYERS * (right + unknown);
}

export const COLUMNS = [
  ...["runs", "right", "false", "missed", "late", "not possible"],
  ...["layer right", "unknown", "wrong"],
  ...["known", "p50", "p99", "max", "p99 beyond"],
];

/**
 * The cells of a row: see `COLUMNS`. Times are multiples of what the rules demand; the last one is in seconds.
 *
 * @param impossible runs that were not possible
 */
export function cellsOf(
  { runs, right, falses, missed, late, explained, detections }: Figures,
  impossible: number,
): string[] {
  const shares = detections
    .filter(({ expected }) => expected > 0)
    .map(({ took, expected }) => took / expected);
  const share = (q: number) => (shares.length === 0 ? "–" : `${quantile(shares, q).toFixed(2)}`);
  const last = detections.length === 0 ? "–" : `${(beyond(detections, SHARE) / 1000).toFixed(2)} s`;
  const layers = [explained.right, explained.unknown, explained.wrong];
  return [runs, right, falses, missed, late, impossible, ...layers, detections.length]
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
