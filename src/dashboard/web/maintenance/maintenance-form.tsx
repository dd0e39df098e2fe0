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
import { fill, plural, texts } from "../languages/texts.ts";
import { optionsOf } from "../ui/filters.tsx";
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
  type Unit,
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
  return (
    <View
      title={texts.maintenance.form.title}
      error={error}
      back={{ href: "/maintenances", to: "maintenances" }}
    />
  );
}

/**
 * Creates or edits a maintenance. Without its channels, the form would save that none is selected.
 *
 * @property stored the one to edit
 */
function MaintenanceForm({ stored }: { stored?: Maintenance }) {
  const channels = useQuery(channelsQuery);
  if (channels.data) return <CompleteForm stored={stored} channels={channels.data} />;
  const { editTitle, newView } = texts.form;
  const title = stored ? fill(editTitle, { name: stored.title }) : newView.maintenance.title;
  return <View title={title} error={channels.error} />;
}

interface Props {
  stored: Maintenance | undefined;
  channels: Channel[];
}

function CompleteForm({ stored, channels }: Props) {
  const [kind, setKind] = useState<Kind>(stored?.cron ? "repeated" : "once");
  const save = useSaveMaintenance(stored, kind);
  const words = texts.maintenance.form;
  return (
    <EditView
      noun="maintenance"
      name={stored?.title}
      reference={stored?.ref}
      check={(data) => maintenanceFaults(maintenanceIn(data, kind, stored))}
      onSubmit={save}
      cancel="/maintenances"
    >
      <NameField name="title" label={words.name} value={stored?.title} />
      <Field name="message" label={words.message} hint={words.messageHint}>
        {(props) => <textarea {...props} rows={3} defaultValue={stored?.message ?? ""} />}
      </Field>
      <SelectorFields stored={stored?.selector} />
      <TimesFields kind={kind} onKind={setKind} stored={stored} />
      <WindowPreview key={kind} kind={kind} timesIn={(data) => validTimes(timesIn(data, kind, stored))} />
      <NotifyFields channels={channels} chosen={stored?.notifyChannelIds ?? []} />
      {kind === "once" && (
        <CheckList
          legend={words.publicPages}
          name="notifySubscribers"
          options={[
            {
              value: "on",
              isChecked: stored?.notifySubscribers ?? false,
              label: words.notifySubscribers,
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
      legend={texts.maintenance.form.notify}
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

const KINDS: Kind[] = ["once", "repeated"];

/** When a maintenance has windows. */
function TimesFields({ kind, onKind, stored }: TimesFieldsProps) {
  const { when, kinds } = texts.maintenance.form;
  const options = KINDS.map((value) => ({ value, label: kinds[value] }));
  return (
    <>
      <RadioList legend={when} name="kind" options={options} value={kind} onChange={onKind} />
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
  const words = texts.maintenance.form;
  return (
    <div className="field-halves">
      <TimeField name="startsAt" label={words.start} value={stored?.startsAt ?? offered.startsAt} />
      <TimeField name="endsAt" label={words.end} value={stored?.endsAt ?? offered.endsAt} />
    </div>
  );
}

function RepeatedFields({ stored }: Pick<TimesFieldsProps, "stored">) {
  const { count, unit } = splitDuration(stored?.duration ?? undefined);
  const words = texts.maintenance.form;
  const ownZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <>
      <div className="field-halves">
        <TextField
          name="cron"
          label={words.cron}
          value={stored?.cron ?? undefined}
          example="0 2 * * 0"
          hint={fill(words.cronHint, { expression: "0 2 * * 0" })}
        />
        <ZoneField value={stored?.cron ? (stored.timezone ?? "UTC") : ownZone} />
      </div>
      <div className="field-halves">
        <div className="duration">
          <TextField name="duration" label={words.duration} value={count} kind="numeric" />
          <select name="durationUnit" aria-label={words.unit} defaultValue={unit}>
            {optionsOf((Object.keys(UNITS) as Unit[]).map((value) => ({ value, label: words.units[value] })))}
          </select>
        </div>
        <TimeField
          name="until"
          label={words.until}
          value={stored?.until && !isForever(stored.until) ? stored.until : undefined}
          hint={words.untilHint}
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
  const words = texts.maintenance.preview;
  return (
    <section className="window-preview" ref={element} aria-labelledby="window-preview">
      <h2 id="window-preview">{words.title[kind]}</h2>
      {times ? <Windows times={times} /> : <p>{words.incomplete}</p>}
      {data && <Count selector={selectorIn(data)} />}
    </section>
  );
}

function Windows({ times }: { times: TimesBody }) {
  const now = useClock((now) => now);
  const windows = windowsFrom(parsedTimes(times), now, MAX_WINDOWS);
  if (windows.length === 0) return <p>{texts.maintenance.preview.none}</p>;
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
        {inOther && ` · ${fill(texts.maintenance.preview.yourTime, { span: describeSpan(window) })}`}
      </span>
    </>
  );
}

function Count({ selector }: { selector: ReturnType<typeof selectorIn> }) {
  const { data: count } = useQuery(selectedCountQuery(useSettled(selector)));
  if (count === undefined) return null;
  return <p>{plural(texts.maintenance.preview.affected, count)}</p>;
}
