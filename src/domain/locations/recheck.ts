import { nextCheckAt } from "../checks/check-slot.ts";
import { emptyBaseline } from "../checks/latency-baseline.ts";
import type { MonitorConfig } from "../monitors/monitor.ts";
import { recheckDelay } from "../monitors/next-check.ts";
import type { MonitorState, RecordedCheck } from "../monitors/recording-plan.ts";
import { HERE, slotOffset } from "./location.ts";
import type { PlaceState, Places } from "./place.ts";
import { canVote } from "./votes.ts";

type Ended = Pick<RecordedCheck, "at" | "startAt" | "dueAt">;

/** What a check of a location without a stored state finds. */
export function newPlaceState(baselineStart: number): PlaceState {
  return { memory: null, baseline: emptyBaseline, baselineStart, latest: null, recheckAt: null };
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
    places.set(location, { ...known, recheckAt: Math.min(known.recheckAt ?? now, now) });
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
  { places, state }: { places: Places; state: MonitorState },
  now: number,
): { state: MonitorState; asksHere: boolean } {
  const asked = askOthers(places, state, { from: null, now });
  return { state: asked, asksHere: asked.nextCheckAt !== state.nextCheckAt };
}

/** A check that is due within this time is soon enough, and may be claimed already; milliseconds. */
const SOON = 1500;

function soonest(nextCheckAt: number | null, now: number): number {
  return nextCheckAt !== null && nextCheckAt <= now + SOON ? nextCheckAt : now;
}

/**
 * When this server checks next after its own check, in milliseconds since 1970.
 *
 * @param list the locations of the monitor
 * @param needsMore whether the change that it saw needs more checks (behavior 13.13)
 */
export function dueHereAfter(
  { id, config: { interval } }: { id: string; config: MonitorConfig },
  { list }: Places,
  { at, startAt = at, dueAt = startAt, needsMore }: Ended & { needsMore: boolean },
): number {
  if (needsMore) return at + recheckDelay(interval);
  const position = list.findIndex(({ location }) => location === HERE);
  const offset = slotOffset(position, list.length, interval);
  const isSlot = nextCheckAt(id, interval, dueAt - 1, offset) === dueAt;
  // The slots before the end of a check outside of the slots are used up by it (behavior 11.8).
  return nextCheckAt(id, interval, isSlot ? Math.min(at, startAt) : at, offset);
}
