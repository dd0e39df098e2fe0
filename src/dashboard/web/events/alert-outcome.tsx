import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";
import { serviceLabel } from "../channel/services/service.ts";
import type { AlertOutcome } from "../data/api.ts";
import { channelsQuery, monitorsQuery } from "../data/shared-queries.ts";
import { describeChannelOutcome, outcomeLabels } from "./outcome-words.ts";

type ChannelOutcome = AlertOutcome["channels"][number];

/** The outcome of an alert, and on demand that of each channel. */
export function AlertOutcomeCell({ outcome: { status, channels } }: { outcome: AlertOutcome }) {
  const [isOpen, setOpen] = useState(false);
  const serviceOf = useServiceLabels({ isNeeded: isOpen });
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary className={`outcome-${status}`}>{outcomeLabels[status]}</summary>
      <ul className="result-alerts">
        {channels.map((channel) => (
          <li key={channel.channelId}>
            {serviceOf(channel)}:{" "}
            {channel.mutedBy ? (
              <Muted channel={channel} by={channel.mutedBy} />
            ) : (
              describeChannelOutcome(channel)
            )}
          </li>
        ))}
      </ul>
    </details>
  );
}

/** Finds the name of the service of a channel. For a deleted channel, it is that of the type. */
function useServiceLabels({ isNeeded }: { isNeeded: boolean }): (outcome: ChannelOutcome) => string {
  const { data } = useQuery({ ...channelsQuery, enabled: isNeeded });
  return ({ channelId, type }) =>
    serviceLabel(data?.find(({ id }) => id === channelId) ?? { type, config: {} });
}

interface MutedProps {
  channel: ChannelOutcome;
  by: NonNullable<ChannelOutcome["mutedBy"]>;
}

/** Names the monitor that mutes a notification, and links to its outage. */
function Muted({ channel, by: { monitorId, outageId } }: MutedProps) {
  const { data } = useQuery(monitorsQuery);
  const cause = data?.monitors.find(({ id }) => id === monitorId)?.name;
  return (
    <>
      {describeChannelOutcome(channel, cause)} <Link href={`/outages/${outageId}`}>Show the outage</Link>
    </>
  );
}
