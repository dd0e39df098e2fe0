import { useSearchParams } from "wouter";
import { hasLatency, type MonitorType } from "../../../domain/monitors/kinds/kinds.ts";
import { RANGES, type ReportRange } from "../../../domain/results/range.ts";
import type { Report } from "../data/api.ts";
import { HistoryBar } from "../status/status-bars.tsx";
import { Card } from "../ui/card.tsx";
import { rangeLabels, Segments } from "../ui/filters.tsx";
import { Time } from "../ui/time.tsx";
import { LatencySection } from "./latency/latency-section.tsx";

/** A range up to now, or a time that the reader selected; ISO 8601. @property to without it, until now */
export type Shown = { range: ReportRange } | { from: string; to?: string };

const OPTIONS = [
  { value: "1h", label: "1h", name: "1 hour" },
  { value: "6h", label: "6h", name: "6 hours" },
  ...RANGES.map((range) => ({ value: range, label: range, name: rangeLabels[range] })),
] as const;

/** A shorter time shows too little; milliseconds. */
const SHORTEST = 5 * 60_000;

interface Props {
  type: MonitorType;
  shown: Shown;
  /** Undefined while it is loaded. */
  report: Report | undefined;
  onRange: (range: ReportRange) => void;
}

/** The history and the latencies. A selected time is in the address, so that it can be shared, and live updates keep it. */
export function HistoryCard({ type, shown, report, onRange }: Props) {
  const [, setParams] = useSearchParams();
  const select = (time: { from: number; to: number } | null) =>
    setParams(
      (before) => {
        for (const [name, value] of Object.entries(time ? widened(time) : { from: null, to: null })) {
          if (value) before.set(name, value);
          else before.delete(name);
        }
        return before;
      },
      { replace: true },
    );
  const openBar = (at: number) => {
    const [from, to] = [at, at + 1].map((index) =>
      Date.parse(report?.buckets[index] ?? report?.stretch.to ?? ""),
    );
    select({ from: from ?? 0, to: to ?? 0 });
  };
  const isRange = "range" in shown;
  return (
    <Card
      id="history"
      title={hasLatency(type) ? "History and latency" : "History"}
      aside={
        <Segments
          legend="Range"
          value={isRange ? shown.range : ""}
          options={OPTIONS}
          onChange={(range) => {
            onRange(range);
            if (!isRange) select(null);
          }}
        />
      }
    >
      {!isRange && report && (
        <p className="history-selected">
          <span>
            <Time at={report.stretch.from} only="minute" /> to <Time at={report.stretch.to} only="minute" />
          </span>
          <button type="button" className="button-small" onClick={() => select(null)}>
            Reset zoom
          </button>
        </p>
      )}
      {report && <HistoryBar type={type} {...report} focusable onOpen={openBar} />}
      {report && <LatencySection report={report} onZoom={select} />}
    </Card>
  );
}

function widened({ from, to }: { from: number; to: number }): { from: string; to: string } {
  const missing = Math.max(0, SHORTEST - (to - from)) / 2;
  const iso = (time: number) => new Date(Math.round(time)).toISOString();
  return { from: iso(from - missing), to: iso(to + missing) };
}
