import { useQuery } from "@tanstack/react-query";
import { memo, useState } from "react";
import { Link } from "wouter";
import { displayStateOfStatus } from "../../../domain/monitors/display-state.ts";
import { serviceLabel } from "../alerts/service.ts";
import type { AlertOutcome, Event, Result } from "../data/api.ts";
import { monitorNamesQuery } from "../data/monitor-lists.ts";
import { channelsQuery } from "../data/query-keys.ts";
import { rich } from "../languages/rich.tsx";
import { fill, texts } from "../languages/texts.ts";
import { describeDetail, locationOf } from "../status/result-detail.ts";
import { StatusCell } from "../status/status-mark.tsx";
import { hasSteps, StepTable } from "../status/step-table.tsx";
import { latencyOrDash } from "../ui/durations.ts";
import { Time } from "../ui/time.tsx";
import { Badge } from "../ui/view.tsx";

/** @param second a further column, if the list has results of several monitors or from several locations */
export function resultColumns(second?: string): (string | { number: string })[] {
  const { time, status, latency, detail, alert } = texts.results.columns;
  return [time, ...(second === undefined ? [] : [second]), status, { number: latency }, detail, alert];
}

/** Milliseconds after which a pending delivery is no longer expected to change soon: its channel waits, or has failed. */
const SOON = 600_000;

/** Whether a delivery of its alert is pending, and may change soon. */
export function hasPendingAlert({ alertOutcome, createdAt }: Result): boolean {
  return alertOutcome?.status === "pending" && Date.now() - Date.parse(createdAt) < SOON;
}

interface Row {
  result: Result | Event;
  /** Whether the table has a column for the location. */
  hasLocation?: boolean;
}

/** One result, with its monitor if the list has results of all monitors. */
export const ResultRow = memo(function ResultRow({ result, hasLocation = false }: Row) {
  const { createdAt, status, latencyMs, detail, alertOutcome } = result;
  const location = locationOf(detail);
  return (
    <tr>
      <td className="table-time">
        <Time at={createdAt} />
      </td>
      {"monitor" in result && (
        <td className="table-long">
          <Link href={`/monitors/${result.monitor.id}`}>{result.monitor.name}</Link>
          {location && <span className="text-muted"> · {location}</span>}
        </td>
      )}
      {hasLocation && <td className="table-long">{location || "–"}</td>}
      <td>
        <StatusCell state={displayStateOfStatus(status)} status={status} />
        <Before event={result} />
        {detail?.maintenance !== undefined && (
          <>
            {" "}
            <Badge>{texts.results.row.maintenance}</Badge>
          </>
        )}
      </td>
      <td className="table-number">{latencyMs !== null && latencyOrDash(latencyMs)}</td>
      <td className="table-long table-detail">
        {detail && (
          <details>
            <summary>{describeDetail(detail) || texts.results.row.details}</summary>
            {hasSteps(detail) && <StepTable detail={detail} />}
            <pre>{JSON.stringify(detail, null, 2)}</pre>
          </details>
        )}
      </td>
      <td>{alertOutcome && <AlertOutcomeCell outcome={alertOutcome} />}</td>
    </tr>
  );
});

/** The status before a change. Nothing for the first result of a monitor. */
function Before({ event }: { event: Result | Event }) {
  const before = "previousStatus" in event ? event.previousStatus : undefined;
  if (before === undefined || before === "unknown") return null;
  const status = texts.status.label[before];
  return <span className="text-muted"> {fill(texts.results.row.before, { status })}</span>;
}

type ChannelOutcome = AlertOutcome["channels"][number];

/** The outcome of an alert, and on demand the outcome of each channel. */
export function AlertOutcomeCell({ outcome: { status, channels } }: { outcome: AlertOutcome }) {
  const [isOpen, setOpen] = useState(false);
  const serviceOf = useServiceLabels({ isNeeded: isOpen });
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className={`outcome-${status}`}>{texts.results.outcome[status]}</summary>
      <ul className="result-alerts">
        {channels.map((channel) => (
          <li key={channel.channelId}>
            {rich(texts.results.channel.line, {
              channel: serviceOf(channel),
              outcome: channel.mutedBy ? (
                <Muted channel={channel} by={channel.mutedBy} />
              ) : (
                describeChannelOutcome(channel)
              ),
            })}
          </li>
        ))}
      </ul>
    </details>
  );
}

/** Finds the name of the service of a channel. Deleted channels use the label of their type. */
function useServiceLabels({ isNeeded }: { isNeeded: boolean }): (outcome: ChannelOutcome) => string {
  const { data } = useQuery({ ...channelsQuery, enabled: isNeeded });
  return ({ channelId, type }) =>
    type === "SCHEDULE"
      ? texts.results.channel.onCall
      : serviceLabel(data?.find(({ id }) => id === channelId) ?? { type, config: {} });
}

interface MutedProps {
  channel: ChannelOutcome;
  by: NonNullable<ChannelOutcome["mutedBy"]>;
}

/** Names the monitor that mutes a notification, and links to its outage. */
function Muted({ channel, by: { monitorId, outageId } }: MutedProps) {
  const { data } = useQuery(monitorNamesQuery([monitorId]));
  const cause = data?.get(monitorId);
  return (
    <>
      {describeChannelOutcome(channel, cause)}{" "}
      <Link href={`/outages/${outageId}`}>{texts.results.channel.showOutage}</Link>
    </>
  );
}

/**
 * The outcome of the notification of one channel, in words that follow its type (behavior 14.97).
 *
 * @param cause the name of the monitor that mutes it; undefined if that monitor is deleted
 */
export function describeChannelOutcome(
  { status, attempts, error }: Pick<ChannelOutcome, "status" | "attempts" | "error">,
  cause?: string,
): string {
  const words = texts.results.channel;
  switch (status) {
    case "muted":
      return cause === undefined ? words.mutedByDeleted : fill(words.muted, { monitor: cause });
    case "withdrawn":
      return words.withdrawn;
    default: {
      const isPending = status === "pending";
      if (isPending && attempts === 0) return words.notSentYet;
      const outcome = fill(isPending ? words.notDeliveredYet : words[status], { attempts });
      return error === null ? outcome : fill(words.withError, { outcome, error });
    }
  }
}
