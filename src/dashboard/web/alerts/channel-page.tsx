import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
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
import { ownNameOf } from "../languages/language-names.ts";
import { rich } from "../languages/rich.tsx";
import { fill, listOf, plural, texts } from "../languages/texts.ts";
import { Card, Fact, ManagedBy } from "../ui/card.tsx";
import { ItemActions } from "../ui/clipboard.tsx";
import { PagedTable, usePages } from "../ui/list.tsx";
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
    const failure = error ?? (channels && new ApiError(404, texts.alerts.notFound));
    return <View title={texts.alerts.title} error={failure} back={{ href: "/channels", to: "channels" }} />;
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
  const { type, enabled, config, notifyOn, language, boundMonitors } = channel;
  const words = texts.alerts.facts;
  const cannotMail = !useCanMail() && type === "EMAIL";
  return (
    <div className="channel-facts">
      <ServiceName channel={channel}>
        {!enabled && <Badge>{texts.alerts.disabled}</Badge>}
        {cannotMail && <Badge>{words.cannotMail}</Badge>}
      </ServiceName>
      <dl className="facts">
        <ConfigFacts service={serviceOf(channel)} config={{ ...config }} />
        <Fact name={words.notifiedOf}>{describeNotifyOn(notifyOn)}</Fact>
        <Fact name={words.boundTo}>{plural(texts.alerts.boundMonitors, boundMonitors)}</Fact>
        {language && <Fact name={words.language}>{ownNameOf(language)}</Fact>}
      </dl>
    </div>
  );
}

function ChannelActions({ channel, onEdit }: { channel: Channel; onEdit: () => void }) {
  const { id, name, enabled, boundMonitors } = channel;
  const words = texts.alerts.actions;
  const [, navigate] = useLocation();
  const change = useChange(queryKeys.channels, queryKeys.allMonitors);
  const set = (to: boolean) => change(api.alerts({ id }).patch({ enabled: to }));
  const toggle = async () => {
    await set(!enabled);
    offerUndo({
      text: enabled ? words.disabled : words.enabled,
      undo: () => set(enabled).then(() => {}),
    });
  };
  const remove = async () => {
    const send = () => change(api.alerts({ id }).delete());
    deleteLate({
      ids: [id],
      pending: fill(words.deletion.pending, { name }),
      failed: fill(words.deletion.failed, { name }),
      send,
    });
    navigate("/channels");
  };
  const edit = (
    <button type="button" onClick={onEdit}>
      {words.edit}
    </button>
  );
  return (
    <ItemActions
      name={name}
      toggle={enabled ? words.disable : words.enable}
      onToggle={toggle}
      edit={edit}
      onDelete={remove}
    >
      {plural(words.deletion.consequence, boundMonitors)}
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
        <Fact name={texts.alerts.facts.headers}>
          {Object.keys(headers as object).join(texts.common.comma)}
        </Fact>
      )}
    </>
  );
}

function factOf(service: Service, field: ConfigField, value: unknown): string {
  const { name, kind, choices } = field;
  // The secret of a signature is not masked by the API.
  if (kind === "secret" || name === "secret") return MASK;
  const choice = kind === "choice" ? choices?.find((one) => one.value === value) : undefined;
  return choice ? choiceLabel(choice, wordsOf(service, field)) : [value].flat().join(texts.common.comma);
}

/** The notifications of a channel, page by page. */
function Deliveries({ id }: { id: string }) {
  const { title, label, older, columns, none } = texts.alerts.deliveries;
  const pages = usePages<Delivery>({
    queryKey: queryKeys.deliveries(id),
    load: (query) => getAnswer(api.alerts({ id }).deliveries.get({ query: { limit: "25", ...query } })),
    isUnderWay: ({ status }) => status === "pending",
  });
  return (
    <Card id="deliveries" title={title}>
      <PagedTable
        label={label}
        older={older}
        pages={pages}
        columns={[
          columns.time,
          columns.outcome,
          columns.subject,
          columns.change,
          { number: columns.attempts },
          columns.answer,
        ]}
        row={(delivery) => <DeliveryRow key={delivery.id} delivery={delivery} />}
        none={none}
      />
    </Card>
  );
}

function DeliveryRow({ delivery }: { delivery: Delivery }) {
  const { createdAt, status, attempts } = delivery;
  const { subject, change } = contentOf(delivery);
  return (
    <tr>
      <td>
        <Time at={createdAt} />
      </td>
      <td className={`outcome-${status}`}>{texts.alerts.deliveries.outcome[status]}</td>
      <td className="table-long">
        <Link href={subject.href}>{subject.name}</Link>
      </td>
      <td>{change}</td>
      <td className="table-number">{attempts}</td>
      <td className="table-long table-detail">{answerOf(delivery)}</td>
    </tr>
  );
}

/** The answer of the service, and the time of the next attempt. */
function answerOf({ attempts, error, answer, nextAttemptAt }: Delivery): ReactNode {
  const { queued, nextAttempt } = texts.alerts.deliveries;
  const said = error ?? answer;
  if (!nextAttemptAt) return said;
  if (attempts === 0) return queued;
  return rich(nextAttempt, { answer: said ?? "", time: <Time at={nextAttemptAt} /> });
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

/** The subject and the change of a delivery, in words. */
export function contentOf(delivery: Content): DeliveryContent {
  const { type, monitor, location, maintenance } = delivery;
  const { changes, subjects } = texts.alerts.deliveries;
  if (type === "monitor.status_changed") {
    const subject = { name: monitor?.name ?? "", href: `/monitors/${monitor?.id}` };
    return { subject, change: statusChange(delivery) };
  }
  const change = changes[type];
  if (location) return { subject: { name: fill(subjects.location, location), href: "/locations" }, change };
  if (maintenance)
    return { subject: { name: fill(subjects.maintenance, maintenance), href: "/maintenances" }, change };
  return { subject: { name: subjects.monitors, href: "/" }, change };
}

function statusChange({ previousStatus, newStatus }: Content): string {
  const { label } = texts.status;
  if (!newStatus) return "";
  if (!previousStatus) return label[newStatus];
  const { fromTo } = texts.alerts.deliveries;
  return fill(fromTo, { from: label[previousStatus], to: label[newStatus] });
}

/** The groups of statuses that a channel is notified of. */
export function describeNotifyOn(notifyOn: NotifyOn): string {
  const { every, only, groups } = texts.alerts.changes;
  if (notifyOn.length === 3) return every;
  return fill(only, { groups: listOf(notifyOn.map((group) => groups[group])) });
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
