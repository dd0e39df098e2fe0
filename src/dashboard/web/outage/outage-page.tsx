import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { formatDuration } from "../../../domain/duration.ts";
import { displayStateOfStatus } from "../../../domain/monitors/display-state.ts";
import { statusLabel } from "../../../domain/monitors/status.ts";
import type { Outage } from "../data/api.ts";
import { PublicOutage } from "../incident/public-outage.tsx";
import { Fact } from "../ui/fact.tsx";
import { Time } from "../ui/time/time.tsx";
import { View } from "../ui/view/view.tsx";
import { Acknowledgement } from "./acknowledgement.tsx";
import { outageQuery } from "./outage-queries.ts";
import { describeReason } from "./outage-reason.ts";
import { OutageState } from "./outage-state.tsx";
import { Timeline } from "./timeline.tsx";

export function OutagePage({ id }: { id: string }) {
  const { data, error } = useQuery(outageQuery(id));
  if (!data) return <View title="Outage" error={error} back={{ href: "/outages", to: "outages" }} />;
  const { monitor, status, startedAt, endedAt } = data;
  const all = (
    <Link className="button" href={`/outages?monitor=${monitor.id}`}>
      All outages of this monitor
    </Link>
  );
  return (
    <View title={`Outage of ${monitor.name}`} aside={all}>
      <OutageState
        state={endedAt === null ? displayStateOfStatus(status) : "healthy"}
        label={endedAt === null ? statusLabel(status) : "Ended"}
        startedAt={startedAt}
        endedAt={endedAt}
      />
      <OutageFacts outage={data} />
      <Acknowledgement outage={data} />
      <PublicOutage outage={data} />
      <Timeline outage={data} />
    </View>
  );
}

function OutageFacts({ outage }: { outage: Outage }) {
  const { monitor, status, reason, startedAt, endedAt, maintenanceId, downSince, downSeconds } = outage;
  return (
    <section className="card" aria-label="Facts">
      <dl className="facts">
        <Fact name="Monitor">
          <Link href={`/monitors/${monitor.id}`}>{monitor.name}</Link>
        </Fact>
        <Fact name="Worst status">{statusLabel(status)}</Fact>
        <Fact name="First reason">{describeReason(reason) || "–"}</Fact>
        <Fact name="Started">
          <Time at={startedAt} />
        </Fact>
        <Fact name="Ended">{endedAt ? <Time at={endedAt} /> : "Still open"}</Fact>
        {downSince && downSince !== startedAt && (
          <Fact name="Down">
            {formatDuration(downSeconds * 1000)} in all, first at <Time at={downSince} />
          </Fact>
        )}
        {maintenanceId && (
          <Fact name="Maintenance">
            <Link href="/maintenances">Began in a window</Link>
          </Fact>
        )}
      </dl>
    </section>
  );
}
