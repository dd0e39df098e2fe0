import { type Static, Type } from "@sinclair/typebox";
import { invalid } from "../../errors.ts";
import { fault } from "../faults/fault.ts";
import { described, named } from "../schemas/schema.ts";
import { type Hours, NewHours } from "./hours.ts";

const DAY = 86_400;

/** Seconds. */
export const MAX_REMINDER_INTERVAL = 7 * DAY;

/** Behavior 14.5. */
export const NewAlertBinding = Type.Object(
  {
    alertChannelId: Type.Optional(Type.String()),
    scheduleId: Type.Optional(
      Type.String({
        description:
          "In place of `alertChannelId`: the channels of the person who is on call in this schedule when the notification is sent.",
      }),
    ),
    after: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: DAY,
        description:
          "Seconds that the trouble must last before the channel is notified. Default: 0, at once.",
      }),
    ),
    every: Type.Optional(
      Type.Union([Type.Literal(0), Type.Integer({ minimum: 300, maximum: MAX_REMINDER_INTERVAL })], {
        description: "Seconds after which the notification is repeated while it lasts. Default: 0, never.",
      }),
    ),
    hours: Type.Optional(
      described(NewHours, "When the channel may be notified of trouble. Default: at all times."),
    ),
  },
  named("RequestedBinding"),
);
export type NewAlertBinding = Static<typeof NewAlertBinding>;

/** A channel that is notified of a monitor, or a schedule whose person on call is: one of both is given. */
export interface Receiver {
  alertChannelId?: string;
  scheduleId?: string;
}

export interface AlertBinding extends AlertTiming, Receiver {}

/** The ID of what a binding names. */
export function receiverId({ alertChannelId, scheduleId }: Receiver): string {
  return alertChannelId ?? scheduleId ?? "";
}

/** The channels of a monitor in a request. */
export interface RequestedBindings {
  alertChannelIds?: string[] | undefined;
  alertBindings?: NewAlertBinding[] | undefined;
}

/**
 * The bindings that a request asks for (behavior 14.6). Plain IDs are notified at once and once, and a repeated one counts once.
 *
 * @returns undefined if it says nothing of them
 * @throws AppError `invalid` for both forms, for a binding without a channel or schedule, or for one that is in two bindings
 */
export function requestedBindings({ alertChannelIds, alertBindings }: RequestedBindings) {
  if (alertBindings && alertChannelIds)
    throw invalid("alertChannelIds must be left out if alertBindings is set");
  if (alertBindings) assertEachOnce(alertBindings);
  const given = alertBindings ?? alertChannelIds?.map((alertChannelId) => ({ alertChannelId }));
  return given?.map(({ hours, ...binding }: NewAlertBinding): AlertBinding => {
    return { ...AT_ONCE, ...binding, ...(hours && { hours: { outside: "hold", ...hours } }) };
  });
}

function assertEachOnce(bindings: readonly NewAlertBinding[]): void {
  const seen = new Set<string>();
  for (const [at, { alertChannelId, scheduleId }] of bindings.entries()) {
    const field = `alertBindings.${at}.${scheduleId === undefined ? "alertChannelId" : "scheduleId"}`;
    if (alertChannelId !== undefined && scheduleId !== undefined)
      throw invalid(`${field} must be left out if alertChannelId is set`);
    const id = alertChannelId ?? scheduleId;
    if (id === undefined) throw fault("required", { field });
    if (seen.has(id)) throw fault("boundTwice", { field });
    seen.add(id);
  }
}

/** The name of the ID of the channel or schedule of a binding in the request. @param at the position of the binding */
export function receiverField({ alertBindings }: RequestedBindings, at: number): string {
  if (!alertBindings) return `alertChannelIds.${at}`;
  const isSchedule = alertBindings[at]?.scheduleId !== undefined;
  return `alertBindings.${at}.${isSchedule ? "scheduleId" : "alertChannelId"}`;
}

/**
 * When a channel is notified of the trouble of a monitor, in seconds (behavior 14.5, 14.6).
 *
 * @property after how long the trouble must last; 0: at once
 * @property every how often the channel is notified again while it lasts; 0: never
 * @property hours when it may be notified; null: at all times (behavior 23.1)
 */
export interface AlertTiming {
  after: number;
  every: number;
  hours: Hours | null;
}

export const AT_ONCE: AlertTiming = { after: 0, every: 0, hours: null };
