import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useSearchParams } from "wouter";
import { formatDuration } from "../../../domain/duration.ts";
import { displayStateOfStatus } from "../../../domain/monitors/display-state.ts";
import type { Range, ReportRange } from "../../../domain/results/range.ts";
import { useHasRole } from "../app/session.tsx";
import type { Report } from "../data/api.ts";
import { Results } from "../results/monitor-results.tsx";
import { describeCause, describeDetail } from "../status/result-detail.ts";
import { StatusCell } from "../status/status-mark.tsx";
import { Card, ManagedBy } from "../ui/card.tsx";
import { rangeLabels } from "../ui/filters.tsx";
import { ScrollableTable } from "../ui/table.tsx";
import { Time, TimeSince } from "../ui/time.tsx";
import { View } from "../ui/view.tsx";
import { CheckinHelp } from "./checkin-help.tsx";
import { CurrentStatus } from "./current-status.tsx";
import { Dependencies } from "./dependencies/dependencies.tsx";
import { FollowRedirects } from "./follow-redirects.tsx";
import { HistoryCard } from "./history-card.tsx";
import { LatestCheck } from "./latest-check.tsx";
import { MonitorActions } from "./monitor-actions.tsx";
import { monitorQuery, OVERVIEW, recentResultsQuery, reportQuery } from "./monitor-queries.ts";
import { Places } from "./places.tsx";
import { RecentChecks } from "./recent-checks.tsx";
import { useRuns } from "./runs/run-queries.ts";
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
  // All of it at once, so that nothing moves.
  if (!monitor.data || isFirstReport || recent.isPending || runs.isLoading)
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
