import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { Link, useLocation, useSearchParams } from "wouter";
import { displayStateOfStatus } from "../../../domain/monitors/display-state.ts";
import type { ReportRange } from "../../../domain/results/range.ts";
import { useHasRole } from "../app/session.tsx";
import { api, type Monitor, type Report } from "../data/api.ts";
import { channelsQuery, queryKeys } from "../data/query-keys.ts";
import { useChange } from "../data/use-change.ts";
import { named, rich } from "../languages/rich.tsx";
import { fill, texts } from "../languages/texts.ts";
import { MonitorEvidence, monitorEvidenceQuery } from "../outages/evidence/evidence-card.tsx";
import { Results } from "../results/monitor-results.tsx";
import { describeDetail } from "../status/result-detail.ts";
import { StatusCell } from "../status/status-mark.tsx";
import { Card, ManagedBy } from "../ui/card.tsx";
import { ConfirmDialog } from "../ui/dialog.tsx";
import { formatDuration } from "../ui/durations.ts";
import { Failure, useAction } from "../ui/filters.tsx";
import { ScrollableTable } from "../ui/list.tsx";
import { Menu } from "../ui/menu.tsx";
import { Time, TimeSince } from "../ui/time.tsx";
import { deleteLate, offerUndo } from "../ui/undo.tsx";
import { View } from "../ui/view.tsx";
import { Forecast, forecastQuery } from "./alerts/forecast.tsx";
import { CheckinHelp, firstRange, HistoryCard } from "./checkin-help.tsx";
import { CurrentStatus, Places } from "./current-status.tsx";
import { Dependencies } from "./dependencies/dependencies.tsx";
import { FallsWith } from "./falls-with.tsx";
import { LatestCheck } from "./latest-check.tsx";
import { monitorQuery, OVERVIEW, recentResultsQuery, relatedQuery, reportQuery } from "./monitor-queries.ts";
import { MuteMenu } from "./mute.tsx";
import { RecentChecks } from "./recent-checks.tsx";
import { useRuns } from "./runs/run-output.tsx";
import { Runs } from "./runs/runs-card.tsx";

export function MonitorPage({ id }: { id: string }) {
  const [chosen, setRange] = useState<ReportRange>();
  const [params] = useSearchParams();
  const [from, to] = [params.get("from"), params.get("to")];
  const mayWrite = useHasRole("admin");
  const monitor = useQuery(monitorQuery(id));
  const [opened] = useState(Date.now);
  const range = chosen ?? (monitor.data ? firstRange(monitor.data.createdAt, opened) : "1d");
  const shown = from ? { from, ...(to && { to }) } : { range };
  const { data: report, isPending: isFirstReport } = useQuery(reportQuery(id, shown));
  const recent = useQuery(recentResultsQuery(id));
  const runs = useRuns(id, monitor.data?.type === "SCHEDULED");
  const before = useQuery(relatedQuery(id, "dependencies"));
  const after = useQuery(relatedQuery(id, "dependents"));
  const channels = useQuery(channelsQuery);
  const isProbed = monitor.data !== undefined && monitor.data.type !== "SCHEDULED";
  const evidence = useQuery({ ...monitorEvidenceQuery(id), enabled: isProbed });
  const forecast = useQuery(forecastQuery(id));
  const isLoading = [recent, runs, before, after, channels, evidence, forecast].some(
    (query) => query.isLoading,
  );
  // All of it at once, so that nothing moves.
  if (!monitor.data || isFirstReport || isLoading)
    return <View title={monitor.data?.name ?? texts.monitors.title} error={monitor.error} back={OVERVIEW} />;
  const { name, type, config, ref } = monitor.data;
  const places = report?.places ?? [];
  return (
    <View title={name} aside={mayWrite && <MonitorActions monitor={monitor.data} />}>
      <ManagedBy reference={ref} />
      <CurrentStatus monitor={monitor.data} report={report} latest={recent.data?.[0]}>
        <RecentChecks id={id} type={type} />
      </CurrentStatus>
      <HistoryCard monitor={monitor.data} shown={shown} report={report} onRange={setRange} />
      {forecast.data && forecast.data.receivers.length > 0 && <Forecast forecast={forecast.data} />}
      <Dependencies id={id} />
      {places.length > 0 && <Places places={places} />}
      {report && <Runs id={id} pages={runs} report={report} config={config} />}
      {type === "SCHEDULED" && report && <CheckinHelp report={report} config={config} />}
      <LatestCheck id={id} type={type} tls={report?.tls} />
      {isProbed && <FallsWith id={id} />}
      {isProbed && <MonitorEvidence id={id} name={name} />}
      {report && <Outages id={id} outages={report.outages} />}
      <Results id={id} hasLocation={places.length > 0} />
    </View>
  );
}

/** The latest outages of a monitor. @property id of the monitor */
export function Outages({ id, outages }: { id: string; outages: Report["outages"] }) {
  const { title, all, none, table, columns } = texts.monitors.outages;
  return (
    <Card id="outages" title={title} aside={<Link href={`/outages?monitor=${id}`}>{all}</Link>}>
      {outages.length === 0 ? (
        <p className="text-muted">{none}</p>
      ) : (
        <ScrollableTable
          label={table}
          columns={[columns.start, columns.duration, columns.status, columns.reason]}
        >
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
  return rich(texts.monitors.outages.soFar, { duration: <TimeSince at={since} /> });
}

/** The acts on a monitor: the frequent ones as buttons, the others in a menu. */
function MonitorActions({ monitor }: { monitor: Monitor }) {
  const { id, name, enabled, type } = monitor;
  const [, navigate] = useLocation();
  const { overview, allHistories, allMonitors, allReports } = queryKeys;
  const change = useChange(overview, allHistories, allMonitors, allReports);
  const deleteOne = useChange(overview);
  const { actions: words, deletion } = texts.monitors;
  const { error, busy, run } = useAction();
  const [deletes, setDeletes] = useState(false);
  const set = (to: boolean) => change(api.monitors({ id }).patch({ enabled: to }));
  const toggle = () =>
    run(async () => {
      await set(!enabled);
      offerUndo({
        text: enabled ? words.paused : words.resumed,
        undo: () => set(enabled).then(() => {}),
      });
    });
  const remove = async () => {
    const send = () => deleteOne(api.monitors({ id }).delete(), queryKeys.monitor(id));
    deleteLate({
      ids: [id],
      pending: fill(deletion.pending, { name }),
      failed: fill(deletion.failed, { name }),
      send,
    });
    navigate("/");
  };
  return (
    <div className="actions monitor-actions">
      <Failure error={error} />
      {!enabled && (
        <button type="button" aria-disabled={busy} onClick={toggle}>
          {words.resume}
        </button>
      )}
      {enabled && type !== "SCHEDULED" && <CheckButton id={id} />}
      {enabled && <MuteMenu monitor={monitor} />}
      {/* The form replaces this view in the browser's history, and the saved monitor replaces the form: Back skips both. */}
      <Link className="button" replace href={`/monitors/${id}/edit`}>
        {words.edit}
      </Link>
      <Menu
        label="⋯"
        name={words.more}
        className="menu-button-more"
        items={[
          { label: words.duplicate, href: `/monitors/new?from=${id}` },
          ...(enabled ? [{ label: words.pause, onSelect: toggle }] : []),
          {
            label: texts.common.actions.delete,
            className: "button-danger-quiet",
            onSelect: () => setDeletes(true),
          },
        ]}
      />
      {deletes && (
        <ConfirmDialog
          label={texts.common.actions.delete}
          title={named(texts.common.deleteQuestion, name)}
          onConfirm={remove}
          onClose={() => setDeletes(false)}
        >
          {deletion.consequence}
        </ConfirmDialog>
      )}
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
  const { checkNow, checking } = texts.monitors.actions;
  const isChecking = busy || (before !== null && before.latest === latest);
  const check = async () => {
    await change(api.monitors({ id }).check.post());
    setBefore({ latest });
  };
  return (
    <>
      <Failure error={error} />
      <button type="button" aria-disabled={isChecking} onClick={() => !isChecking && run(check)}>
        {isChecking ? checking : checkNow}
      </button>
    </>
  );
}
