import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { Link, useLocation, useSearchParams } from "wouter";
import { formatDuration, formatLatency } from "../../../domain/duration.ts";
import { displayStateOfStatus } from "../../../domain/monitors/display-state.ts";
import type { MonitorType } from "../../../domain/monitors/monitor.ts";
import { type Status, statusLabel } from "../../../domain/monitors/status.ts";
import type { Range, ReportRange } from "../../../domain/results/range.ts";
import { useHasRole } from "../app/session.tsx";
import { api, type Monitor, type Report, type Result } from "../data/api.ts";
import { queryKeys } from "../data/query-keys.ts";
import { useChange } from "../data/use-change.ts";
import { Results } from "../results/monitor-results.tsx";
import { describeCause, describeDetail } from "../status/result-detail.ts";
import { StatusBars } from "../status/status-bars.tsx";
import { StatusCell } from "../status/status-mark.tsx";
import { Card, ManagedBy } from "../ui/card.tsx";
import { ItemActions } from "../ui/clipboard.tsx";
import { Failure, rangeLabels, useAction } from "../ui/filters.tsx";
import { ScrollableTable } from "../ui/list.tsx";
import { dateFormat, Time, TimeSince } from "../ui/time.tsx";
import { View } from "../ui/view.tsx";
import { CheckinHelp, HistoryCard } from "./checkin-help.tsx";
import { FollowRedirects } from "./confirmation-fields.tsx";
import { CurrentStatus, Places } from "./current-status.tsx";
import { Dependencies } from "./dependencies/dependencies.tsx";
import { LatestCheck } from "./latest-check.tsx";
import {
  monitorQuery,
  OVERVIEW,
  RECENT,
  recentResultsQuery,
  relatedQuery,
  reportQuery,
} from "./monitor-queries.ts";
import { useRuns } from "./runs/run-output.tsx";
import { Runs } from "./runs/runs-card.tsx";

export function MonitorPage({ id }: { id: string }) {
  const [range, setRange] = useState<ReportRange>("1d");
  const [params] = useSearchParams();
  const [from, to] = [params.get("from"), params.get("to")];
  const shown = from ? { from, ...(to && { to }) } : { range };
  const mayWrite = useHasRole("admin");
  const monitor = useQuery(monitorQuery(id));
  const { data: report, isPending: isFirstReport } = useQuery(reportQuery(id, shown));
  const recent = useQuery(recentResultsQuery(id));
  const runs = useRuns(id, monitor.data?.type === "SCHEDULED");
  const before = useQuery(relatedQuery(id, "dependencies"));
  const after = useQuery(relatedQuery(id, "dependents"));
  const isLoading = [recent, runs, before, after].some((query) => query.isLoading);
  // All of it at once, so that nothing moves.
  if (!monitor.data || isFirstReport || isLoading)
    return <View title={monitor.data?.name ?? "Monitor"} error={monitor.error} back={OVERVIEW} />;
  const latest = recent.data?.[0];
  const { name, type, config, ref } = monitor.data;
  const places = report?.places ?? [];
  return (
    <View title={name} aside={mayWrite && <MonitorActions monitor={monitor.data} />}>
      <ManagedBy reference={ref} />
      <CurrentStatus
        monitor={monitor.data}
        since={report?.since ?? null}
        suspicion={report?.suspicion ?? null}
        places={places}
        cause={latest?.status === monitor.data.status ? describeCause(latest.detail) : ""}
      />
      {monitor.data.status === "down" && <FollowRedirects id={id} detail={latest?.detail} />}
      <RecentChecks id={id} type={type} />
      <Uptimes report={report} />
      <HistoryCard type={type} shown={shown} report={report} onRange={setRange} />
      <Dependencies id={id} />
      {places.length > 0 && <Places places={places} />}
      {report && <Runs id={id} pages={runs} report={report} config={config} />}
      {type === "SCHEDULED" && report && <CheckinHelp report={report} config={config} />}
      <LatestCheck id={id} type={type} tls={report?.tls} />
      {report && <Outages id={id} outages={report.outages} />}
      <Results id={id} hasLocation={places.length > 0} />
    </View>
  );
}

function Uptimes({ report }: { report: Report | undefined }) {
  return (
    <dl className="uptimes">
      {Object.entries(rangeLabels).map(([range, label]) => (
        <div key={range}>
          <dt>Uptime, {label}</dt>
          <dd>{report?.uptime[range as Range] ?? "–"}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The latest outages of a monitor. @property id of the monitor */
export function Outages({ id, outages }: { id: string; outages: Report["outages"] }) {
  return (
    <Card
      id="outages"
      title="Outages in 90 days"
      aside={<Link href={`/outages?monitor=${id}`}>All outages</Link>}
    >
      {outages.length === 0 ? (
        <p className="text-muted">None.</p>
      ) : (
        <ScrollableTable of="outages" columns={["Start", "Duration", "Status", "Reason"]}>
          {outages.map(({ id, start, end, status, detail }) => (
            <tr key={id}>
              <td>
                <Link href={`/outages/${id}`}>
                  <Time at={start} />
                </Link>
              </td>
              <td>{end ? formatDuration(Date.parse(end) - Date.parse(start)) : <Ongoing since={start} />}</td>
              <td>
                <StatusCell state={displayStateOfStatus(status)} status={status} />
              </td>
              <td className="table-long table-detail">{describeDetail(detail)}</td>
            </tr>
          ))}
        </ScrollableTable>
      )}
    </Card>
  );
}

function Ongoing({ since }: { since: string }) {
  return (
    <>
      <TimeSince at={since} /> so far
    </>
  );
}

const timeFormat = dateFormat({
  month: "short",
  day: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
});

/** A bar for each of the latest checks, the oldest first. It has the same height before there are any. */
function RecentChecks({ id, type }: { id: string; type: MonitorType }) {
  const results = useQuery(recentResultsQuery(id)).data?.toReversed() ?? [];
  const missing = RECENT - results.length;
  const title = `Last ${RECENT} ${type === "SCHEDULED" ? "check-ins" : "checks"}`;
  return (
    <section className="recent-checks" aria-label={title}>
      <span className="text-hint">{title}</span>
      <StatusBars
        statuses={Array.from({ length: RECENT }, (_, at) => statusSeen(results[at - missing]))}
        describe={(at) => describeResult(results[at - missing])}
        label={title}
        focusable
      />
    </section>
  );
}

/** The status that a check saw, also if it is not confirmed: a failure must not look like a success. */
function statusSeen(result: Result | undefined): Status {
  const seen = result?.detail?.seen as { status: Status } | undefined;
  return seen?.status ?? result?.status ?? "unknown";
}

function describeResult(result: Result | undefined): string {
  if (!result) return "No check";
  const { createdAt, status, latencyMs, detail } = result;
  const latency = latencyMs === null ? "" : formatLatency(latencyMs);
  const parts = [statusLabel[status], latency, describeDetail(detail)].filter(Boolean);
  return `${timeFormat.format(new Date(createdAt))}: ${parts.join(", ")}`;
}

function MonitorActions({ monitor: { id, name, enabled, type } }: { monitor: Monitor }) {
  const [, navigate] = useLocation();
  const { overview, allHistories, allMonitors, allReports } = queryKeys;
  const change = useChange(overview, allHistories, allMonitors, allReports);
  const deletion = useChange(overview);
  const toggle = () => change(api.monitors({ id }).patch({ enabled: !enabled }));
  const remove = async () => {
    await deletion(api.monitors({ id }).delete(), queryKeys.monitor(id));
    navigate("/");
  };
  // The form replaces this view in the browser's history, and the saved monitor replaces the form: Back skips both.
  const edit = (
    <>
      <Link className="button" replace href={`/monitors/${id}/edit`}>
        Edit
      </Link>
      <Link className="button" href={`/monitors/new?from=${id}`}>
        Duplicate
      </Link>
    </>
  );
  return (
    <div className="actions monitor-actions">
      {enabled && type !== "SCHEDULED" && <CheckButton id={id} />}
      <ItemActions
        name={name}
        toggle={enabled ? "Pause" : "Resume"}
        onToggle={toggle}
        edit={edit}
        onDelete={remove}
      >
        All its results, its history and its uptime are deleted, and its pending notifications are not sent.
        You cannot undo this.
      </ItemActions>
    </div>
  );
}

/** Milliseconds after which the button can be used again, also without a result: a location may not be connected. */
const PATIENCE = 30_000;

/** Checks the monitor now. Its result comes as any other, by the live updates. */
function CheckButton({ id }: { id: string }) {
  const { error, busy, run } = useAction();
  const latest = useQuery(recentResultsQuery(id)).data?.[0]?.id;
  /** The latest result when the reader asked. */
  const [before, setBefore] = useState<{ latest: string | undefined } | null>(null);
  useEffect(() => {
    if (!before) return undefined;
    const timer = setTimeout(() => setBefore(null), PATIENCE);
    return () => clearTimeout(timer);
  }, [before]);
  const change = useChange();
  const isChecking = busy || (before !== null && before.latest === latest);
  const check = async () => {
    await change(api.monitors({ id }).check.post());
    setBefore({ latest });
  };
  return (
    <>
      <Failure error={error} />
      <button type="button" aria-disabled={isChecking} onClick={() => !isChecking && run(check)}>
        {isChecking ? "Checking…" : "Check now"}
      </button>
    </>
  );
}
