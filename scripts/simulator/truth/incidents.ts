import type { Segment } from "../ledger.ts";
import type { Draw } from "./draw.ts";

const [SECOND, MINUTE, HOUR, DAY] = [1000, 60_000, 3_600_000, 86_400_000];

/** An incident of a target. @property shortest, longest milliseconds */
export interface Incident {
  kind: string;
  shortest: number;
  longest: number;
}

export const OUTAGE: Incident = { kind: "down", shortest: 30 * SECOND, longest: 12 * HOUR };
export const BLIP: Incident = { kind: "down", shortest: SECOND, longest: 45 * SECOND };
export const SLOW_SPELL: Incident = { kind: "slow", shortest: 5 * MINUTE, longest: 8 * HOUR };

/** A good target with some incidents, without gaps. */
export function drawSegments(
  draw: Draw,
  { from, to }: { from: number; to: number },
  incidents: readonly [Incident, ...Incident[]],
): Segment[] {
  const everyDays = draw.spread(0.7, 20);
  const segments: Segment[] = [];
  let at = from;
  while (at < to) {
    const good = Math.round(draw.spread(0.05, 1) * everyDays * DAY);
    push({ from: at, to: at + good, kind: "good" });
    const { kind, shortest, longest } = draw.pick(incidents);
    push({ from: at, to: at + Math.round(draw.spread(shortest, longest)), kind });
  }
  return segments;

  function push(segment: Segment): void {
    if (segment.from < to) segments.push({ ...segment, to: Math.min(segment.to, to) });
    at = segment.to;
  }
}

/** @returns finds the segment of a moment; the first or the last one outside of all */
export function segmentFinder(segments: readonly Segment[]): (at: number) => Segment {
  return (at) => {
    let [low, high] = [0, segments.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((segments[middle]?.to ?? 0) > at) high = middle;
      else low = middle + 1;
    }
    const found = segments[low];
    if (!found) throw new Error("a truth must have at least one segment, got none");
    return found;
  };
}
