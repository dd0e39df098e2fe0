import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { useHasRole } from "../app/session.tsx";
import type { Channel } from "../data/api.ts";
import { channelsQuery } from "../data/shared-queries.ts";
import { Failure } from "../ui/failure.tsx";
import { formatCount } from "../ui/numbers.ts";
import { View } from "../ui/view/view.tsx";
import { describeNotifyOn } from "./notify-on.ts";
import { serviceLabel, serviceOf } from "./services/service.ts";
import { ServiceIcon } from "./services/service-icon.tsx";

export function ChannelList() {
  const { data, error } = useQuery(channelsQuery);
  const mayWrite = useHasRole("admin");
  const create = mayWrite && (
    <Link className="button button-primary" href="/channels/new">
      New channel
    </Link>
  );
  return (
    <View title="Channels" aside={create}>
      <p className="text-lead">Channels get a message when a monitor changes its status.</p>
      <Failure error={error} />
      {data?.length === 0 && <p className="view-empty">No channels yet. Nobody gets notifications.</p>}
      <ul className="list">
        {data?.map((channel) => (
          <ChannelRow key={channel.id} channel={channel} />
        ))}
      </ul>
    </View>
  );
}

function ChannelRow({ channel }: { channel: Channel }) {
  const { id, name, enabled, notifyOn, bindings } = channel;
  return (
    <li className="list-row">
      <div className="list-row-name channel-name">
        <ServiceIcon service={serviceOf(channel)} />
        <Link href={`/channels/${id}`}>{name}</Link>
        <span className="list-row-detail">
          {serviceLabel(channel)}, {describeNotifyOn(notifyOn)}
        </span>
      </div>
      <p className="text-muted">{enabled ? formatCount(bindings.length, "monitor") : "Disabled"}</p>
    </li>
  );
}
