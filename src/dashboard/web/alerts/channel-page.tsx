import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useLocation } from "wouter";
import type { NotifyOn } from "../../../domain/alerts/notify.ts";
import { MASK } from "../../../domain/schemas/mask.ts";
import type { ConfigField } from "../../../domain/schemas/schema.ts";
import { useHasRole } from "../app/session.tsx";
import { ApiError, api, type Channel, type Config, type Delivery, getAnswer } from "../data/api.ts";
import { channelsQuery, queryKeys } from "../data/query-keys.ts";
import { useChange } from "../data/use-change.ts";
import { choiceLabel } from "../form/choices.tsx";
import { storedValue } from "../form/config-field.ts";
import { EditView } from "../form/edit-view.tsx";
import { readDraft, useDraftKey } from "../form/use-draft.tsx";
import { texts } from "../languages/texts.ts";
import { Card, Fact, ManagedBy } from "../ui/card.tsx";
import { ItemActions } from "../ui/clipboard.tsx";
import { PagedTable, usePages } from "../ui/list.tsx";
import { formatCount } from "../ui/numbers.ts";
import { Time } from "../ui/time.tsx";
import { deleteLate, offerUndo } from "../ui/undo.tsx";
import { Badge, View } from "../ui/view.tsx";
import {
  ChannelFields,
  ServiceName,
  serviceFields,
  useCanMail,
  useChannelForm,
  wordsOf,
} from "./channel-fields.tsx";
import { ChannelMonitors } from "./channel-monitors.tsx";
import { SendTest, UseFor, useCreateChannel } from "./new-channel.tsx";
import { type Service, serviceOf } from "./service.ts";

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
  const change = useChange(queryKeys.channels, queryKeys.allMonitors);
  const set = (to: boolean) => change(api.alerts({ id }).patch({ enabled: to }));
  const toggle = async () => {
    await set(!enabled);
    offerUndo({
      text: enabled ? "The channel is disabled." : "The channel is enabled.",
      undo: () => set(enabled).then(() => {}),
    });
  };
  const remove = async () => {
    const send = () => change(api.alerts({ id }).delete());
    deleteLate({
      ids: [id],
      pending: `The channel “${name}” will be deleted.`,
      failed: `The channel “${name}” could not be deleted`,
      send,
    });
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
      It is unbound from {formatCount(boundMonitors, "monitor")}, and its pending notifications are not sent.
      You can undo this for ten seconds.
    </ItemActions>
  );
}

/** The config of a channel, in the words of its service. */
function ConfigFacts({ service, config }: { service: Service; config: Config }) {
  const { headers } = config;
  const facts = serviceFields[service]
    .map((field) => ({ field, value: storedValue(field, config) }))
    .filter(({ value }) => value !== undefined);
  return (
    <>
      {facts.map(({ field, value }) => (
        <Fact key={field.name} name={wordsOf(service, field).label}>
          {field.kind === "text-area" ? (
            <code className="channel-body">{String(value)}</code>
          ) : (
            factOf(service, field, value)
          )}
        </Fact>
      ))}
      {headers !== undefined && (
        <Fact name="Request headers">{Object.keys(headers as object).join(", ")}</Fact>
      )}
    </>
  );
}

function factOf(service: Service, field: ConfigField, value: unknown): string {
  const { name, kind, choices } = field;
  // The secret of a signature is not masked by the API.
  if (kind === "secret" || name === "secret") return MASK;
  const choice = kind === "choice" ? choices?.find((one) => one.value === value) : undefined;
  return choice ? choiceLabel(choice, wordsOf(service, field)) : [value].flat().join(", ");
}

/** The notifications of a channel, page by page. */
function Deliveries({ id }: { id: string }) {
  const pages = usePages<Delivery>({
    queryKey: queryKeys.deliveries(id),
    load: (query) => getAnswer(api.alerts({ id }).deliveries.get({ query: { limit: "25", ...query } })),
    isUnderWay: ({ status }) => status === "pending",
  });
  return (
    <Card id="deliveries" title="Deliveries">
      <PagedTable
        label="Table of deliveries"
        older="Older deliveries"
        pages={pages}
        columns={["Time", "Outcome", "About", "Change", { number: "Attempts" }, "Answer"]}
        row={(delivery) => <DeliveryRow key={delivery.id} delivery={delivery} />}
        none="No deliveries yet."
      />
    </Card>
  );
}

const deliveryLabels: Record<Delivery["status"], string> = {
  pending: "Pending",
  delivered: "Delivered",
  failed: "Failed",
  muted: "Muted",
  withdrawn: "Withdrawn",
};

function DeliveryRow({ delivery }: { delivery: Delivery }) {
  const { createdAt, status, attempts, error, answer, nextAttemptAt } = delivery;
  const { subject, change } = contentOf(delivery);
  return (
    <tr>
      <td>
        <Time at={createdAt} />
      </td>
      <td className={`outcome-${status}`}>{deliveryLabels[status]}</td>
      <td className="table-long">
        <Link href={subject.href}>{subject.name}</Link>
      </td>
      <td>{change}</td>
      <td className="table-number">{attempts}</td>
      <td className="table-long table-detail">
        {error ?? answer}
        {nextAttemptAt && attempts === 0 && "queued behind earlier notifications"}
        {nextAttemptAt && attempts > 0 && (
          <>
            , next attempt at <Time at={nextAttemptAt} />
          </>
        )}
      </td>
    </tr>
  );
}

interface DeliveryContent {
  /** Its subject, and the path of the subject's view. */
  subject: { name: string; href: string };
  change: string;
}

type Content = Pick<
  Delivery,
  "type" | "monitor" | "previousStatus" | "newStatus" | "location" | "maintenance"
>;

/** The change that a delivery reports, in words; null for a status. */
const changes: Record<Delivery["type"], string | null> = {
  "monitor.status_changed": null,
  "location.silent": "Silent",
  "location.connected": "Connected again",
  "maintenance.started": "Started",
  "maintenance.ended": "Ended",
  "checks.blind": "Not checked",
  "checks.resumed": "Checked again",
};

/** The subject and the change of a delivery, in words. */
export function contentOf(delivery: Content): DeliveryContent {
  const { type, monitor, previousStatus, newStatus, location, maintenance } = delivery;
  const change = changes[type];
  if (change === null) {
    const statuses = [previousStatus, newStatus].flatMap((status) => status ?? []);
    return {
      subject: { name: monitor?.name ?? "", href: `/monitors/${monitor?.id}` },
      change: statuses.map((status) => texts.status.label[status]).join(" → "),
    };
  }
  if (location) return { subject: { name: `Location ${location.name}`, href: "/locations" }, change };
  if (maintenance)
    return { subject: { name: `Maintenance ${maintenance.title}`, href: "/maintenances" }, change };
  return { subject: { name: "Monitors", href: "/" }, change };
}

/** The groups of statuses that a channel is notified of. */
export function describeNotifyOn(notifyOn: NotifyOn): string {
  return notifyOn.length === 3 ? "every change" : `only ${notifyOn.join(" and ")}`;
}

export function NewChannel() {
  const [, navigate] = useLocation();
  const form = useChannelForm();
  const create = useCreateChannel();
  const save = async (data: FormData) => {
    const { id } = await create(form.valuesOf(data), data);
    navigate(`/channels/${id}`, { replace: true });
  };
  return (
    <EditView noun="channel" name={undefined} check={form.check} onSubmit={save} cancel="/channels">
      <ChannelFields {...form} />
      <UseFor />
    </EditView>
  );
}

function EditChannel({ channel, onDone }: { channel: Channel; onDone: () => void }) {
  const form = useChannelForm(channel);
  const change = useChange(queryKeys.channels);
  const save = async (data: FormData) => {
    const { type: _, ...values } = form.valuesOf(data);
    await change(api.alerts({ id: channel.id }).patch(values));
    onDone();
  };
  return (
    <EditView
      noun="channel"
      name={channel.name}
      reference={channel.ref}
      check={form.check}
      onSubmit={save}
      cancel={onDone}
    >
      <ChannelFields {...form} />
    </EditView>
  );
}
