import { Link } from "wouter";
import { formatDuration } from "../../../domain/duration.ts";
import { displayStateOf } from "../../../domain/monitors/display-state.ts";
import { kindOf } from "../../../domain/monitors/kind.ts";
import { statusLabel } from "../../../domain/monitors/status.ts";
import { describeTarget } from "../../../domain/monitors/target.ts";
import type { Monitor, Place, Report } from "../data/api.ts";
import { MaintenanceLabel, NotChecked } from "../status/maintenance-label.tsx";
import { describeSeen } from "../status/result-detail.ts";
import { monitorStatusLabel, StatusMark } from "../status/status-mark.tsx";
import { formatCount } from "../ui/numbers.ts";
import { Time, TimeSince } from "../ui/time.tsx";
import { Badge } from "../ui/view.tsx";
import { NobodyNotified } from "./alerts/nobody-notified.tsx";
import { monitorKinds } from "./monitor-kinds.ts";
import { SeenTrouble } from "./places.tsx";

interface Props {
  monitor: Monitor;
  /** The start of the current status, ISO 8601; null if there was no result yet. */
  since: string | null;
  suspicion: Report["suspicion"];
  /** Empty if only this server checks it. */
  places: Place[];
  /** The cause that the latest check saw, if the monitor has that status; empty if it is not loaded yet. */
  cause: string;
}

/** The status of a monitor, its target and its channels. */
export function CurrentStatus({ monitor, since, suspicion, places, cause }: Props) {
  const { type, tags, config, alertBindings } = monitor;
  const state = displayStateOf(monitor);
  // It has a line before it is known, so that nothing moves.
  const isTrouble = state === "down" || state === "warning";
  const channels = alertBindings.length === 0 ? "no channels" : formatCount(alertBindings.length, "channel");
  const from = places.length > 0 ? ` from ${formatCount(places.length, "location")}` : "";
  return (
    <div className="monitor-status">
      <p className="monitor-status-line" role="status">
        <StatusMark state={state} size={22} />
        <span className={`status-text state-${state}`}>{monitorStatusLabel(monitor)}</span>
        {since && <Since monitor={monitor} since={since} />}
      </p>
      {isTrouble && <p className="monitor-status-cause">{cause || "\u00a0"}</p>}
      <NobodyNotified monitor={monitor} />
      <NotChecked since={monitor.blindSince} />
      <MaintenanceLabel maintenance={monitor.maintenance} hasTitle />
      {suspicion && <Suspicion suspicion={suspicion} />}
      <SeenTrouble monitor={monitor} places={places} />
      <p className="monitor-status-target">
        <Badge>{monitorKinds[kindOf(type, config)].name}</Badge>{" "}
        <span className="monitor-target">{describeTarget(type, config)}</span>
        <span className="text-muted">
          {" "}
          ·{" "}
          {type !== "SCHEDULED" && (
            <>
              checked every {formatDuration(Number(config.interval) * 1000)}
              {from} ·{" "}
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

/** The finding of the latest checks, and how many of them change the status. */
function Suspicion({ suspicion }: { suspicion: NonNullable<Report["suspicion"]> }) {
  const { checks, needed } = suspicion;
  return (
    <p className="monitor-suspicion">
      {checks} of {needed} checks saw: {describeSeen(suspicion)}
    </p>
  );
}
