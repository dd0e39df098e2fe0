import { formatRunTime } from "../../../../domain/heartbeats/run-words.ts";
import type { Config, JobRun, Report } from "../../data/api.ts";
import { Card, Fact } from "../../ui/card.tsx";
import { PagedTable } from "../../ui/table.tsx";
import { useClock } from "../../ui/time.tsx";
import { RunChart } from "./run-chart.tsx";
import type { useRuns } from "./run-queries.ts";
import { RunRow } from "./run-row.tsx";
import { describeOpen, lengthOf, openRunsOf } from "./run-words.ts";

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
        of="runs"
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
