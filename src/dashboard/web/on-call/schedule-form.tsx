import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useLocation } from "wouter";
import type { Windows } from "../../../domain/alerts/hours.ts";
import { localTimeIn } from "../../../domain/local-time.ts";
import { Name, Timezone } from "../../../domain/schemas/format.ts";
import { faults, type SaidFault } from "../../../domain/schemas/validation.ts";
import { api, type Person, type Schedule } from "../data/api.ts";
import { peopleQuery, queryKeys } from "../data/query-keys.ts";
import { useChange } from "../data/use-change.ts";
import { EditView } from "../form/edit-view.tsx";
import { textOf } from "../form/field-errors.ts";
import { exactText, NameField, useFieldNotes } from "../form/fields.tsx";
import { reportChange } from "../form/form.tsx";
import { ZoneField } from "../form/monitor-picker.tsx";
import { pageFault } from "../form/page-fault.ts";
import { useRestoredValues } from "../form/use-draft.tsx";
import { hidden, rich } from "../languages/rich.tsx";
import { fill, texts } from "../languages/texts.ts";
import { WindowsFields, WORKDAYS } from "../monitors/alerts/hours-fields.tsx";
import { nameOfPerson } from "../people/person-words.ts";
import { optionsOf } from "../ui/filters.tsx";
import { View } from "../ui/view.tsx";
import { nameById } from "./person-name.ts";
import { schedulesQuery } from "./schedules.ts";

const BACK = { href: "/on-call", to: "schedules" } as const;

export function NewSchedule() {
  const people = useQuery(peopleQuery);
  if (!people.data) return <View title={texts.onCall.form.newTitle} error={people.error} back={BACK} />;
  return <ScheduleForm people={people.data} />;
}

export function EditSchedule({ id }: { id: string }) {
  const people = useQuery(peopleQuery);
  const schedules = useQuery({ ...schedulesQuery, staleTime: Number.POSITIVE_INFINITY });
  const stored = schedules.data?.find((one) => one.id === id);
  if (stored && people.data) return <ScheduleForm stored={stored} people={people.data} />;
  const error = schedules.error ?? people.error ?? (schedules.data && new Error("not found"));
  return <View title={texts.onCall.form.title} error={error} back={BACK} />;
}

interface Props {
  /** The one to edit; undefined to create one. */
  stored?: Schedule;
  people: Person[];
}

function ScheduleForm({ stored, people }: Props) {
  const [, navigate] = useLocation();
  const change = useChange(queryKeys.schedules, queryKeys.audit);
  const save = async (data: FormData) => {
    const values = scheduleIn(data);
    await change(stored ? api.schedules({ id: stored.id }).patch(values) : api.schedules.post(values));
    navigate("/on-call", { replace: true });
  };
  const timezone = stored?.timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <EditView
      noun="schedule"
      name={stored?.name}
      reference={stored?.ref}
      check={scheduleFaults}
      onSubmit={save}
      cancel="/on-call"
    >
      <NameField value={stored?.name} />
      <ZoneField value={timezone} hint={texts.onCall.form.zoneHint} />
      <LayersField
        stored={stored ? stored.layers.map((one) => shownLayer(one, timezone)) : []}
        people={people}
      />
    </EditView>
  );
}

type Layer = Parameters<typeof api.schedules.post>[0]["layers"][number];

/** A layer in the form. @property every its length in hours, unless it is a day or a week @property startsAt local time of the schedule */
export interface ShownLayer extends Omit<Layer, "every" | "startsAt"> {
  every: "day" | "week" | { hours: string };
  startsAt: string;
}

const HOUR = 3600;

/** The first of several people that take turns begin on a Monday morning. */
function blankLayer(now: number): ShownLayer {
  const date = new Date(now);
  date.setUTCDate(date.getUTCDate() - ((date.getUTCDay() + 6) % 7));
  return { personIds: [], every: "week", startsAt: `${date.toISOString().slice(0, 10)}T09:00` };
}

export function shownLayer({ every, startsAt, ...layer }: Layer, timezone: string): ShownLayer {
  const local = new Date(localTimeIn(timezone).shownAt(Date.parse(startsAt))).toISOString();
  return {
    ...layer,
    every: typeof every === "number" ? { hours: String(every / HOUR) } : every,
    startsAt: local.slice(0, local.slice(17, 19) === "00" ? 16 : 19),
  };
}

/** The layer as the API has it. A wrong value stays as it is, so that the API refuses it. */
export function layerOf({ every, startsAt, ...layer }: ShownLayer, timezone: string): Layer {
  const local = /^\d{4}-/.test(startsAt) ? Date.parse(`${startsAt}Z`) : Number.NaN;
  return {
    ...layer,
    every: typeof every === "object" ? Math.round(Number(every.hours) * HOUR) : every,
    startsAt: Number.isNaN(local) ? startsAt : new Date(localTimeIn(timezone).momentOf(local)).toISOString(),
  };
}

function layersIn(data: FormData): ShownLayer[] {
  return JSON.parse(String(data.get("layers")));
}

function scheduleIn(data: FormData) {
  const timezone = textOf(data, "timezone") ?? "UTC";
  const layers = layersIn(data).map((layer) => layerOf(layer, timezone));
  return { name: textOf(data, "name") ?? "", timezone, layers };
}

/** The API refuses the rest. */
export function scheduleFaults(data: FormData): SaidFault[] {
  const isEmpty = layersIn(data).some(({ personIds }) => personIds.length === 0);
  return [
    ...faults(Timezone, textOf(data, "timezone") ?? "UTC", "timezone"),
    ...faults(Name, textOf(data, "name") ?? "", "name"),
    ...(isEmpty ? [pageFault("emptyLayer", "layers", {})] : []),
  ];
}

interface LayersProps {
  stored: ShownLayer[];
  people: Person[];
}

const MAX_LAYERS = 8;

/** The layers of a schedule, the one that decides first above (behavior 23.43). */
function LayersField({ stored, people }: LayersProps) {
  const element = useRef<HTMLInputElement>(null);
  const [restored] = useRestoredValues("layers") ?? [];
  const [layers, setLayers] = useState<ShownLayer[]>(() => {
    const first = restored === undefined ? stored : JSON.parse(restored);
    return first.length > 0 ? first : [blankLayer(Date.now())];
  });
  const value = JSON.stringify(layers);
  const { errorBelow, hintBelow, describedBy } = useFieldNotes("layers", texts.onCall.layers.hint);
  useEffect(() => reportChange(element.current), [value]);
  return (
    <fieldset className="rows" {...describedBy}>
      <legend>{texts.onCall.layers.legend}</legend>
      {layers.map((layer, at) => (
        <LayerFields
          key={at}
          number={at + 1}
          layer={layer}
          people={people}
          onChange={(changed) => setLayers(layers.with(at, changed))}
          onRemove={layers.length > 1 ? () => setLayers(layers.toSpliced(at, 1)) : undefined}
        />
      ))}
      {errorBelow}
      {layers.length < MAX_LAYERS && (
        <button
          type="button"
          className="row-add"
          onClick={() => setLayers([...layers, blankLayer(Date.now())])}
        >
          {texts.onCall.layers.add}
        </button>
      )}
      {hintBelow}
      <input type="hidden" name="layers" value={value} ref={element} />
    </fieldset>
  );
}

interface LayerProps {
  number: number;
  layer: ShownLayer;
  people: Person[];
  onChange: (layer: ShownLayer) => void;
  /** Undefined for the only one. */
  onRemove: (() => void) | undefined;
}

const turnOptions = () => [
  { value: "day", label: texts.onCall.layers.everyDay },
  { value: "week", label: texts.onCall.layers.everyWeek },
  { value: "hours", label: texts.onCall.layers.afterHours },
];

function LayerFields({ number, layer, people, onChange, onRemove }: LayerProps) {
  const { every, startsAt, personIds, hours } = layer;
  const countIn = (windows: Windows | undefined) => {
    const { hours: _, ...others } = layer;
    onChange({ ...others, ...(windows && { hours: { windows } }) });
  };
  const turnEvery = (choice: string) =>
    onChange({ ...layer, every: choice === "hours" ? { hours: "12" } : (choice as "day" | "week") });
  return (
    <fieldset className="layer">
      <legend>{fill(texts.onCall.layers.one, { number })}</legend>
      <PeopleInTurns
        number={number}
        personIds={personIds}
        people={people}
        onChange={(changed) => onChange({ ...layer, personIds: changed })}
      />
      <div className="field-halves">
        <label className="field">
          {texts.onCall.layers.every}
          <select
            value={typeof every === "object" ? "hours" : every}
            onChange={({ currentTarget }) => turnEvery(currentTarget.value)}
          >
            {optionsOf(turnOptions())}
          </select>
        </label>
        {typeof every === "object" && (
          <label className="field">
            {texts.onCall.layers.hours}
            <input
              inputMode="numeric"
              value={every.hours}
              onChange={({ currentTarget }) => onChange({ ...layer, every: { hours: currentTarget.value } })}
              {...exactText}
            />
          </label>
        )}
        <label className="field">
          {texts.onCall.layers.startsAt}
          <input
            type="datetime-local"
            max="9999-12-30T23:59"
            value={startsAt}
            onChange={({ currentTarget }) => onChange({ ...layer, startsAt: currentTarget.value })}
          />
        </label>
      </div>
      <select
        aria-label={fill(texts.onCall.layers.counts, { number })}
        value={hours ? "hours" : ""}
        onChange={({ currentTarget }) => countIn(currentTarget.value !== "" ? [WORKDAYS] : undefined)}
      >
        <option value="">{texts.onCall.layers.countsAlways}</option>
        <option value="hours">{texts.onCall.layers.countsInHours}</option>
      </select>
      {hours && (
        <WindowsFields
          label={fill(texts.onCall.layers.hoursOf, { number })}
          windows={hours.windows}
          onChange={countIn}
        />
      )}
      {onRemove && (
        <button type="button" className="button-quiet" onClick={onRemove}>
          {fill(texts.onCall.layers.remove, { number })}
        </button>
      )}
    </fieldset>
  );
}

interface TurnsProps {
  number: number;
  personIds: readonly string[];
  people: Person[];
  onChange: (personIds: string[]) => void;
}

/** People in the order of their turns. A person may have several turns. */
function PeopleInTurns({ number, personIds, people, onChange }: TurnsProps) {
  const offered = people.filter(({ state }) => state !== "disabled");
  const [chosen, setChosen] = useState<string>();
  const next = chosen ?? offered.find(({ id }) => !personIds.includes(id))?.id ?? offered[0]?.id;
  const add = () => {
    if (next === undefined) return;
    onChange([...personIds, next]);
    setChosen(undefined);
  };
  const earlier = (at: number) =>
    onChange(personIds.with(at - 1, personIds[at] ?? "").with(at, personIds[at - 1] ?? ""));
  return (
    <>
      {personIds.length > 0 && (
        <ol className="picker-chosen">
          {personIds.map((id, at) => (
            <li key={at}>
              <span className="text-wrap">
                {fill(texts.onCall.turns.person, { number: at + 1, name: nameById(id, people) })}
              </span>
              <span className="actions">
                {at > 0 && (
                  <button type="button" className="button-quiet button-small" onClick={() => earlier(at)}>
                    {rich(texts.onCall.turns.earlier, { hidden, name: nameById(id, people) })}
                  </button>
                )}
                <button
                  type="button"
                  className="button-quiet button-small"
                  onClick={() => onChange(personIds.toSpliced(at, 1))}
                >
                  {rich(texts.onCall.turns.remove, { hidden, name: nameById(id, people) })}
                </button>
              </span>
            </li>
          ))}
        </ol>
      )}
      <div className="row">
        <select
          aria-label={fill(texts.onCall.turns.choose, { number })}
          value={next}
          onChange={({ currentTarget }) => setChosen(currentTarget.value)}
        >
          {optionsOf(offered.map((person) => ({ value: person.id, label: nameOfPerson(person) })))}
        </select>
        <button type="button" onClick={add}>
          {rich(texts.onCall.turns.add, { hidden, number })}
        </button>
      </div>
      {offered.length === 0 && <p className="text-hint">{texts.onCall.turns.none}</p>}
    </>
  );
}
