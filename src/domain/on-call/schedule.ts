import { type Static, Type } from "@sinclair/typebox";
import { invalid } from "../../errors.ts";
import { Windows } from "../alerts/hours.ts";
import { fault } from "../faults/fault.ts";
import { iso, parseTime } from "../iso-time.ts";
import { Name, Ref, Time, Timezone } from "../schemas/format.ts";
import { closed, described, named } from "../schemas/schema.ts";
import { type Layer, MAX_AHEAD, type Override, type Rota } from "./rotation.ts";

/** A schedule as it is stored (behavior 23.20). Times are milliseconds since 1970. */
export interface Schedule extends Rota {
  id: string;
  name: string;
  layers: Layer[];
  /** In the order of their starts. */
  overrides: Override[];
  ref: string | null;
  createdAt: number;
  updatedAt: number;
}

const MAX_LAYERS = 8;
export const MAX_PEOPLE = 100;

/** How many overrides a schedule has at most; those that ended long ago make room. */
export const MAX_OVERRIDES = 1000;

const layerFields = {
  personIds: Type.Array(Type.String(), {
    maxItems: MAX_PEOPLE,
    description:
      "The people in the order of their turns, one at least. A layer all of whose people were deleted stays without, as long as " +
      "nothing else of the layer changes.",
  }),
  every: Type.Union(
    [Type.Literal("day"), Type.Literal("week"), Type.Integer({ minimum: 3600, maximum: 31_536_000 })],
    {
      description:
        "How long a turn is. `day` and `week` turn at the local time of `startsAt`, whatever the clocks do; a number is seconds.",
    },
  ),
  startsAt: described(Time, "When the turn of the first person begins. The layer has nobody before."),
  hours: Type.Optional(
    Type.Object(
      { windows: Windows },
      { ...closed, description: "The local times in which the layer counts. Default: always." },
    ),
  ),
};

const LayerRequest = Type.Object(layerFields, named("RequestedLayer"));
export type LayerRequest = Static<typeof LayerRequest>;

const scheduleFields = {
  name: Name,
  timezone: Type.Optional(described(Timezone, "That of its local times. Default: UTC.")),
  layers: Type.Array(LayerRequest, {
    minItems: 1,
    maxItems: MAX_LAYERS,
    description: "The first layer that has somebody decides who is on call.",
  }),
};

export const NewSchedule = Type.Object(
  { ...scheduleFields, ref: Type.Optional(Ref) },
  {
    ...closed,
    examples: [
      {
        name: "Operations",
        timezone: "Europe/Berlin",
        layers: [
          { personIds: ["5Y8kqvJfZk1q0TDgYxQ2Wd"], every: "week", startsAt: "2026-11-23T09:00:00+01:00" },
        ],
      },
    ],
  },
);
export type NewSchedule = Static<typeof NewSchedule>;

export const ScheduleChanges = Type.Partial(NewSchedule, {
  ...closed,
  examples: [{ name: "Operations, nights" }],
});
export type ScheduleChanges = Static<typeof ScheduleChanges>;

/** The entry of a configuration document: people are named by their e-mail addresses. */
export const ScheduleEntry = Type.Object(
  {
    name: Type.Optional(described(Name, "The name of the schedule. Default: its ref.")),
    timezone: scheduleFields.timezone,
    layers: Type.Array(
      Type.Object(
        {
          ...layerFields,
          personIds: Type.Array(Type.String(), {
            minItems: 1,
            maxItems: MAX_PEOPLE,
            description: "The e-mail addresses of the people, in the order of their turns.",
          }),
        },
        closed,
      ),
      { minItems: 1, maxItems: MAX_LAYERS, description: scheduleFields.layers.description ?? "" },
    ),
  },
  closed,
);
export type ScheduleEntry = Static<typeof ScheduleEntry>;

export const NewOverride = Type.Object(
  { personId: Type.String(), startsAt: Time, endsAt: Time },
  {
    ...closed,
    examples: [
      {
        personId: "5Y8kqvJfZk1q0TDgYxQ2Wd",
        startsAt: "2026-12-24T18:00:00+01:00",
        endsAt: "2026-12-25T09:00:00+01:00",
      },
    ],
  },
);
export type NewOverride = Static<typeof NewOverride>;

/** The layers of a request, with times as numbers. */
export function layersOf(layers: readonly LayerRequest[]): Layer[] {
  return layers.map(({ personIds, every, startsAt, hours }) => ({
    ...{ personIds, every, startsAt: timeOf(startsAt) },
    ...(hours && { hours }),
  }));
}

/** @throws AppError `invalid` for an end that is not after the start */
export function overrideTimes({ startsAt, endsAt }: NewOverride): Pick<Override, "startsAt" | "endsAt"> {
  const times = { startsAt: timeOf(startsAt), endsAt: timeOf(endsAt) };
  if (times.endsAt <= times.startsAt) throw fault("after", { field: "endsAt", other: "startsAt" });
  return times;
}

/** @throws AppError `invalid` for a range that is empty, or longer than 92 days */
export function rangeOf({ from, to }: { from: string; to: string }): { from: number; to: number } {
  const range = { from: timeOf(from), to: timeOf(to) };
  if (range.to <= range.from) throw invalid("to must be after from");
  if (range.to - range.from > MAX_AHEAD) throw invalid("to must be at most 92 days after from");
  return range;
}

/** A time whose format was validated. */
export function timeOf(text: string): number {
  const time = parseTime(text);
  if (time === null) throw new Error(`a time was not validated: ${text}`);
  return time;
}

/** The layers as the API and documents have them. */
export function shownLayers(layers: readonly Layer[]): LayerRequest[] {
  return layers.map((layer) => ({ ...layer, startsAt: iso(layer.startsAt) }));
}

/** A person of the organization, as schedules see them. */
export interface OnCallPerson {
  id: string;
  name: string;
  isDisabled: boolean;
}

/** Whether somebody can be on call: who was deleted can't either. */
export function availability(people: readonly Pick<OnCallPerson, "id" | "isDisabled">[]) {
  const available = new Set(people.flatMap(({ id, isDisabled }) => (isDisabled ? [] : [id])));
  return (personId: string) => available.has(personId);
}

/**
 * A schedule that reaches nobody now.
 *
 * @property schedule its name @property person the name of whoever is on call; null if nobody is
 * @property hasDefaults whether a default channel is notified instead
 */
export interface Unreached {
  schedule: string;
  person: string | null;
  hasDefaults: boolean;
}

/** In a sentence, for people (behavior 23.39). */
export function describeUnreached({ schedule, person, hasDefaults }: Unreached): string {
  const why =
    person === null ? "nobody is on call" : `${person} is on call, without a channel that is enabled`;
  const then = hasDefaults
    ? "its notifications go to the default channels"
    : "its notifications go to nobody, because no default channel is enabled";
  return `${schedule}: ${why}; ${then}`;
}
