import { useMemo } from "react";
import { formatRunTime } from "../../../../domain/heartbeats/run-words.ts";
import type { DisplayState } from "../../../../domain/monitors/display-state.ts";
import type { Config, JobRun, Report } from "../../data/api.ts";
import { StatusMark } from "../../status/status-mark.tsx";
import { Card, Fact } from "../../ui/card.tsx";
import { PagedTable } from "../../ui/list.tsx";
import { formatNumber } from "../../ui/numbers.ts";
import { Time, useClock } from "../../ui/time.tsx";
import type { Drawing } from "../latency/drawings.ts";
import { LatencyChart } from "../latency/latency-chart.tsx";
import { OutputButton, type useRuns } from "./run-output.tsx";

interface Props {
  id: string;
  pages: ReturnType<typeof useRuns>;
  report: Pick<Report, "runs" | "runLimit">;
  config: Config;
}

/** The runs of a job and how long they take (behavior 18.60). Nothing for a job that reports none. */
export function Runs({ id, pages, report: { runs, runLimit }, config }: Props) {
  const listed = pages.data?.pages.flatMap(({ data }) => data) ?? [];
  const longest = useClock((now) => Math.max(1, ...listed.map((run) => lengthOf(run, now) ?? 0)));
  if (listed.length === 0) return null;
  const limitMs = runLimit === null ? null : runLimit * 1000;
  const open = openRunsOf(listed);
  return (
    <Card
      id="runs"
      title="Runs"
      aside={open.length > 0 && <Open open={open} usualMs={runs?.medianMs ?? null} />}
    >
      {(runs || limitMs !== null) && (
        <dl className="facts run-facts">
          {runs && (
            <>
              <Fact name="Last">{formatRunTime(runs.lastMs)}</Fact>
              <Fact name="Median">{formatRunTime(runs.medianMs)}</Fact>
              <Fact name={`Longest of ${runs.points.length}`}>{formatRunTime(runs.longestMs)}</Fact>
            </>
          )}
          <Fact name="Limit">{describeLimit(limitMs, config)}</Fact>
        </dl>
      )}
      {runs && runs.points.length > 1 && <RunChart runs={runs} limitMs={limitMs} />}
      <PagedTable
        label="Table of runs"
        older="Older runs"
        pages={pages}
        columns={["Start", "Outcome", { number: "Exit code" }, "Output", "Length"]}
        row={(run) => <RunRow key={run.id} monitorId={id} run={run} longest={longest} />}
        none="No runs yet."
      />
    </Card>
  );
}

function describeLimit(limitMs: number | null, { maxRunTime }: Config): string {
  if (limitMs === null) return "learned from 5 successful runs";
  return `${formatRunTime(limitMs)}${maxRunTime === undefined ? ", learned" : ""}`;
}

function Open({ open, usualMs }: { open: readonly JobRun[]; usualMs: number | null }) {
  const text = useClock((now) => describeOpen(open, usualMs, now));
  const isTooLong = open.every(({ outcome }) => outcome === "overrun");
  return <p className={isTooLong ? "status-text state-down" : "text-muted"}>{text}</p>;
}

interface RunRowProps {
  monitorId: string;
  run: JobRun;
  /** The length of the longest run of the list, in milliseconds. */
  longest: number;
}

/** The form of the IDs that `stillup run` makes, in which a reader sees nothing. */
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** One run, with a bar for its length. */
function RunRow({ monitorId, run, longest }: RunRowProps) {
  const { rid, startedAt, outcome, exitCode, outputBytes } = run;
  const { label, state, effect } = outcomes[outcome];
  return (
    <tr className="run-row">
      <td className="run-start">
        <Time at={startedAt} />
        {rid !== null && !UUID.test(rid) && <code className="run-id">{rid}</code>}
      </td>
      <td title={effect}>
        <span className="status-cell">
          <StatusMark state={state} size={13} />
          {label}
        </span>
      </td>
      <td className="table-number">
        {exitCode !== null && (
          <>
            <span className="run-label">exit code </span>
            {exitCode}
          </>
        )}
      </td>
      <td>{outputBytes > 0 && <OutputButton monitorId={monitorId} run={run} />}</td>
      <td className="table-detail">
        <Length run={run} longest={longest} />
      </td>
    </tr>
  );
}

function Length({ run, longest }: Omit<RunRowProps, "monitorId">) {
  const length = useClock((now) => lengthOf(run, now));
  if (length === null) return "–";
  return (
    <div className="run-length">
      <span>{formatRunTime(length)}</span>
      <svg
        className={`run-bar run-bar-${run.outcome}`}
        viewBox="0 0 100 8"
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        <rect width={Math.max(0.5, (100 * length) / longest)} height="8" />
      </svg>
    </div>
  );
}

const outcomes: Record<JobRun["outcome"], { label: string; state: DisplayState; effect?: string }> = {
  running: { label: "Running", state: "waiting" },
  ok: { label: "OK", state: "healthy" },
  failed: { label: "Failed", state: "down" },
  overrun: { label: "Too long", state: "down", effect: "It is open for longer than the limit." },
  replaced: { label: "Replaced", state: "waiting", effect: "It started again before its end." },
  logged: { label: "Output only", state: "waiting", effect: "It came without a start or an end." },
};

/** The open runs, latest first. */
export function openRunsOf(runs: readonly JobRun[]): JobRun[] {
  return runs.filter(({ endedAt }) => endedAt === null);
}

/** How long a run took, or has taken so far, in milliseconds; null if that is not known. */
export function lengthOf({ startedAt, endedAt, durationMs }: JobRun, now: number): number | null {
  return endedAt === null ? Math.max(0, now - Date.parse(startedAt)) : durationMs;
}

/**
 * Such as `Running for 12 min, usually 8 min`. Runs beyond their limit, whose end may never have come, are only described if no other is
 * open. @param usualMs null if no run has ended yet
 */
export function describeOpen(open: readonly JobRun[], usualMs: number | null, now: number): string {
  const running = open.filter(({ outcome }) => outcome === "running");
  const shown = running.length > 0 ? running : open;
  const oldest = shown.at(-1);
  if (!oldest) return "";
  const length = formatRunTime(Math.max(0, now - Date.parse(oldest.startedAt)));
  const usual = usualMs === null ? "" : `, usually ${formatRunTime(usualMs)}`;
  const words =
    shown.length === 1 ? "Running for" : `${formatNumber(shown.length)} runs are open, the first for`;
  return `${words} ${length}${usual}`;
}

interface RunChartProps {
  runs: NonNullable<Report["runs"]>;
  /** Milliseconds; null if it is not known. */
  limitMs: number | null;
}

/** How long the last runs took. */
function RunChart({ runs: { points, medianMs, longestMs }, limitMs }: RunChartProps) {
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

type Points = NonNullable<Report["runs"]>["points"];

/** Milliseconds between two labels of the axis: whole units. */
const STEPS = [
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500],
  ...[1, 2, 5, 10, 15, 30].map((seconds) => seconds * 1000),
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * 60_000),
  ...[1, 2, 3, 6, 12, 24, 48, 96].map((hours) => hours * 3_600_000),
];

/** How long runs took by their start: a line of those that succeeded, a dot for each that failed, and the limit. @param limitMs null if it is not known */
export function runDrawing(points: Points, limitMs: number | null): Drawing {
  const failed = (point: Points[number]) => (point.outcome === "failed" ? point.durationMs : null);
  return {
    columns: [
      points.map(({ start }) => Date.parse(start) / 1000),
      // A failed run says nothing about the usual length, and does not interrupt the line.
      points.map(({ outcome, durationMs }) => (outcome === "failed" ? undefined : durationMs)),
      points.map(failed),
      points.map(() => limitMs),
    ],
    lines: [
      { token: "accent", dot: 5 },
      { token: "down", isDots: true, dot: 8 },
      { token: "warning", dash: [5, 4], width: 1.4 },
    ],
    bands: [],
    includes: 0,
    axis: { format: formatRunTime, steps: STEPS },
    describe: ([length, failedLength]) => {
      if (typeof failedLength === "number") return `failed after ${formatRunTime(failedLength)}`;
      return typeof length === "number" ? formatRunTime(length) : "";
    },
  };
}
