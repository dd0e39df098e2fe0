import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { channelTypeLabels } from "../channel/channel-types.ts";
import type { AlertOutcome } from "../data/api.ts";
import { monitorsQuery } from "../data/shared-queries.ts";
import { describeChannelOutcome, outcomeLabels } from "./outcome-words.ts";

type ChannelOutcome = AlertOutcome["channels"][number];

/** The outcome of an alert, and on demand that of each channel. */
export function AlertOutcomeCell({ outcome: { status, channels } }: { outcome: AlertOutcome }) {
  return (
    <details>
      <summary className={`outcome-${status}`}>{outcomeLabels[status]}</summary>
      <ul className="result-alerts">
        {channels.map((channel) => (
          <li key={channel.channelId}>
            {channelTypeLabels[channel.type]}:{" "}
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
