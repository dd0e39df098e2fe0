import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { type CertificateEnd, clientCertificateEnd } from "../../../domain/checks/observation.ts";
import { displayStateOf, displayStateOfStatus } from "../../../domain/monitors/display-state.ts";
import { kindOf } from "../../../domain/monitors/kinds/kinds.ts";
import { levelOf, type Status } from "../../../domain/monitors/status.ts";
import { useHasRole } from "../app/session.tsx";
import type { Monitor, Place, Report, Result } from "../data/api.ts";
import { channelsQuery } from "../data/query-keys.ts";
import { rich } from "../languages/rich.tsx";
import { fill, listOf, plural, texts } from "../languages/texts.ts";
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
import { describeTarget } from "../status/target.ts";
import { Card, Fact } from "../ui/card.tsx";
import { formatDuration, latencyOrDash } from "../ui/durations.ts";
import { ScrollableTable } from "../ui/list.tsx";
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
    <section className={`card monitor-head monitor-head-${state}`} aria-label={texts.monitors.status.label}>
      <div className="monitor-status">
        <p className="monitor-status-line" role="status">
          <StatusMark state={state} size={28} />
          <span className={`status-text state-${state}`}>{monitorStatusLabel(monitor)}</span>
          {report?.since && <Since monitor={monitor} since={report.since} />}
        </p>
        {isTrouble && cause && <p className="monitor-status-cause">{cause}</p>}
        {isTrouble && open && (
          <p>
            <Link href={`/outages/${open.id}`}>{texts.monitors.status.showOutage}</Link>
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
  const { proxy, tokens, proxyAndTokens } = texts.monitors.status.needs;
  if ("proxy" in config) return <p>{"oauth2" in config ? proxyAndTokens : proxy}</p>;
  return "oauth2" in config ? <p>{tokens}</p> : null;
}

/** The server will refuse the checks after the end of the certificate that they show to it. */
function ClientCertificateEnds({ tls }: { tls: Report["tls"] | undefined }) {
  const end = tls?.client ? clientCertificateEnd(tls.client, Date.now()) : null;
  return end && <p className="state-warning">{describeCertificateEnd(end)}</p>;
}

/** The warning about the client certificate of a monitor (behavior 26.13). */
export function describeCertificateEnd({ day, daysLeft }: CertificateEnd): string {
  const { expired, expiresToday, expires } = texts.monitors.status.clientCertificate;
  if (daysLeft) return plural(expires, daysLeft, { day });
  return fill(daysLeft === 0 ? expiresToday : expired, { day });
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
  const words = texts.monitors.watched;
  const duration = formatDuration(Number(config.interval) * 1000);
  return (
    <dl className="monitor-watched">
      <Fact name={isJob ? words.schedule : words.target}>
        <Badge>{texts.common.kinds[kindOf(type, config)]}</Badge>{" "}
        <span className="monitor-target">{describeTarget(type, config)}</span>
      </Fact>
      {!isJob && (
        <Fact name={words.checked}>
          {places.length === 0
            ? fill(words.every, { duration })
            : plural(words.everyFrom, places.length, { duration })}
        </Fact>
      )}
      <Fact name={words.notifies}>
        {alertBindings.length === 0 && words.nobody}
        <ul className="monitor-channels">
          {alertBindings.map(({ alertChannelId: id, scheduleId, hours }) => (
            <li key={id ?? scheduleId}>
              {scheduleId === undefined ? (
                <Link href={`/channels/${id}`}>
                  {channels.find((one) => one.id === id)?.name ?? words.aChannel}
                </Link>
              ) : (
                <>
                  {rich(words.onCall, {
                    schedule: (
                      <Link href="/on-call">
                        {schedules.find((one) => one.id === scheduleId)?.name ?? words.aSchedule}
                      </Link>
                    ),
                  })}
                  <OnCallNow schedule={scheduleId} />
                </>
              )}
              {hours && <span className="text-muted"> {describeHours(hours)}</span>}
            </li>
          ))}
        </ul>
      </Fact>
      {tags.length > 0 && (
        <Fact name={words.tags}>
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
  return <span className="text-muted"> {describeTurn(data)}</span>;
}

function describeTurn(turn: { name: string; until: string | null } | null): ReactNode {
  const { now, nowUntil, nowNobody, nowNobodyUntil } = texts.monitors.watched;
  const time = turn?.until && <Time at={turn.until} only="minute" />;
  if (!turn?.name) return time ? rich(nowNobodyUntil, { time }) : nowNobody;
  const { name } = turn;
  return time ? rich(nowUntil, { name, time }) : rich(now, { name });
}

function Since({ monitor: { status, enabled }, since }: { monitor: Monitor; since: string }) {
  const words = texts.monitors.status;
  return (
    <span className="monitor-status-since">
      {enabled
        ? rich(words.for, { duration: <TimeSince at={since} /> })
        : rich(words.since, { status: texts.status.label[status], time: <Time at={since} /> })}
    </span>
  );
}

/** The finding of the latest checks, and how many of them change the status. */
function Suspicion({ suspicion }: { suspicion: NonNullable<Report["suspicion"]> }) {
  const { checks, needed } = suspicion;
  return (
    <p className="monitor-suspicion">
      {fill(texts.monitors.status.suspicion, { checks, needed, finding: describeSeen(suspicion) })}
    </p>
  );
}

/** The latest check from each location of a monitor (behavior 13.67). */
export function Places({ places }: { places: Place[] }) {
  const { title, table, columns } = texts.monitors.places;
  const { location, state, sees, latency, checked, detail } = columns;
  return (
    <Card id="places" title={title}>
      <ScrollableTable label={table} columns={[location, state, sees, { number: latency }, checked, detail]}>
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
        {latest
          ? rich(texts.monitors.places.ago, { duration: <TimeSince at={latest.at} short /> })
          : texts.monitors.places.never}
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
  const { seenFrom, seenFromNone } = texts.monitors.status;
  return (
    <p className="monitor-suspicion">
      {by.length === 0
        ? plural(seenFromNone[sees], of)
        : plural(seenFrom[sees], of, { by: by.length, locations: listOf(by, "unit") })}
    </p>
  );
}

/**
 * @property sees what some locations see, and others or the status do not
 * @property by the names of these locations
 * @property of how many locations have a vote
 */
interface Dissent {
  sees: "down" | "trouble";
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
  return enabled ? (dissentAt(DOWN, "down") ?? dissentAt(WARNING, "trouble")) : null;
}
