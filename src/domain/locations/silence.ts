import { nextCheckAt } from "../checks/check-slot.ts";
import { baselineStart, noLatency } from "../checks/latency-baseline.ts";
import { windowEndOf } from "../maintenance/maintenance.ts";
import { recheckDelay } from "../monitors/confirmation.ts";
import type { MonitorType } from "../monitors/monitor.ts";
import { judgeEvent, type NewResult, statusByLatency } from "../monitors/monitor-event.ts";
import { emptyPlan } from "../monitors/planned-result.ts";
import type {
  MonitorState,
  RecordedCheck,
  RecordingPlan,
  RecordingSubject,
} from "../monitors/recording-plan.ts";
import { bySeverity, groupOf, levelOf, type Status } from "../monitors/status.ts";
import { HERE, slotOffset } from "./location.ts";
import { type LatestObservation, type Place, type PlaceState, type Places, runAt } from "./place.ts";
import { MAX_SKEW } from "./protocol.ts";
import { canVote } from "./votes.ts";

/**
 * Plans what changes of monitors that no location can check any more: they turn `unknown` and notify nobody (behavior
 * 13.15). Their outages end.
 *
 * @param at milliseconds since 1970
 */
export function planSilence(subjects: Iterable<RecordingSubject>, at: number): RecordingPlan {
  const plan = emptyPlan();
  for (const { id, state } of subjects) {
    if (state.status === "unknown") continue;
    plan.states.set(id, silenced(state, at));
    if (state.outage) plan.outages.push({ kind: "closed", endedAt: at, monitorId: id, resultAt: NO_RESULT });
  }
  return plan;
}

/** The position of a result that does not exist. */
const NO_RESULT = -1;

/** The time of the trouble stays for the notification of its end. */
function silenced(state: MonitorState, at: number): MonitorState {
  return {
    ...state,
    status: "unknown",
    statusBefore: state.status,
    statusSince: at,
    suspicion: null,
    outage: null,
  };
}

/** @property asksHere whether this server is to check one of the monitors now */
export interface PlannedVotes {
  plan: RecordingPlan;
  asksHere: boolean;
}

/**
 * Plans what changes of monitors after one of their locations lost its vote, because it is silent or its network is at
 * fault: the locations that still have a vote check at once, because the lost vote may have decided the status. Without
 * any, the monitor turns `unknown` (behavior 13.23, 13.24).
 *
 * @param now milliseconds since 1970
 */
export function planLostVote(subjects: Iterable<RecordingSubject>, now: number): PlannedVotes {
  const placed = [...subjects].filter(({ places }) => places !== null);
  const plan = planSilence(
    placed.filter(({ places }) => !places?.list.some(canVote)),
    now,
  );
  let asksHere = false;
  for (const { id, enabled, places, state } of placed) {
    if (!places?.list.some(canVote)) continue;
    const asked = askPlaces({ enabled, places, state }, now);
    asksHere ||= asked.asksHere;
    plan.states.set(id, asked.state);
  }
  return { plan, asksHere };
}

/**
 * Plans what changes of monitors after one of their locations got its vote back. What it saw down until then does not
 * count, because it may have had no network. It checks these monitors at once, and those that are `unknown`: their next
 * slot may be a day later (behavior 13.70).
 *
 * @param location its number @param now milliseconds since 1970
 */
export function planReturnedVote(
  subjects: Iterable<RecordingSubject>,
  location: number,
  now: number,
): PlannedVotes {
  const plan = emptyPlan();
  let asksHere = false;
  for (const { id, enabled, places, state: before } of subjects) {
    const own = places?.list.filter((place) => place.location === location);
    const state = withoutFailure(before, location);
    if (!places || !own || (state === before && before.status !== "unknown")) continue;
    const asked = askPlaces({ enabled, places: { ...places, list: own }, state }, now);
    asksHere ||= asked.asksHere;
    plan.states.set(id, asked.state);
  }
  return { plan, asksHere };
}

/** The same state if the latest check of the location did not fail. */
function withoutFailure(state: MonitorState, location: number): MonitorState {
  const own = state.places?.get(location);
  if (!own?.latest || groupOf[own.latest.status] !== "down") return state;
  return { ...state, places: new Map(state.places).set(location, { ...own, latest: null }) };
}

/** A monitor that is not checked only from this server. */
export type PlacedSubject = RecordingSubject & { places: Places };

/** A check of one location, judged with what this location has seen before (behavior 13.5). */
export interface ObservedCheck {
  subject: PlacedSubject;
  event: RecordedCheck;
  place: Place;
  /** The monitor before the check. */
  before: MonitorState;
  /** The location before the check. */
  own: PlaceState;
  seen: NewResult;
  judged: Pick<PlaceState, "memory" | "baseline">;
}

/** @returns null if the monitor is not checked from the location of the check */
export function observe(
  subject: PlacedSubject,
  before: MonitorState,
  event: RecordedCheck,
): ObservedCheck | null {
  const { type, config, enabled, places, windowAt } = subject;
  const windowEnd = windowEndOf(windowAt);
  const place = places.list.find(({ location }) => location === (event.location ?? HERE));
  if (!place) return null;
  const own = before.places?.get(place.location) ?? newPlaceState(baselineStart(receivedAt(event)));
  const { memory, baseline } = own;
  const status = statusByLatency(own.latest?.status ?? "unknown", own.latest?.reason);
  const judged = judgeEvent({ ...before, type, config, enabled, status, memory, baseline, windowEnd }, event);
  const [seen] = judged.results;
  return seen ? { subject, event, place, before, own, seen, judged } : null;
}

/** Milliseconds since 1970. */
export function receivedAt(event: RecordedCheck): number {
  return event.receivedAt ?? event.at;
}

/**
 * Whether a check is too old to change the status: it ended more than two intervals ago, or before the latest one of its
 * location (behavior 13.8). Checks of this server are recorded in their order.
 *
 * @param latest of the location
 * @param interval seconds
 */
export function isLate(
  { location = HERE, at, receivedAt = at }: Pick<RecordedCheck, "location" | "at" | "receivedAt">,
  latest: LatestObservation | null,
  interval: number,
): boolean {
  if (location === HERE) return false;
  if (receivedAt - at > 2 * interval * 1000) return true;
  // After the clock was set back, the latest one may seem to be in the future.
  return latest !== null && at <= latest.at && latest.at <= receivedAt + MAX_SKEW;
}

/** The status with which a late result enters the history. @param seen what its check saw */
export function statusOfLate(
  { type, places }: { type: MonitorType; places: Places },
  { statusThen }: Pick<RecordedCheck, "statusThen">,
  seen: Status,
): Status {
  return places.list.length === 1 ? seen : (statusThen ?? healthyStatus(type));
}

function healthyStatus(type: MonitorType): Status {
  return bySeverity[type].at(-1) ?? "unknown";
}

/** The state of a location before its first check. */
function newPlaceState(baselineStart: number): PlaceState {
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
    (boundary) => levelOf[status] < boundary && boundary <= levelOf[latest.status],
  );
  return boundaries.some((boundary) => runAt(latest, boundary).checks === 1);
}

/** Whether a check saw a change that enough locations see, but not enough checks (behavior 13.13). */
export function isOnTheWay(
  seen: Status,
  { status, wanted }: { status: Status; wanted: number | null },
): boolean {
  const direction = Math.sign((wanted ?? levelOf[status]) - levelOf[status]);
  return direction !== 0 && Math.sign(levelOf[seen] - levelOf[status]) === direction;
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
