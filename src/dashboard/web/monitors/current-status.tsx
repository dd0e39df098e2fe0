import { Link } from "wouter";
import { formatDuration } from "../../../domain/duration.ts";
import { displayStateOf, displayStateOfStatus } from "../../../domain/monitors/display-state.ts";
import { describeTarget, kindOf, kinds } from "../../../domain/monitors/kinds/kinds.ts";
import { levelOf, type Status, statusLabel } from "../../../domain/monitors/status.ts";
import type { Monitor, Place, Report } from "../data/api.ts";
import { locationLabel } from "../locations/location-label.ts";
import { conditionOf } from "../locations/location-list.tsx";
import { describeDetail, describeSeen } from "../status/result-detail.ts";
import {
  MaintenanceLabel,
  monitorStatusLabel,
  NotChecked,
  StatusCell,
  StatusMark,
} from "../status/status-mark.tsx";
import { Card } from "../ui/card.tsx";
import { ScrollableTable } from "../ui/list.tsx";
import { formatCount, latencyOrDash } from "../ui/numbers.ts";
import { Time, TimeSince } from "../ui/time.tsx";
import { Badge } from "../ui/view.tsx";
import { NobodyNotified } from "./alerts/alert-fields.tsx";

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
        <Badge>{kinds[kindOf(type, config)].name}</Badge>{" "}
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
          {statusLabel[status]} since <Time at={since} />
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

/** The latest check from each location of a monitor (behavior 13.67). */
export function Places({ places }: { places: Place[] }) {
  return (
    <Card id="places" title="Locations">
      <ScrollableTable
        of="locations"
        columns={["Location", "State", "Sees", { number: "Latency" }, "Checked", "Detail"]}
      >
        {places.map((place) => (
          <PlaceRow key={place.id} place={place} />
        ))}
      </ScrollableTable>
    </Card>
  );
}

function PlaceRow({ place }: { place: Place }) {
  const { latest } = place;
  const { label, mark, effect } = conditionOf(place);
  return (
    <tr>
      <td className="table-long">{locationLabel(place.name)}</td>
      <td title={effect}>
        <span className="status-cell">
          <StatusMark state={mark} size={13} />
          {label}
        </span>
      </td>
      <td>
        {latest ? <StatusCell state={displayStateOfStatus(latest.status)} status={latest.status} /> : "–"}
      </td>
      <td className="table-number">{latencyOrDash(latest?.latencyMs)}</td>
      <td>
        {latest ? (
          <>
            <TimeSince at={latest.at} short /> ago
          </>
        ) : (
          "never"
        )}
      </td>
      <td className="table-long table-detail">{latest ? describeDetail({ ...latest }) : ""}</td>
    </tr>
  );
}

/** Which locations see trouble, while not all of them do (behavior 13.67). */
function SeenTrouble({ monitor, places }: { monitor: Monitor; places: Place[] }) {
  const dissent = findDissent(monitor, places);
  if (!dissent) return null;
  const { sees, by, of } = dissent;
  return (
    <p className="monitor-suspicion">
      {sees} seen from {by.length} of {formatCount(of, "location")}
      {by.length > 0 && `: ${by.join(", ")}`}
    </p>
  );
}

/**
 * @property sees what some locations see, and others or the status do not
 * @property by the names of these locations
 * @property of how many locations have a vote
 */
interface Dissent {
  sees: "Down" | "Trouble";
  by: string[];
  of: number;
}

const WARNING = 1;
const DOWN = 2;

/** The locations that see trouble; null if all locations agree with the status, or if the monitor is paused. */
export function findDissent(
  { status, enabled }: { status: Status; enabled: boolean },
  places: Place[],
): Dissent | null {
  const voters = places.filter((one) => one.state === "connected" && !one.isAtFault && one.latest);
  const level = status === "unknown" ? 0 : levelOf[status];
  const dissentAt = (least: number, sees: Dissent["sees"]) => {
    const by = voters.filter(({ latest }) => latest && levelOf[latest.status] >= least);
    const agreeing = level >= least ? voters.length : 0;
    return by.length === agreeing
      ? null
      : { sees, by: by.map(({ name }) => locationLabel(name)), of: voters.length };
  };
  return enabled ? (dissentAt(DOWN, "Down") ?? dissentAt(WARNING, "Trouble")) : null;
}
