import { nextCheckAt } from "../checks/check-slot.ts";
import { noLatency } from "../checks/latency-baseline.ts";
import { recheckDelay } from "../monitors/confirmation.ts";
import type { MonitorState } from "../monitors/recording-plan.ts";
import { levelOf, type Status } from "../monitors/status.ts";
import { HERE, slotOffset } from "./location.ts";
import type { ObservedCheck } from "./observed-check.ts";
import { type LatestObservation, type PlaceState, type Places, runAt } from "./place.ts";
import { canVote } from "./votes.ts";

/** The state of a location before its first check. */
export function newPlaceState(baselineStart: number): PlaceState {
  return { memory: null, baseline: noLatency, baselineStart, latest: null, recheckAt: null };
}

/**
 * Lets all other locations that can vote check at once (behavior 13.12).
 *
 * @param from the number of the location that saw something; null lets all check
 * @param now milliseconds since 1970
 */
export function askOthers(
  { list }: Places,
  state: MonitorState,
  { from, now }: { from: number | null; now: number },
): MonitorState {
  const others = list.filter((place) => place.location !== from && canVote(place));
  const places = new Map(state.places);
  for (const { location } of others) {
    if (location === HERE) continue;
    const known = places.get(location) ?? newPlaceState(state.baselineStart);
    const isAsked = known.recheckAt !== null && known.recheckAt <= now;
    if (!isAsked) places.set(location, { ...known, recheckAt: now });
  }
  const asksHere = others.some(({ location }) => location === HERE);
  return { ...state, places, nextCheckAt: asksHere ? soonest(state.nextCheckAt, now) : state.nextCheckAt };
}

/**
 * Lets all locations of a monitor that can vote check at once, after something else than a check changed who can.
 *
 * @property asksHere whether this server is to check earlier than it was
 */
export function askPlaces(
  { enabled, places, state }: { enabled: boolean; places: Places; state: MonitorState },
  now: number,
): { state: MonitorState; asksHere: boolean } {
  const asked = enabled ? askOthers(places, state, { from: null, now }) : state;
  return { state: asked, asksHere: asked.nextCheckAt !== state.nextCheckAt };
}

/** A check that is due within this time is soon enough, and may be claimed already; milliseconds. */
export const SOON = 1500;

/** When this server checks next if it is to check at once. @param nextCheckAt null if it is not to check at all */
export function soonest(nextCheckAt: number | null, now: number): number | null {
  return nextCheckAt !== null && nextCheckAt > now + SOON ? now : nextCheckAt;
}

/** Whether the latest check of a location is the first one to see something worse than the status (behavior 13.12). */
export function isNewTrouble(latest: LatestObservation, status: Status): boolean {
  if (status === "unknown") return false;
  const boundaries = ([1, 2] as const).filter(
    (boundary) => levelOf(status) < boundary && boundary <= levelOf(latest.status),
  );
  return boundaries.some((boundary) => runAt(latest, boundary).checks === 1);
}

/** Whether a check saw a change that enough locations see, but not enough checks (behavior 13.13). */
export function isOnTheWay(
  seen: Status,
  { status, wanted }: { status: Status; wanted: number | null },
): boolean {
  const direction = Math.sign((wanted ?? levelOf(status)) - levelOf(status));
  return direction !== 0 && Math.sign(levelOf(seen) - levelOf(status)) === direction;
}

/**
 * The re-check of a remote location after its check, in milliseconds since 1970; null if none is due.
 *
 * @param needsMore whether the change that the check saw needs more checks (behavior 13.13)
 */
export function nextRecheck(
  { subject, event, place, own }: ObservedCheck,
  needsMore: boolean,
): number | null {
  const isAnswered = own.recheckAt !== null && event.at >= own.recheckAt;
  const recheckAt = isAnswered ? null : own.recheckAt;
  if (!needsMore || place.location === HERE) return recheckAt;
  const next = event.at + recheckDelay(subject.config.interval);
  return Math.min(next, recheckAt ?? next);
}

/**
 * When this server checks next after a check of any location, in milliseconds since 1970; null if it never does. Its slots
 * are later than the slots of the first location (behavior 13.4).
 */
export function dueHere({ subject, event, place, before }: ObservedCheck, needsMore: boolean): number | null {
  if (place.location !== HERE) return before.nextCheckAt;
  const { id, config, places } = subject;
  const { at, startAt = at, dueAt = startAt } = event;
  if (needsMore) return at + recheckDelay(config.interval);
  const offset = slotOffset(places.list.indexOf(place), places.list.length, config.interval);
  const slotAfter = (time: number) => nextCheckAt(id, config.interval, time, offset);
  // The slots before the end of a check outside of the slots are used up by it (behavior 11.8).
  return slotAfter(slotAfter(dueAt - 1) === dueAt ? Math.min(at, startAt) : at);
}
