import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ChooseChannels } from "../../alerts/channel-monitors.tsx";
import { useHasRole } from "../../app/session.tsx";
import type { Monitor } from "../../data/api.ts";
import { channelsQuery } from "../../data/shared-queries.ts";

/** Warns that the trouble of a monitor notifies nobody (behavior 16.269). Nothing for a paused monitor. */
export function NobodyNotified({ monitor: { id, name, enabled, alertBindings } }: { monitor: Monitor }) {
  const mayWrite = useHasRole("admin");
  const { data: channels } = useQuery(channelsQuery);
  const isSilent = alertBindings.every(({ alertChannelId }) =>
    channels?.some((channel) => channel.id === alertChannelId && !channel.enabled),
  );
  // The dialog stays after the monitor has a channel, because it offers a test.
  const [isOpen, setOpen] = useState(false);
  if (!enabled || !(isSilent || isOpen)) return null;
  return (
    <div className="nobody-notified">
      <p>
        <strong>Nobody is notified.</strong>{" "}
        {alertBindings.length > 0 && "Each channel of this monitor is disabled."}
      </p>
      {mayWrite && (
        <button type="button" className="button-small" onClick={() => setOpen(true)}>
          Choose channels
        </button>
      )}
      {isOpen && (
        <ChooseChannels selector={{ monitorIds: [id] }} onClose={() => setOpen(false)}>
          For <bdi>{name}</bdi>:
        </ChooseChannels>
      )}
    </div>
  );
}
