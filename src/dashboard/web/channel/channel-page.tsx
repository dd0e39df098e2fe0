import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import { useHasRole } from "../app/session.tsx";
import { api, type Channel, getData } from "../data/api.ts";
import { queryKeys } from "../data/query-keys.ts";
import { Badge } from "../ui/badge.tsx";
import { ItemActions } from "../ui/dialog/item-actions.tsx";
import { Fact } from "../ui/fact.tsx";
import { ManagedBy } from "../ui/managed-by.tsx";
import { formatCount } from "../ui/numbers.ts";
import { View } from "../ui/view/view.tsx";
import { ChannelForm } from "./channel-form.tsx";
import { Deliveries } from "./deliveries.tsx";
import { describeNotifyOn } from "./notify-on.ts";
import { SendTest } from "./send-test.tsx";
import { ConfigFacts } from "./services/config-facts.tsx";
import { serviceOf } from "./services/service.ts";
import { ServiceName } from "./services/service-icon.tsx";

export function ChannelPage({ id }: { id: string }) {
  const [editing, setEditing] = useState(false);
  const mayWrite = useHasRole("admin");
  const { data, error } = useQuery({
    queryKey: queryKeys.channel(id),
    queryFn: () => getData(api.alerts({ id }).get()),
  });
  if (!data) return <View title="Channel" error={error} back={{ href: "/channels", to: "channels" }} />;
  if (editing) return <ChannelForm channel={data} onDone={() => setEditing(false)} />;
  return (
    <View
      title={data.name}
      aside={mayWrite && <ChannelActions channel={data} onEdit={() => setEditing(true)} />}
    >
      <ManagedBy reference={data.ref} />
      <ChannelFacts channel={data} />
      {mayWrite && <SendTest id={id} />}
      <Deliveries id={id} />
    </View>
  );
}

function ChannelFacts({ channel }: { channel: Channel }) {
  const { enabled, config, notifyOn, bindings } = channel;
  return (
    <div className="channel-facts">
      <ServiceName channel={channel}>{!enabled && <Badge>Disabled</Badge>}</ServiceName>
      <dl className="facts">
        <ConfigFacts service={serviceOf(channel)} config={{ ...config }} />
        <Fact name="Notified of">{describeNotifyOn(notifyOn)}</Fact>
        <Fact name="Bound to">{formatCount(bindings.length, "monitor")}</Fact>
      </dl>
    </div>
  );
}

function ChannelActions({ channel, onEdit }: { channel: Channel; onEdit: () => void }) {
  const { id, name, enabled, bindings } = channel;
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const toggle = async () => {
    await getData(api.alerts({ id }).patch({ enabled: !enabled }));
    await queries.invalidateQueries({ queryKey: queryKeys.channels });
  };
  const remove = async () => {
    await getData(api.alerts({ id }).delete());
    queries.removeQueries({ queryKey: queryKeys.channel(id) });
    await queries.invalidateQueries({ queryKey: queryKeys.channels });
    navigate("/channels");
  };
  const edit = (
    <button type="button" onClick={onEdit}>
      Edit
    </button>
  );
  return (
    <ItemActions
      name={name}
      toggle={enabled ? "Disable" : "Enable"}
      onToggle={toggle}
      edit={edit}
      onDelete={remove}
    >
      It is unbound from {formatCount(bindings.length, "monitor")}, and its pending notifications are not
      sent. You cannot undo this.
    </ItemActions>
  );
}
