import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import type { Hours } from "../../../../domain/alerts/hours.ts";
import type { MonitorType } from "../../../../domain/monitors/monitor.ts";
import { ChooseChannels } from "../../alerts/channel-monitors.tsx";
import { serviceLabel } from "../../alerts/service.ts";
import { useHasRole } from "../../app/session.tsx";
import type { Channel, Monitor, RelatedMonitor, Schedule } from "../../data/api.ts";
import { checkedValues } from "../../form/field-errors.ts";
import { reportChange, useFormData } from "../../form/form.tsx";
import { rich } from "../../languages/rich.tsx";
import { fill, texts } from "../../languages/texts.ts";
import { schedulesQuery } from "../../on-call/schedules.ts";
import { formatDuration } from "../../ui/durations.ts";
import { optionsOf, type SelectOption } from "../../ui/filters.tsx";
import { confirmationOf } from "../confirmation-fields.tsx";
import { silentParents } from "../dependencies/graph.ts";
import { upstreamQuery } from "../monitor-queries.ts";
import { type AlertRules, previewAlerts } from "./alert-preview.ts";
import { forecastQuery } from "./forecast.tsx";
import { HoursFields, hoursIn } from "./hours-fields.tsx";

interface FieldsProps {
  channels: Channel[];
  /** The channels that are selected at first. */
  bindings: Binding[];
  /** Creates a channel without leaving the form. */
  onCreate: () => void;
}

/** The channels of a monitor, and for each when it is notified and how often it is reminded. */
export function AlertFields({ channels, bindings, onCreate }: FieldsProps) {
  const element = useRef<HTMLFieldSetElement>(null);
  const { data: schedules = [] } = useQuery(schedulesQuery);
  const selected = channels.filter(({ id }) => bindings.some(({ alertChannelId }) => alertChannelId === id));
  const count = selected.length;
  // A new channel is selected without an input of the reader.
  useEffect(() => (count > 0 ? reportChange(element.current) : undefined), [count]);
  return (
    <fieldset className="check-list" ref={element}>
      <legend>{texts.bindings.fields.legend}</legend>
      {/* The form has this value if it offers channels, even if none is selected. */}
      <input type="hidden" name="hasBindings" />
      {channels.map((channel) => (
        <BindingFields
          // A new channel can be in the list before it is known that this form created it.
          key={`${channel.id} ${selected.includes(channel)}`}
          list="alertChannelIds"
          receiver={channel}
          note={
            channel.enabled
              ? serviceLabel(channel)
              : fill(texts.bindings.fields.disabled, { service: serviceLabel(channel) })
          }
          binding={bindings.find(({ alertChannelId }) => alertChannelId === channel.id)}
        />
      ))}
      {schedules.map((schedule) => (
        <BindingFields
          key={schedule.id}
          list="scheduleIds"
          receiver={schedule}
          note={texts.bindings.fields.schedule}
          binding={bindings.find(({ scheduleId }) => scheduleId === schedule.id)}
        />
      ))}
      {channels.length === 0 && <p className="text-hint">{texts.bindings.fields.none}</p>}
      <button type="button" className="button-small check-list-add" onClick={onCreate}>
        {texts.bindings.fields.newChannel}
      </button>
    </fieldset>
  );
}

interface BindingProps {
  /** The name of the values in the form. */
  list: "alertChannelIds" | "scheduleIds";
  receiver: { id: string; name: string };
  note: string;
  binding: Binding | undefined;
}

function BindingFields({ list, receiver: { id, name }, note, binding }: BindingProps) {
  const [isSelected, setSelected] = useState(binding !== undefined);
  const { after = 0, every = 0, hours } = binding ?? {};
  const names = bindingNames(id);
  return (
    <div className="binding">
      <label>
        <input
          type="checkbox"
          name={list}
          value={id}
          defaultChecked={isSelected}
          onChange={({ currentTarget }) => setSelected(currentTarget.checked)}
        />
        <span className="text-wrap">{name}</span>
        <span className="text-muted">{note}</span>
      </label>
      {/* Hidden, but in the form, so that the values are kept while the channel is not selected. */}
      <div className="binding-times" hidden={!isSelected}>
        <Times
          name={names.after}
          label={fill(texts.bindings.fields.after, { name })}
          value={after}
          offered={offeredAfter}
        />
        <Times
          name={names.every}
          label={fill(texts.bindings.fields.every, { name })}
          value={every}
          offered={offeredEvery}
        />
        <HoursFields name={names.hours} label={fill(texts.bindings.hours.label, { name })} hours={hours} />
      </div>
    </div>
  );
}

interface TimesProps {
  name: string;
  label: string;
  /** Seconds. */
  value: number;
  offered: typeof offeredAfter;
}

function Times({ name, label, value, offered }: TimesProps) {
  return (
    <select name={name} aria-label={label} defaultValue={value}>
      {optionsOf(offered(value))}
    </select>
  );
}

interface PreviewProps {
  type: MonitorType;
  channels: Channel[];
}

/** Who is notified, when, by the values that the form has now (behavior 14.96). */
export function AlertPreview({ type, channels }: PreviewProps) {
  const element = useRef<HTMLElement>(null);
  const data = useFormData(element);
  const parents = data ? checkedValues(data, "dependsOn") : [];
  const { data: monitors = [] } = useQuery(upstreamQuery(parents));
  const { data: schedules = [] } = useQuery(schedulesQuery);
  const preview = data && previewAlerts(rulesOf(data, { type, channels, schedules, parents, monitors }));
  return (
    <section className="alert-preview" ref={element} aria-labelledby="alert-preview">
      <h2 id="alert-preview">{texts.bindings.preview.title}</h2>
      {preview?.steps.length === 0 && <p>{texts.bindings.preview.nobody}</p>}
      <dl>
        {preview?.steps.map(({ id, name, when }) => (
          <div key={id}>
            <dt>{name}</dt>
            <dd>{when}</dd>
          </div>
        ))}
      </dl>
      {preview?.conditions.map((sentence) => (
        <p key={sentence}>{sentence}</p>
      ))}
    </section>
  );
}

interface Known extends PreviewProps {
  schedules: readonly Schedule[];
  /** The IDs of the monitors that this one depends on. */
  parents: readonly string[];
  /** These parents, and all that they depend on. */
  monitors: readonly RelatedMonitor[];
}

function rulesOf(data: FormData, { type, channels, schedules, parents, monitors }: Known): AlertRules {
  const bindings = bindingsOf(data) ?? [];
  const names = new Map(monitors.map(({ id, name }) => [id, name]));
  return {
    type,
    confirmations: confirmationOf(data).confirmations,
    channels: bindings.flatMap(({ alertChannelId, scheduleId, ...times }) => [
      ...channels.filter(({ id }) => id === alertChannelId).map((channel) => ({ ...channel, ...times })),
      ...schedules
        .filter(({ id }) => id === scheduleId)
        .map(({ id, name }) => ({
          ...onCallReceiver,
          id,
          name: fill(texts.bindings.preview.onCall, { name }),
          ...times,
        })),
    ]),
    dependsOn: parents.flatMap((id) => names.get(id) ?? []),
    silentParents: silentParents(parents, monitors),
  };
}

/** The channels of the person decide what they list. */
const onCallReceiver: Pick<Channel, "enabled" | "notifyOn"> = {
  enabled: true,
  notifyOn: ["down", "warning", "healthy"],
};

/** A channel of a monitor, or a schedule. Seconds: how long trouble lasts before it is notified, and how often it is reminded; 0 for neither. */
export interface Binding {
  alertChannelId?: string;
  scheduleId?: string;
  after: number;
  every: number;
  /** When it may be notified of trouble; at all times if left out. */
  hours?: Hours;
}

/** In minutes, up to 1 and 7 days. */
const AFTER = [0, 1, 2, 5, 10, 15, 20, 30, 45, 60, 120, 240, 480, 720, 1440];
const EVERY = [0, 5, 10, 15, 30, 60, 120, 240, 480, 720, 1440, 2880, 10_080];

/** The options of `after`. @param stored seconds; offered as well, because the API accepts any number */
export function offeredAfter(stored: number): SelectOption[] {
  return choices(AFTER, stored, (seconds) =>
    seconds === 0
      ? texts.bindings.after.atOnce
      : fill(texts.bindings.after.later, { duration: formatDuration(seconds * 1000) }),
  );
}

/** The options of `every`. @param stored as of `offeredAfter` */
export function offeredEvery(stored: number): SelectOption[] {
  return choices(EVERY, stored, (seconds) =>
    seconds === 0
      ? texts.bindings.every.never
      : fill(texts.bindings.every.often, { duration: formatDuration(seconds * 1000) }),
  );
}

function choices(minutes: number[], stored: number, label: (seconds: number) => string): SelectOption[] {
  const all = new Set([...minutes.map((one) => one * 60), stored]);
  return [...all].sort((a, b) => a - b).map((seconds) => ({ value: seconds, label: label(seconds) }));
}

/** The names of the form values of a channel. */
function bindingNames(channelId: string) {
  return { after: `after ${channelId}`, every: `every ${channelId}`, hours: `hours ${channelId}` };
}

/** The channels that are selected in the form; undefined if it does not offer any. */
export function bindingsOf(data: FormData): Binding[] | undefined {
  if (!data.has("hasBindings")) return undefined;
  return [
    ...data.getAll("alertChannelIds").map((id) => ({ id: String(id), isSchedule: false })),
    ...data.getAll("scheduleIds").map((id) => ({ id: String(id), isSchedule: true })),
  ].map(({ id, isSchedule }) => {
    const names = bindingNames(id);
    const hours = hoursIn(data.get(names.hours));
    return {
      ...(isSchedule ? { scheduleId: id } : { alertChannelId: id }),
      after: Number(data.get(names.after) ?? 0),
      every: Number(data.get(names.every) ?? 0),
      ...(hours && { hours }),
    };
  });
}

/** Warns that the trouble of a monitor notifies nobody (behavior 16.269). Nothing for a paused monitor. */
export function NobodyNotified({ monitor: { id, name, enabled } }: { monitor: Monitor }) {
  const mayWrite = useHasRole("admin");
  const { data } = useQuery(forecastQuery(id));
  const isSilent = data?.receivers.every(({ why }) => why === "disabled" || why === "nobody");
  // The dialog stays after the monitor has a channel, because it offers a test.
  const [isOpen, setOpen] = useState(false);
  if (!enabled || !(isSilent || isOpen)) return null;
  return (
    <div className="nobody-notified">
      <p>
        <strong>{texts.bindings.nobody.title}</strong>{" "}
        {data?.receivers.some(({ why }) => why === "nobody")
          ? texts.bindings.nobody.schedules
          : !!data?.receivers.length && texts.bindings.nobody.disabled}
      </p>
      {mayWrite && (
        <button type="button" className="button-small" onClick={() => setOpen(true)}>
          {texts.bindings.nobody.choose}
        </button>
      )}
      {isOpen && (
        <ChooseChannels selector={{ monitorIds: [id] }} onClose={() => setOpen(false)}>
          {rich(texts.bindings.nobody.forMonitor, { name: <bdi>{name}</bdi> })}
        </ChooseChannels>
      )}
    </div>
  );
}
