import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import { MASK } from "../../../domain/schemas/mask.ts";
import { useHasRole } from "../app/session.tsx";
import { ApiError, api, type Channel, type Config, getData } from "../data/api.ts";
import { invalidate, queryKeys } from "../data/query-keys.ts";
import { channelsQuery } from "../data/shared-queries.ts";
import { useChange } from "../data/use-change.ts";
import { type ConfigField, storedValue } from "../form/config-field.ts";
import { readDraft, useDraftKey } from "../form/use-draft.tsx";
import { Fact, ManagedBy } from "../ui/card.tsx";
import { ItemActions } from "../ui/item-actions.tsx";
import { formatCount } from "../ui/numbers.ts";
import { Badge, View } from "../ui/view.tsx";
import { useCanMail } from "./channel-fields.tsx";
import { EditChannel } from "./channel-form.tsx";
import { ChannelMonitors } from "./channel-monitors.tsx";
import { describeNotifyOn } from "./channel-words.ts";
import { Deliveries } from "./deliveries.tsx";
import { SendTest } from "./send-test.tsx";
import { type Service, serviceOf } from "./service.ts";
import { serviceFields } from "./service-fields.ts";
import { ServiceName } from "./service-icon.tsx";

export function ChannelPage({ id }: { id: string }) {
  const draftKey = useDraftKey();
  const [editing, setEditing] = useState(() => readDraft(draftKey) !== undefined);
  const mayWrite = useHasRole("admin");
  const { data: channels, error } = useQuery(channelsQuery);
  const data = channels?.find((one) => one.id === id);
  if (!data) {
    const failure = error ?? (channels && new ApiError(404, "Not found"));
    return <View title="Channel" error={failure} back={{ href: "/channels", to: "channels" }} />;
  }
  if (editing) return <EditChannel channel={data} onDone={() => setEditing(false)} />;
  return (
    <View
      title={data.name}
      aside={mayWrite && <ChannelActions channel={data} onEdit={() => setEditing(true)} />}
    >
      <ManagedBy reference={data.ref} />
      <ChannelFacts channel={data} />
      {mayWrite && <SendTest id={id} />}
      <ChannelMonitors channel={data} />
      <Deliveries id={id} />
    </View>
  );
}

function ChannelFacts({ channel }: { channel: Channel }) {
  const { type, enabled, config, notifyOn, boundMonitors } = channel;
  const cannotMail = !useCanMail() && type === "EMAIL";
  return (
    <div className="channel-facts">
      <ServiceName channel={channel}>
        {!enabled && <Badge>Disabled</Badge>}
        {cannotMail && <Badge>Server cannot send e-mail</Badge>}
      </ServiceName>
      <dl className="facts">
        <ConfigFacts service={serviceOf(channel)} config={{ ...config }} />
        <Fact name="Notified of">{describeNotifyOn(notifyOn)}</Fact>
        <Fact name="Bound to">{formatCount(boundMonitors, "monitor")}</Fact>
      </dl>
    </div>
  );
}

function ChannelActions({ channel, onEdit }: { channel: Channel; onEdit: () => void }) {
  const { id, name, enabled, boundMonitors } = channel;
  const [, navigate] = useLocation();
  const queries = useQueryClient();
  const change = useChange(queryKeys.channels);
  const toggle = () => change(api.alerts({ id }).patch({ enabled: !enabled }));
  const remove = async () => {
    await getData(api.alerts({ id }).delete());
    navigate("/channels");
    await invalidate(queries, [queryKeys.channels]);
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
      It is unbound from {formatCount(boundMonitors, "monitor")}, and its pending notifications are not sent.
      You cannot undo this.
    </ItemActions>
  );
}

/** The config of a channel, in the words of its service. */
export function ConfigFacts({ service, config }: { service: Service; config: Config }) {
  const { headers } = config;
  const facts = serviceFields[service]
    .map((field) => ({ field, value: storedValue(field, config) }))
    .filter(({ value }) => value !== undefined);
  return (
    <>
      {facts.map(({ field, value }) => (
        <Fact key={field.name} name={field.label}>
          {field.kind === "text-area" ? (
            <code className="channel-body">{String(value)}</code>
          ) : (
            wordsOf(field, value)
          )}
        </Fact>
      ))}
      {headers !== undefined && (
        <Fact name="Request headers">{Object.keys(headers as object).join(", ")}</Fact>
      )}
    </>
  );
}

function wordsOf({ name, kind, choices }: ConfigField, value: unknown): string {
  // The secret of a signature is not masked by the API.
  if (kind === "secret" || name === "secret") return MASK;
  const choice = kind === "choice" ? choices?.find((one) => one.value === value) : undefined;
  return choice?.label ?? [value].flat().join(", ");
}
