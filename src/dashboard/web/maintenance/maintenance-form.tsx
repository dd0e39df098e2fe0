import { useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { useLocation } from "wouter";
import { type Window, windowsFrom } from "../../../domain/maintenance/windows.ts";
import { serviceLabel } from "../alerts/service.ts";
import { api, type Channel, getData, type Maintenance } from "../data/api.ts";
import { selectedCountQuery } from "../data/monitor-lists.ts";
import { changedByMaintenance, channelsQuery, queryKeys } from "../data/query-keys.ts";
import { useChange } from "../data/use-change.ts";
import { useSettled } from "../data/use-settled.ts";
import { CheckList, RadioList } from "../form/choices.tsx";
import { EditView } from "../form/edit-view.tsx";
import { Field, NameField, TextField, TimeField } from "../form/fields.tsx";
import { useFormData } from "../form/form.tsx";
import { ZoneField } from "../form/monitor-picker.tsx";
import { optionsOf } from "../ui/filters.tsx";
import { formatCount } from "../ui/numbers.ts";
import { useClock } from "../ui/time.tsx";
import { View } from "../ui/view.tsx";
import {
  isForever,
  type Kind,
  maintenanceFaults,
  maintenanceIn,
  parsedTimes,
  splitDuration,
  type TimesBody,
  timesIn,
  UNITS,
} from "./maintenance-values.ts";
import { describeDistance, describeSpan, describeWindow, isInReadersTime } from "./maintenance-words.ts";
import { SelectorFields, selectorIn } from "./selector-fields.tsx";

export function NewMaintenance() {
  return <MaintenanceForm />;
}

export function EditMaintenance({ id }: { id: string }) {
  const { data, error } = useQuery({
    queryKey: queryKeys.maintenance(id),
    queryFn: () => getData(api.maintenances({ id }).get()),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (data) return <MaintenanceForm stored={data} />;
  return <View title="Maintenance" error={error} back={{ href: "/maintenances", to: "maintenances" }} />;
}

/**
 * Creates or edits a maintenance. Without its channels, the form would save that none is selected.
 *
 * @property stored the one to edit
 */
function MaintenanceForm({ stored }: { stored?: Maintenance }) {
  const channels = useQuery(channelsQuery);
  if (channels.data) return <CompleteForm stored={stored} channels={channels.data} />;
  const title = stored ? `Edit ${stored.title}` : "New maintenance";
  return <View title={title} error={channels.error} />;
}

interface Props {
  stored: Maintenance | undefined;
  channels: Channel[];
}

function CompleteForm({ stored, channels }: Props) {
  const [kind, setKind] = useState<Kind>(stored?.cron ? "repeated" : "once");
  const save = useSaveMaintenance(stored, kind);
  return (
    <EditView
      noun="maintenance"
      name={stored?.title}
      reference={stored?.ref}
      check={(data) => maintenanceFaults(maintenanceIn(data, kind, stored))}
      onSubmit={save}
      cancel="/maintenances"
    >
      <NameField name="title" label="Title" value={stored?.title} />
      <Field
        name="message"
        label="Message"
        hint="Optional. It is part of the notifications about this maintenance."
      >
        {(props) => <textarea {...props} rows={3} defaultValue={stored?.message ?? ""} />}
      </Field>
      <SelectorFields stored={stored?.selector} />
      <TimesFields kind={kind} onKind={setKind} stored={stored} />
      <WindowPreview key={kind} kind={kind} timesIn={(data) => validTimes(timesIn(data, kind, stored))} />
      <NotifyFields channels={channels} chosen={stored?.notifyChannelIds ?? []} />
      {kind === "once" && (
        <CheckList
          legend="Public pages"
          name="notifySubscribers"
          options={[
            {
              value: "on",
              isChecked: stored?.notifySubscribers ?? false,
              label: "Notify subscribers when this maintenance is planned, moved or canceled",
            },
          ]}
        />
      )}
    </EditView>
  );
}

/** The times in the form for the preview; null unless they are valid. */
function validTimes(times: ReturnType<typeof timesIn>): TimesBody | null {
  const others = { title: "-", selector: { all: true }, notifyChannelIds: [] };
  if (maintenanceFaults({ ...others, ...times }).length > 0) return null;
  return { ...NO_TIMES, ...times } as TimesBody;
}

const NO_TIMES: TimesBody = {
  startsAt: null,
  endsAt: null,
  cron: null,
  timezone: null,
  duration: null,
  until: null,
};

function useSaveMaintenance(stored: Maintenance | undefined, kind: Kind) {
  const [, navigate] = useLocation();
  const change = useChange(...changedByMaintenance);
  return async (data: FormData): Promise<void> => {
    const values = maintenanceIn(data, kind, stored);
    if (stored)
      await change(api.maintenances({ id: stored.id }).patch(values), queryKeys.maintenance(stored.id));
    else await change(api.maintenances.post(values));
    navigate("/maintenances", { replace: true });
  };
}

function NotifyFields({ channels, chosen }: { channels: Channel[]; chosen: readonly string[] }) {
  if (channels.length === 0) return null;
  return (
    <CheckList
      legend="Notify of start and end"
      name="notifyChannelIds"
      options={channels.map((channel) => ({
        value: channel.id,
        isChecked: chosen.includes(channel.id),
        label: (
          <>
            {channel.name} <span className="text-muted">{serviceLabel(channel)}</span>
          </>
        ),
      }))}
    />
  );
}

interface TimesFieldsProps {
  kind: Kind;
  onKind: (kind: Kind) => void;
  stored: TimesBody | undefined;
}

const KINDS: { value: Kind; label: string }[] = [
  { value: "once", label: "Once" },
  { value: "repeated", label: "Repeated, by a cron expression" },
];

/** When a maintenance has windows. */
function TimesFields({ kind, onKind, stored }: TimesFieldsProps) {
  return (
    <>
      <RadioList legend="When" name="kind" options={KINDS} value={kind} onChange={onKind} />
      {kind === "once" ? <OnceFields stored={stored} /> : <RepeatedFields stored={stored} />}
    </>
  );
}

const HOUR = 3_600_000;
const STEP = 300_000;

/** A new one is offered the next hour, from a time that is easy to read. */
function offeredTimes(now: number): { startsAt: string; endsAt: string } {
  const start = Math.ceil(now / STEP) * STEP;
  return { startsAt: new Date(start).toISOString(), endsAt: new Date(start + HOUR).toISOString() };
}

function OnceFields({ stored }: Pick<TimesFieldsProps, "stored">) {
  const offered = offeredTimes(Date.now());
  return (
    <div className="field-halves">
      <TimeField name="startsAt" label="Start" value={stored?.startsAt ?? offered.startsAt} />
      <TimeField name="endsAt" label="End" value={stored?.endsAt ?? offered.endsAt} />
    </div>
  );
}

function RepeatedFields({ stored }: Pick<TimesFieldsProps, "stored">) {
  const { count, unit } = splitDuration(stored?.duration ?? undefined);
  const ownZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <>
      <div className="field-halves">
        <TextField
          name="cron"
          label="Cron expression of the starts"
          value={stored?.cron ?? undefined}
          example="0 2 * * 0"
          hint="Minute, hour, day, month, weekday. 0 2 * * 0 is each Sunday at 02:00."
        />
        <ZoneField value={stored?.cron ? (stored.timezone ?? "UTC") : ownZone} />
      </div>
      <div className="field-halves">
        <div className="duration">
          <TextField name="duration" label="Duration" value={count} kind="numeric" />
          <select name="durationUnit" aria-label="Unit of the duration" defaultValue={unit}>
            {optionsOf(Object.keys(UNITS).map((unit) => ({ value: unit, label: unit })))}
          </select>
        </div>
        <TimeField
          name="until"
          label="No start after"
          value={stored?.until && !isForever(stored.until) ? stored.until : undefined}
          hint="In your time zone. If empty: it has no end."
        />
      </div>
    </>
  );
}

const MAX_WINDOWS = 5;

interface WindowPreviewProps {
  kind: Kind;
  /** The times in the form; null if they are not valid. */
  timesIn: (data: FormData) => TimesBody | null;
}

/** The next windows by the values that the form has now, and how many monitors it names (behavior 14.95). */
function WindowPreview({ kind, timesIn }: WindowPreviewProps) {
  const element = useRef<HTMLElement>(null);
  const data = useFormData(element);
  const times = data && timesIn(data);
  return (
    <section className="window-preview" ref={element} aria-labelledby="window-preview">
      <h2 id="window-preview">{kind === "once" ? "The window" : "The next windows"}</h2>
      {times ? <Windows times={times} /> : <p>Complete the times to see when this maintenance is.</p>}
      {data && <Count selector={selectorIn(data)} />}
    </section>
  );
}

function Windows({ times }: { times: TimesBody }) {
  const now = useClock((now) => now);
  const windows = windowsFrom(parsedTimes(times), now, MAX_WINDOWS);
  if (windows.length === 0) return <p>No window is left.</p>;
  return (
    <ol>
      {windows.map((window) => (
        <li key={window.startsAt}>
          <WindowText
            window={window}
            timezone={times.cron === null ? undefined : (times.timezone ?? "UTC")}
            now={now}
          />
        </li>
      ))}
    </ol>
  );
}

interface TextProps {
  window: Window;
  /** The zone of the cron expression; undefined for the reader's zone. */
  timezone: string | undefined;
  now: number;
}

/** In the zone of the cron expression, and in the reader's zone if it differs. */
function WindowText({ window, timezone, now }: TextProps) {
  const inOther = timezone !== undefined && !isInReadersTime(window, timezone);
  return (
    <>
      {describeWindow(window, { timeZone: timezone })}
      {inOther && ` ${timezone}`}
      <span className="text-muted">
        {" "}
        · {describeDistance(window, now)}
        {inOther && ` · your time: ${describeSpan(window)}`}
      </span>
    </>
  );
}

function Count({ selector }: { selector: ReturnType<typeof selectorIn> }) {
  const { data: count } = useQuery(selectedCountQuery(useSettled(selector)));
  if (count === undefined) return null;
  return (
    <p>
      {formatCount(count, "monitor")} {count === 1 ? "is" : "are"} affected now.
    </p>
  );
}
