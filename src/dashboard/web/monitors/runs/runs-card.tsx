import { useMemo } from "react";
import type { DisplayState } from "../../../../domain/monitors/display-state.ts";
import type { Config, JobRun, Report } from "../../data/api.ts";
import { rich } from "../../languages/rich.tsx";
import { fill, plural, texts } from "../../languages/texts.ts";
import { StatusMark } from "../../status/status-mark.tsx";
import { Card, Fact } from "../../ui/card.tsx";
import { formatRunTime } from "../../ui/durations.ts";
import { PagedTable } from "../../ui/list.tsx";
import { Time, useClock } from "../../ui/time.tsx";
import type { Drawing } from "../latency/drawings.ts";
import { LatencyChart } from "../latency/latency-chart.tsx";
import { OutputButton, runLabel, type useRuns } from "./run-output.tsx";

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
  const { columns, ...words } = texts.monitors.runs;
  return (
    <Card
      id="runs"
      title={words.title}
      aside={open.length > 0 && <Open open={open} usualMs={runs?.medianMs ?? null} />}
    >
      {(runs || limitMs !== null) && (
        <dl className="facts run-facts">
          {runs && (
            <>
              <Fact name={words.last}>{formatRunTime(runs.lastMs)}</Fact>
              <Fact name={words.median}>{formatRunTime(runs.medianMs)}</Fact>
              <Fact name={plural(words.longestOf, runs.points.length)}>{formatRunTime(runs.longestMs)}</Fact>
            </>
          )}
          <Fact name={words.limit}>{describeLimit(limitMs, config)}</Fact>
        </dl>
      )}
      {runs && runs.points.length > 1 && <RunChart runs={runs} limitMs={limitMs} />}
      <PagedTable
        label={words.table}
        older={words.older}
        pages={pages}
        columns={[
          columns.start,
          columns.outcome,
          { number: columns.exitCode },
          columns.output,
          columns.length,
        ]}
        row={(run) => <RunRow key={run.id} monitorId={id} run={run} longest={longest} />}
        none={words.none}
      />
    </Card>
  );
}

function describeLimit(limitMs: number | null, { maxRunTime }: Config): string {
  const { limitUnknown, limitLearned } = texts.monitors.runs;
  if (limitMs === null) return limitUnknown;
  const duration = formatRunTime(limitMs);
  return maxRunTime === undefined ? fill(limitLearned, { duration }) : duration;
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
  const { outcome: labels, effect: effects, exitCode: exitCodeText } = texts.monitors.runs;
  const effect = (effects as Partial<Record<typeof outcome, string>>)[outcome];
  return (
    <tr className="run-row">
      <td className="run-start">
        <Time at={startedAt} />
        {rid !== null && !UUID.test(rid) && <code className="run-id">{rid}</code>}
      </td>
      <td title={effect}>
        <span className="status-cell">
          <StatusMark state={states[outcome]} size={13} />
          {labels[outcome]}
        </span>
      </td>
      <td className="table-number">
        {exitCode !== null && rich(exitCodeText, { label: runLabel, code: String(exitCode) })}
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

const states: Record<JobRun["outcome"], DisplayState> = {
  running: "waiting",
  ok: "healthy",
  failed: "down",
  overrun: "down",
  replaced: "waiting",
  logged: "waiting",
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
  const usual = usualMs === null ? undefined : formatRunTime(usualMs);
  const words = texts.monitors.runs.open;
  if (shown.length === 1)
    return usual === undefined
      ? fill(words.running, { length })
      : fill(words.runningUsually, { length, usual });
  return usual === undefined
    ? plural(words.several, shown.length, { length })
    : plural(words.severalUsually, shown.length, { length, usual });
}

interface RunChartProps {
  runs: NonNullable<Report["runs"]>;
  /** Milliseconds; null if it is not known. */
  limitMs: number | null;
}

/** How long the last runs took. */
function RunChart({ runs: { points, medianMs, longestMs }, limitMs }: RunChartProps) {
  const drawing = useMemo(() => runDrawing(points, limitMs), [points, limitMs]);
  const words = texts.monitors.runs.chart;
  const [median, longest] = [formatRunTime(medianMs), formatRunTime(longestMs)];
  const label = plural(words.label, points.length, { median, longest });
  return (
    <LatencyChart drawing={drawing} label={label}>
      <span className="latency-key">{words.length}</span>
      {points.some(({ outcome }) => outcome === "failed") && (
        <span className="latency-key-failing">{words.failed}</span>
      )}
      {limitMs !== null && <span className="latency-key latency-key-threshold">{words.limit}</span>}
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
      if (typeof failedLength === "number")
        return fill(texts.monitors.runs.chart.failedAfter, { length: formatRunTime(failedLength) });
      return typeof length === "number" ? formatRunTime(length) : "";
    },
  };
}
