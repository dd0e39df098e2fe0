import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { clientCertificateWarning } from "../../../domain/checks/observation.ts";
import { formatDuration } from "../../../domain/duration.ts";
import { displayStateOf, displayStateOfStatus } from "../../../domain/monitors/display-state.ts";
import { describeTarget, kindOf, kinds } from "../../../domain/monitors/kinds/kinds.ts";
import { levelOf, type Status } from "../../../domain/monitors/status.ts";
import { useHasRole } from "../app/session.tsx";
import type { Monitor, Place, Report, Result } from "../data/api.ts";
import { channelsQuery } from "../data/query-keys.ts";
import { texts } from "../languages/texts.ts";
import { locationLabel } from "../locations/location-label.ts";
import { conditionOf } from "../locations/location-list.tsx";
import { onCallQuery, schedulesQuery } from "../on-call/schedules.ts";
import { describeCause, describeDetail, describeSeen } from "../status/result-detail.ts";
import {
  MaintenanceLabel,
  monitorStatusLabel,
  NotChecked,
  StatusCell,
  StatusMark,
} from "../status/status-mark.tsx";
import { Card, Fact } from "../ui/card.tsx";
import { ScrollableTable } from "../ui/list.tsx";
import { formatCount, latencyOrDash } from "../ui/numbers.ts";
import { Time, TimeSince } from "../ui/time.tsx";
import { Badge } from "../ui/view.tsx";
import { NobodyNotified } from "./alerts/alert-fields.tsx";
import { describeHours } from "./alerts/hours-fields.tsx";
import { AcceptChange, FollowRedirects } from "./confirmation-fields.tsx";
import { EndMute } from "./mute.tsx";

interface Props {
  monitor: Monitor;
  report: Report | undefined;
  /** The latest result. */
  latest: Result | undefined;
  /** The strip of the latest checks. */
  children: ReactNode;
}

/** The first card of a monitor: its status, since when and why on the left; what is checked, and who is notified, on the right. */
export function CurrentStatus({ monitor, report, latest, children }: Props) {
  const { status, maintenance, blindSince } = monitor;
  const mayWrite = useHasRole("admin");
  const state = displayStateOf(monitor);
  const isTrouble = state === "down" || state === "warning";
  const cause = latest?.status === status ? describeCause(latest.detail) : "";
  const open = report?.outages.find(({ end }) => end === null);
  const places = report?.places ?? [];
  return (
    <section className={`card monitor-head monitor-head-${state}`} aria-label="Status">
      <div className="monitor-status">
        <p className="monitor-status-line" role="status">
          <StatusMark state={state} size={28} />
          <span className={`status-text state-${state}`}>{monitorStatusLabel(monitor)}</span>
          {report?.since && <Since monitor={monitor} since={report.since} />}
        </p>
        {isTrouble && cause && <p className="monitor-status-cause">{cause}</p>}
        {isTrouble && open && (
          <p>
            <Link href={`/outages/${open.id}`}>Show the outage</Link>
          </p>
        )}
        {isTrouble && <AcceptChange detail={latest?.detail} />}
        {status === "down" && <FollowRedirects id={monitor.id} detail={latest?.detail} />}
        <NobodyNotified monitor={monitor} />
        <NotChecked since={blindSince} />
        {blindSince !== null && <NeedsAccess config={monitor.config} />}
        <ClientCertificateEnds tls={report?.tls} />
        {maintenance && (
          <p className="actions">
            <MaintenanceLabel maintenance={maintenance} hasTitle />
            {mayWrite && <EndMute monitor={monitor} />}
          </p>
        )}
        {report?.suspicion && <Suspicion suspicion={report.suspicion} />}
        <SeenTrouble monitor={monitor} places={places} />
      </div>
      <Watched monitor={monitor} places={places} />
      {children}
    </section>
  );
}

/** The test of the form says what is wrong on the way to the target. */
function NeedsAccess({ config }: Pick<Monitor, "config">) {
  const has = (field: string) => field in config;
  const needed = [has("proxy") && "a proxy", has("oauth2") && "an endpoint of tokens"];
  const names = needed.filter(Boolean).join(" and ");
  return names && <p>Its checks need {names}. Edit it and test it: the test says if this fails.</p>;
}

/** The server will refuse the checks after the end of the certificate that they show to it. */
function ClientCertificateEnds({ tls }: { tls: Report["tls"] | undefined }) {
  const warning = tls?.client ? clientCertificateWarning(tls.client, Date.now()) : null;
  return warning && <p className="state-warning">{warning}</p>;
}

/** The target of a monitor, how often it is checked, and who is notified. */
function Watched({
  monitor: { type, config, tags, alertBindings },
  places,
}: Pick<Props, "monitor"> & { places: Place[] }) {
  const { data: channels = [] } = useQuery(channelsQuery);
  const isScheduled = alertBindings.some(({ scheduleId }) => scheduleId !== undefined);
  const { data: schedules = [] } = useQuery({ ...schedulesQuery, enabled: isScheduled });
  const isJob = type === "SCHEDULED";
  const from = places.length > 0 ? ` from ${formatCount(places.length, "location")}` : "";
  return (
    <dl className="monitor-watched">
      <Fact name={isJob ? "Schedule" : "Target"}>
        <Badge>{kinds[kindOf(type, config)].name}</Badge>{" "}
        <span className="monitor-target">{describeTarget(type, config)}</span>
      </Fact>
      {!isJob && (
        <Fact name="Checked">
          every {formatDuration(Number(config.interval) * 1000)}
          {from}
        </Fact>
      )}
      <Fact name="Notifies">
        {alertBindings.length === 0 && "no channel"}
        <ul className="monitor-channels">
          {alertBindings.map(({ alertChannelId: id, scheduleId, hours }) => (
            <li key={id ?? scheduleId}>
              {scheduleId === undefined ? (
                <Link href={`/channels/${id}`}>
                  {channels.find((one) => one.id === id)?.name ?? "a channel"}
                </Link>
              ) : (
                <>
                  whoever is on call:{" "}
                  <Link href="/on-call">
                    {schedules.find((one) => one.id === scheduleId)?.name ?? "a schedule"}
                  </Link>
                  <OnCallNow schedule={scheduleId} />
                </>
              )}
              {hours && <span className="text-muted"> {describeHours(hours)}</span>}
            </li>
          ))}
        </ul>
      </Fact>
      {tags.length > 0 && (
        <Fact name="Tags">
          <ul className="monitor-channels">
            {tags.map((tag) => (
              <li key={tag}>
                <Link className="badge monitor-tag" href={`/?tag=${encodeURIComponent(tag)}`}>
                  {tag}
                </Link>
              </li>
            ))}
          </ul>
        </Fact>
      )}
    </dl>
  );
}

/** Who is on call now, and until when (behavior 23.41). */
function OnCallNow({ schedule }: { schedule: string }) {
  const { data } = useQuery(onCallQuery(schedule));
  if (data === undefined) return null;
  return (
    <span className="text-muted">
      {" "}
      now {data?.name ?? "nobody"}
      {data?.until && (
        <>
          {" until "}
          <Time at={data.until} only="minute" />
        </>
      )}
    </span>
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
          {texts.status.label[status]} since <Time at={since} />
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
        label="Table of locations"
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
