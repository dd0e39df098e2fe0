import { type Static, Type } from "@sinclair/typebox";
import { invalid } from "../../errors.ts";
import { fault } from "../faults/fault.ts";
import { isoOrNull, parseTime } from "../iso-time.ts";
import { Selector } from "../monitors/selector.ts";
import { pick } from "../pick.ts";
import { CronExpression, Name, Ref, Time, Timezone } from "../schemas/format.ts";
import { closed, described } from "../schemas/schema.ts";
import type { MaintenanceTimes } from "./maintenance.ts";
import { definedEnd, windowsFrom } from "./windows.ts";

/** The bounds of `duration`, in seconds. */
export const SHORTEST_DURATION = 60;
export const MAX_DURATION = 604_800;

/** The fields of both forms. */
const times = {
  startsAt: Type.Optional(described(Time, "The start of the only window. Not with `cron`.")),
  endsAt: Type.Optional(described(Time, "The end of the only window. Not with `cron`.")),
  cron: Type.Optional(described(CronExpression, "A window starts at each run.")),
  timezone: Type.Optional(described(Timezone, "That of `cron`. Default: UTC.")),
  duration: Type.Optional(
    Type.Integer({
      minimum: SHORTEST_DURATION,
      maximum: MAX_DURATION,
      description: "With `cron`: how long each window is, in seconds.",
    }),
  ),
  until: Type.Optional(described(Time, "With `cron`: no window starts later.")),
};

export const NewMaintenance = Type.Object(
  {
    title: described(Name, "What is maintained."),
    message: Type.Optional(Type.String({ maxLength: 2000, description: "For those who are notified." })),
    selector: Selector,
    ...times,
    notifyChannelIds: Type.Optional(
      Type.Array(Type.String(), {
        description: "The channels that are notified when a window starts and when it ends.",
      }),
    ),
    notifySubscribers: Type.Optional(
      Type.Boolean({
        description:
          "Whether the subscribers of public pages get an e-mail when the window is planned, moved or canceled. " +
          "Default: false. Not with `cron`.",
      }),
    ),
    ref: Type.Optional(Ref),
  },
  {
    ...closed,
    examples: [
      {
        title: "Move to another rack",
        selector: { tags: ["rack:4"] },
        startsAt: "2036-01-30T20:00:00Z",
        endsAt: "2036-01-30T22:00:00Z",
      },
      {
        title: "Nightly restart",
        selector: { all: true },
        cron: "30 2 * * *",
        timezone: "Europe/Berlin",
        duration: 1800,
      },
    ],
  },
);
export type NewMaintenance = Static<typeof NewMaintenance>;

export const MaintenanceChanges = Type.Partial(NewMaintenance, {
  ...closed,
  examples: [{ endsAt: "2036-01-30T23:00:00Z" }],
});
export type MaintenanceChanges = Static<typeof MaintenanceChanges>;

/** The fields of a request that say when the windows are. */
export type RequestedTimes = Pick<MaintenanceChanges, keyof typeof times>;

export const TIME_FIELDS = ["startsAt", "endsAt", "cron", "timezone", "duration", "until"] as const;

/** The times of a maintenance under the names, and with the texts, of a request; null if only the other form has them. */
export function timeFieldsOf(times: MaintenanceTimes) {
  const { startsAt, endsAt, until } = times;
  const texts = { startsAt: isoOrNull(startsAt), endsAt: isoOrNull(endsAt), until: isoOrNull(until) };
  return { ...pick(times, TIME_FIELDS), ...texts };
}

const NOTHING_ENDED = { endedRun: null, endedRunAt: null };

/** No field of either form. */
export const NO_TIMES: MaintenanceTimes = {
  ...{ startsAt: null, endsAt: null, cron: null, timezone: null, duration: null, until: null },
  ...NOTHING_ENDED,
};

/**
 * The times of a new maintenance (behavior 14.40).
 *
 * @param now milliseconds since 1970
 * @throws AppError `invalid` if the fields are not one of the two forms, or no window is open or follows
 */
export function timesOf(request: RequestedTimes, now: number): MaintenanceTimes {
  const times = requestedTimes(request);
  assertNotOver(times, now);
  return times;
}

/** The times of a request, which may be over. @throws AppError `invalid` if the fields are not one of the two forms */
export function requestedTimes(request: RequestedTimes): MaintenanceTimes {
  const form = formOf(request);
  if (!form) throw fault("noTimes", {});
  const times = { ...NO_TIMES, ...givenTimes(request) };
  if (form === "cron") assertCron(times);
  else assertOrder(times);
  return withTimezone(times);
}

/** A window of each night would send as many e-mails. @throws AppError `invalid` */
export function assertMayNotify({ cron }: Pick<MaintenanceTimes, "cron">, notifySubscribers = false): void {
  if (cron !== null && notifySubscribers) throw invalid("notifySubscribers must not be true with cron");
}

/** @param now milliseconds since 1970 @throws AppError `invalid` if no window is open or follows */
export function assertNotOver(times: MaintenanceTimes, now: number): void {
  if (times.cron !== null) assertRuns(times, now);
  else if (times.endsAt !== null && times.endsAt <= now) throw fault("inFuture", { field: "endsAt" });
}

/**
 * The times of a maintenance after an update. The fields of the other form replace the form, if they are complete.
 *
 * @throws AppError `invalid` as `timesOf`
 */
export function timesAfter(before: MaintenanceTimes, request: RequestedTimes, now: number): MaintenanceTimes {
  const form = formOf(request);
  if (!form) return before;
  const isSameForm = (before.cron !== null) === (form === "cron");
  const previous = isSameForm ? before : NO_TIMES;
  const ended = form === "once" ? NOTHING_ENDED : {};
  const after = { ...previous, ...ended, ...givenTimes(request) };
  if (form === "cron") assertCron(after);
  else assertOrder(after);
  assertNotOver(after, now);
  return withTimezone(after);
}

/**
 * The times of a maintenance that a request replaces in full. Windows that are defined as before stay as they are, with an early
 * end, and may be over (behavior 16.8).
 *
 * @param given times of the request: see `requestedTimes`
 * @throws AppError `invalid` if other windows are over
 */
export function replacedTimes(
  before: MaintenanceTimes,
  given: MaintenanceTimes,
  now: number,
): MaintenanceTimes {
  if (isSameDefinition(before, given)) return before;
  const { endedRun, endedRunAt } = given.cron !== null && before.cron !== null ? before : NOTHING_ENDED;
  const after = { ...given, endedRun, endedRunAt };
  assertNotOver(after, now);
  return after;
}

function isSameDefinition(before: MaintenanceTimes, given: MaintenanceTimes): boolean {
  const names = ["startsAt", "cron", "timezone", "duration", "until"] as const;
  return given.endsAt === definedEnd(before) && names.every((name) => given[name] === before[name]);
}

function withTimezone(times: MaintenanceTimes): MaintenanceTimes {
  return times.cron !== null && times.timezone === null ? { ...times, timezone: "UTC" } : times;
}

/** @returns null if the request has no field of either form */
function formOf(request: RequestedTimes): "once" | "cron" | null {
  const once = (["startsAt", "endsAt"] as const).find((name) => request[name] !== undefined);
  const cron = (["cron", "timezone", "duration", "until"] as const).find(
    (name) => request[name] !== undefined,
  );
  if (once && cron) throw invalid(`${once} and ${cron} must not be given together`);
  return cron ? "cron" : once ? "once" : null;
}

function givenTimes({ startsAt, endsAt, cron, timezone, duration, until }: RequestedTimes) {
  return {
    ...(startsAt !== undefined && { startsAt: parseTime(startsAt) }),
    ...(endsAt !== undefined && { endsAt: parseTime(endsAt) }),
    ...(cron !== undefined && { cron }),
    ...(timezone !== undefined && { timezone }),
    ...(duration !== undefined && { duration }),
    ...(until !== undefined && { until: parseTime(until) }),
  };
}

function assertOrder({ startsAt, endsAt }: MaintenanceTimes): void {
  if (startsAt === null) throw fault("requiredWith", { field: "startsAt", other: "endsAt" });
  if (endsAt === null) throw fault("requiredWith", { field: "endsAt", other: "startsAt" });
  if (endsAt <= startsAt) throw fault("laterThan", { field: "endsAt", other: "startsAt" });
}

function assertCron({ cron, duration }: MaintenanceTimes): void {
  if (cron === null) throw invalid("cron is required with duration, timezone and until");
  if (duration === null) throw fault("requiredWith", { field: "duration", other: "cron" });
}

function assertRuns(times: MaintenanceTimes, now: number): void {
  if (windowsFrom(times, now, 1).length === 0) throw fault("untilWithoutRun", { field: "until" });
}
