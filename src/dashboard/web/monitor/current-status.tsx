import { Link } from "wouter";
import { displayStateOf } from "../../../domain/monitors/display-state.ts";
import { statusLabel } from "../../../domain/monitors/status.ts";
import type { Monitor, Place, Report } from "../data/api.ts";
import { MaintenanceLabel } from "../status/maintenance-label.tsx";
import { NotChecked } from "../status/not-checked.tsx";
import { monitorStatusLabel } from "../status/status-labels.ts";
import { StatusMark } from "../status/status-mark.tsx";
import { Badge } from "../ui/badge.tsx";
import { formatCount } from "../ui/numbers.ts";
import { Time, TimeSince } from "../ui/time/time.tsx";
import { SeenTrouble } from "./locations/seen-trouble.tsx";
import { describeTarget, monitorTypeLabels } from "./monitor-types.ts";
import { Suspicion } from "./suspicion.tsx";

interface Props {
  monitor: Monitor;
  /** The start of the current status, ISO 8601; null if there was no result yet. */
  since: string | null;
  suspicion: Report["suspicion"];
  /** Empty if only this server checks it. */
  places: Place[];
}

/** The status of a monitor, its target and its channels. */
export function CurrentStatus({ monitor, since, suspicion, places }: Props) {
  const { type, tags, config, alertBindings } = monitor;
  const state = displayStateOf(monitor);
  const channels = alertBindings.length === 0 ? "no channels" : formatCount(alertBindings.length, "channel");
  const from = places.length > 0 ? ` from ${formatCount(places.length, "location")}` : "";
  return (
    <div className="monitor-status">
      <p className="monitor-status-line" role="status">
        <StatusMark state={state} size={22} />
        <span className={`status-text state-${state}`}>{monitorStatusLabel(monitor)}</span>
        {since && <Since monitor={monitor} since={since} />}
      </p>
      <NotChecked since={monitor.blindSince} />
      <MaintenanceLabel maintenance={monitor.maintenance} hasTitle />
      {suspicion && <Suspicion suspicion={suspicion} />}
      <SeenTrouble monitor={monitor} places={places} />
      <p className="monitor-status-target">
        <Badge>{monitorTypeLabels[type].name}</Badge>{" "}
        <span className="monitor-target">{describeTarget(type, config)}</span>
        <span className="text-muted">
          {" "}
          ·{" "}
          {type !== "SCHEDULED" && (
            <>
              checked every {String(config.interval)} s{from} ·{" "}
            </>
          )}
          {channels}
        </span>
        {tags.map((tag) => (
          <Link key={tag} className="badge monitor-tag" href={`/?tag=${encodeURIComponent(tag)}`}>
            {tag}
          </Link>
        ))}
      </p>
    </div>
  );
}

function Since({ monitor: { status, enabled }, since }: { monitor: Monitor; since: string }) {
  return (
    <span className="monitor-status-since">
      {enabled ? (
        <>
          for <TimeSince at={since} />
        </>
      ) : (
        <>
          {statusLabel(status)} since <Time at={since} />
        </>
      )}
    </span>
  );
}
