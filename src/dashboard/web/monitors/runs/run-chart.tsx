import { useMemo } from "react";
import { formatRunTime } from "../../../../domain/heartbeats/run-words.ts";
import type { Report } from "../../data/api.ts";
import { LatencyChart } from "../latency/latency-chart.tsx";
import { runDrawing } from "./run-drawing.ts";

interface Props {
  runs: NonNullable<Report["runs"]>;
  /** Milliseconds; null if it is not known. */
  limitMs: number | null;
}

/** How long the last runs took. */
export function RunChart({ runs: { points, medianMs, longestMs }, limitMs }: Props) {
  const drawing = useMemo(() => runDrawing(points, limitMs), [points, limitMs]);
  const label = `Length of the last ${points.length} runs: ${formatRunTime(medianMs)} in the middle, ${formatRunTime(longestMs)} at most`;
  return (
    <LatencyChart drawing={drawing} label={label}>
      <span className="latency-key">length</span>
      {points.some(({ outcome }) => outcome === "failed") && (
        <span className="latency-key-failing">failed</span>
      )}
      {limitMs !== null && <span className="latency-key latency-key-threshold">limit</span>}
    </LatencyChart>
  );
}
