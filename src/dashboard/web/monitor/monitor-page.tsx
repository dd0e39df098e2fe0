import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useLocation } from "wouter";
import { displayStateOf } from "../../../domain/monitors/display-state.ts";
import type { Range } from "../../../domain/results/range.ts";
import { useMay } from "../app/session.tsx";
import { api, ask, type Monitor, type Report } from "../data/api.ts";
import { HistoryBar } from "../status/history-bar.tsx";
import { StatusMark } from "../status/status-mark.tsx";
import { wordsOf } from "../status/status-names.ts";
import { Badge } from "../ui/badge.tsx";
import { Failure } from "../ui/failure.tsx";
import { Acts } from "../ui/item-actions.tsx";
import { RangePicker } from "../ui/range-picker.tsx";
import { Distance, Moment } from "../ui/time.tsx";
import { View } from "../ui/view.tsx";
import { CheckinHelp } from "./checkin-help.tsx";
import { LatencyChart } from "./latency-chart.tsx";
import { Facts } from "./latest-check.tsx";
import { monitorTypeWords, targetOf } from "./monitor-type.ts";
import { Outages } from "./outages.tsx";
import { Results } from "./results.tsx";

/** Everything about one monitor. */
export function MonitorView({ id }: { id: string }) {
  const [range, setRange] = useState<Range>("1d");
  const mayWrite = useMay("admin");
  const monitor = useQuery({
    queryKey: ["monitor", id],
    queryFn: () => ask(api.monitors({ id }).get()),
  });
  const report = useQuery({
    queryKey: ["report", id, range],
    queryFn: () => ask(api.monitors({ id }).report.get({ query: { range } })),
    placeholderData: (before) => before,
  });
  if (!monitor.data) {
    return (
      <View title="Monitor">
        <Failure error={monitor.error} />
        {monitor.error && <Link href="/">Back to the overview</Link>}
      </View>
    );
  }
  const { name, type, config } = monitor.data;
  return (
    <View title={name} aside={mayWrite && <MonitorActs monitor={monitor.data} />}>
      <Standing monitor={monitor.data} since={report.data?.since ?? null} />
      <Uptimes report={report.data} />
      <section className="card" aria-labelledby="past">
        <div className="card-head">
          <h2 id="past">
            {type === "HTTP" || type === "TCP" || type === "TLS" ? "History and latency" : "History"}
          </h2>
          <RangePicker value={range} onChange={setRange} />
        </div>
        {report.data && <HistoryBar type={type} {...report.data} reachable />}
        {report.data && report.data.latencies.length > 0 && (
          <LatencyChart
            latencies={report.data.latencies}
            threshold={report.data.degradedAbove}
            range={range}
          />
        )}
      </section>
      {type === "SCHEDULED" && report.data && <CheckinHelp report={report.data} config={config} />}
      <Facts id={id} type={type} />
      {report.data && <Outages outages={report.data.outages} />}
      <Results id={id} />
    </View>
  );
}

function Standing({ monitor, since }: { monitor: Monitor; since: string | null }) {
  const { type, config, status, enabled, alertBindings } = monitor;
  const mood = displayStateOf(monitor);
  return (
    <div className="standing">
      <p className="standing-status" role="status">
        <StatusMark mood={mood} size={22} />
        <span className={`word ${mood}`}>{enabled ? wordsOf(status) : "Paused"}</span>
        {since && (
          <span className="muted">
            {enabled ? (
              <>
                for <Distance to={since} />
              </>
            ) : (
              <>
                was {wordsOf(status).toLowerCase()} since <Moment at={since} />
              </>
            )}
          </span>
        )}
      </p>
      <p className="standing-target">
        <Badge>{monitorTypeWords[type].name}</Badge> <span className="target">{targetOf(type, config)}</span>
        <span className="muted">
          {" "}
          · {type !== "SCHEDULED" && <>checked every {String(config.interval)} s · </>}
          {alertBindings.length === 0
            ? "tells nobody"
            : `tells ${alertBindings.length} channel${alertBindings.length > 1 ? "s" : ""}`}
        </span>
      </p>
    </div>
  );
}

const spans = [
  ["1d", "24 hours"],
  ["7d", "7 days"],
  ["30d", "30 days"],
  ["90d", "90 days"],
] as const;

function Uptimes({ report }: { report: Report | undefined }) {
  return (
    <dl className="figures">
      {spans.map(([range, words]) => (
        <div key={range}>
          <dt>Uptime, {words}</dt>
          <dd>{report?.uptime[range] ?? "–"}</dd>
        </div>
      ))}
    </dl>
  );
}

function MonitorActs({ monitor: { id, name, enabled } }: { monitor: Monitor }) {
  const [, go] = useLocation();
  const queries = useQueryClient();
  const toggle = async () => {
    await ask(api.monitors({ id }).patch({ enabled: !enabled }));
    await Promise.all(
      ["now", "past", "monitor", "report"].map((key) => queries.invalidateQueries({ queryKey: [key] })),
    );
  };
  const remove = async () => {
    await ask(api.monitors({ id }).delete());
    queries.removeQueries({ queryKey: ["monitor", id] });
    await queries.invalidateQueries({ queryKey: ["now"] });
    go("/");
  };
  // The form takes the place of this view and, once it is done, this view that of the form: Back leads behind both.
  const edit = (
    <Link className="button" replace href={`/monitors/${id}/edit`}>
      Edit
    </Link>
  );
  return (
    <Acts name={name} toggle={enabled ? "Pause" : "Resume"} onToggle={toggle} edit={edit} onDelete={remove}>
      All its results, its history and its uptime go with it, and notifications that still wait are not sent.
      This can’t be undone.
    </Acts>
  );
}
