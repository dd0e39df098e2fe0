import { useQuery } from "@tanstack/react-query";
import { useHasRole } from "../app/session.tsx";
import type { Channel } from "../data/api.ts";
import { channelsQuery } from "../data/shared-queries.ts";
import { ListRow, ListView } from "../ui/list.tsx";
import { formatCount } from "../ui/numbers.ts";
import { useCanMail } from "./channel-fields.tsx";
import { describeNotifyOn } from "./channel-words.ts";
import { serviceLabel, serviceOf } from "./service.ts";
import { ServiceIcon } from "./service-icon.tsx";
import { ThisDevice } from "./this-device.tsx";

export function ChannelList() {
  const { data, error } = useQuery(channelsQuery);
  const mayWrite = useHasRole("admin");
  return (
    <ListView
      title="Channels"
      lead="Channels get a message when a monitor changes its status."
      items={data}
      error={error}
      none="No channels yet. Nobody gets notifications."
      row={(channel) => <ChannelRow key={channel.id} channel={channel} />}
      create={{ role: "admin", label: "New channel", href: "/channels/new" }}
    >
      {data && mayWrite && <ThisDevice channels={data} />}
    </ListView>
  );
}

function ChannelRow({ channel }: { channel: Channel }) {
  const { id, name, type, enabled, notifyOn, boundMonitors } = channel;
  const cannotMail = !useCanMail() && type === "EMAIL";
  return (
    <ListRow
      className="channel-row"
      icon={<ServiceIcon service={serviceOf(channel)} />}
      title={name}
      href={`/channels/${id}`}
      details={
        <span className="list-row-detail">
          {serviceLabel(channel)}, {describeNotifyOn(notifyOn)}
          {cannotMail && <span className="warning">. Server cannot send e-mail.</span>}
        </span>
      }
    >
      <p className="text-muted">{enabled ? formatCount(boundMonitors, "monitor") : "Disabled"}</p>
    </ListRow>
  );
}
