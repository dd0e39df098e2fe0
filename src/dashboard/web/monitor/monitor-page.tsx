import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Range } from "../../../domain/results/range.ts";
import { useHasRole } from "../app/session.tsx";
import type { Report } from "../data/api.ts";
import { HistoryBar } from "../status/history-bar.tsx";
import { RangePicker, rangeLabels } from "../ui/filters/range-picker.tsx";
import { ManagedBy } from "../ui/managed-by.tsx";
import { View } from "../ui/view/view.tsx";
import { CheckinHelp } from "./checkin-help.tsx";
import { CurrentStatus } from "./current-status.tsx";
import { Dependencies } from "./dependencies/dependencies.tsx";
import { LatencySection } from "./latency/latency-section.tsx";
import { LatestCheck } from "./latest-check.tsx";
import { Places } from "./locations/places.tsx";
import { MonitorActions } from "./monitor-actions.tsx";
import { monitorQuery, OVERVIEW, reportQuery } from "./monitor-queries.ts";
import { Outages } from "./outages.tsx";
import { Results } from "./results.tsx";

export function MonitorPage({ id }: { id: string }) {
  const [range, setRange] = useState<Range>("1d");
  const mayWrite = useHasRole("admin");
  const monitor = useQuery(monitorQuery(id));
  const { data: report } = useQuery(reportQuery(id, range));
  if (!monitor.data) return <View title="Monitor" error={monitor.error} back={OVERVIEW} />;
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
      />
      <Uptimes report={report} />
      <section className="card" aria-labelledby="history">
        <div className="card-head">
          <h2 id="history">
            {type === "HTTP" || type === "TCP" || type === "TLS" ? "History and latency" : "History"}
          </h2>
          <RangePicker value={range} onChange={setRange} />
        </div>
        {report && <HistoryBar type={type} {...report} focusable />}
        {report && <LatencySection report={report} range={range} />}
      </section>
      <Dependencies id={id} />
      {places.length > 0 && <Places places={places} />}
      {type === "SCHEDULED" && report && <CheckinHelp report={report} config={config} />}
      <LatestCheck id={id} type={type} />
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
