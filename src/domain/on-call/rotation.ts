import type { Windows } from "../alerts/hours.ts";
import { isOpen, nextClosing, nextOpening } from "../alerts/hours.ts";
import { DAY, SECOND } from "../duration.ts";
import { localMoment } from "../local-time.ts";

/*
 * Who is on call (behavior 23.20 to 23.25): a pure function of a schedule and a moment. Times are milliseconds since 1970.
 */

/** How long a turn is: `day` and `week` by the local clock, a number in seconds that elapse. */
export type Every = "day" | "week" | number;

/** People who take turns. @property personIds in the order of their turns @property startsAt when the turn of the first one begins */
export interface Layer {
  personIds: string[];
  every: Every;
  startsAt: number;
  hours?: { windows: Windows };
}

/** A person who is on call in place of the layers, from `startsAt` until `endsAt`. */
export interface Override {
  id: string;
  personId: string;
  startsAt: number;
  endsAt: number;
}

/** @property timezone of IANA */
export interface Rota {
  timezone: string;
  layers: readonly Layer[];
  /** The later ones count if several began at the same moment. */
  overrides: readonly Override[];
}

/** @property personId null if nobody is on call */
export interface Turn {
  personId: string | null;
  from: number;
  to: number;
}

/** How far ahead a schedule is read, in milliseconds. */
export const MAX_AHEAD = 92 * DAY;

type IsAvailable = (personId: string) => boolean;

/**
 * Who is on call at a moment, and until when; null if nobody is.
 *
 * @param isAvailable whether a person can be on call: who is disabled can't
 * @returns with `until` null if nobody else is on call within 92 days
 */
export function onCallAt(
  rota: Rota,
  at: number,
  isAvailable: IsAvailable,
): { personId: string; until: number | null } | null {
  const watch = watchOf(rota, isAvailable);
  const { personId } = watch(at);
  if (personId === null) return null;
  const end = at + MAX_AHEAD;
  for (let { until } = watch(at); until <= end; ) {
    const next = watch(until);
    if (next.personId !== personId) return { personId, until };
    until = next.until;
  }
  return { personId, until: null };
}

/** Who is on call from a moment until another one, without a gap: neighbors with the same person are one item. */
export function listTurns(rota: Rota, range: { from: number; to: number }, isAvailable: IsAvailable): Turn[] {
  const watch = watchOf(rota, isAvailable);
  const turns: Turn[] = [];
  for (let at = range.from; at < range.to; ) {
    const { personId, until } = watch(at);
    const to = Math.min(until, range.to);
    const last = turns.at(-1);
    if (last?.personId === personId) last.to = to;
    else turns.push({ personId, from: at, to });
    at = to;
  }
  return turns;
}

/** How far back the start of a turn is searched: about four years, a multiple of `MAX_AHEAD`. */
const MAX_BACK = 16;

/**
 * Who is on call at a moment and then until another one. The first turn has its own start, so that it is the same in each answer; one that is
 * longer than four years is cut at a moment that rarely changes.
 */
export function listTurnsFrom(rota: Rota, at: number, to: number, isAvailable: IsAvailable): Turn[] {
  for (let back = 1; ; back *= 2) {
    const from = (Math.floor(at / MAX_AHEAD) - back) * MAX_AHEAD;
    const turns = listTurns(rota, { from, to }, isAvailable).filter((turn) => turn.to > at);
    const isWhole = turns[0]?.from !== from || turns[0].personId === null;
    if (isWhole || back >= MAX_BACK) return turns;
  }
}

/** Who is on call from the asked moment on. @property until when that may change, which is later; infinite if it never does */
interface Stretch {
  personId: string | null;
  until: number;
}

type Watch = (at: number) => Stretch;

/** Moments must be asked in ascending order: each part of the schedule is computed once for each stretch in which it is the same. */
function watchOf({ timezone, layers, overrides }: Rota, isAvailable: IsAvailable): Watch {
  const counted = overrides.filter(({ personId }) => isAvailable(personId));
  const parts = [
    kept((at) => overrideAt(counted, at)),
    ...layers.map((layer) => kept((at) => layerAt(layer, { timezone, isAvailable, at }))),
  ];
  return (at) => {
    let end = Number.POSITIVE_INFINITY;
    for (const part of parts) {
      const { personId, until } = part(at);
      end = Math.min(end, until);
      if (personId !== null) return { personId, until: end };
    }
    return { personId: null, until: end };
  };
}

function kept(compute: Watch): Watch {
  let last: Stretch | undefined;
  return (at) => {
    if (!last || at >= last.until) last = compute(at);
    return last;
  };
}

/** The override that began last counts. */
function overrideAt(overrides: readonly Override[], at: number): Stretch {
  const changes = overrides.flatMap(({ startsAt, endsAt }) => [startsAt, endsAt]).filter((time) => time > at);
  const open = overrides.filter(({ startsAt, endsAt }) => startsAt <= at && at < endsAt);
  const latest = open.reduce<Override | undefined>(
    (best, one) => (best && best.startsAt > one.startsAt ? best : one),
    undefined,
  );
  return { personId: latest?.personId ?? null, until: Math.min(Number.POSITIVE_INFINITY, ...changes) };
}

function layerAt(
  layer: Layer,
  { timezone, isAvailable, at }: { timezone: string; isAvailable: IsAvailable; at: number },
): Stretch {
  const { personIds, startsAt, hours } = layer;
  const nobody = (until = Number.POSITIVE_INFINITY) => ({ personId: null, until });
  const available = new Set(personIds.filter(isAvailable));
  if (available.size === 0) return nobody();
  if (at < startsAt) return nobody(startsAt);
  if (hours && !isOpen(hours.windows, timezone, at))
    return nobody(nextOpening(hours.windows, timezone, at) ?? undefined);
  const closing = hours ? nextClosing(hours.windows, timezone, at) : null;
  const open = closing ?? Number.POSITIVE_INFINITY;
  const [alone = null] = available;
  // The turns of one person are one.
  if (available.size === 1) return { personId: alone, until: open };
  const { number, end } = turnAt(layer, timezone, at);
  return { personId: takes(personIds, number, isAvailable), until: Math.min(end, open) };
}

/** Whoever has a turn, or the next one who can take it: the turns of the others stay as they are. */
function takes(personIds: readonly string[], turn: number, isAvailable: IsAvailable): string | null {
  const first = turn % personIds.length;
  const inOrder = [...personIds.slice(first), ...personIds.slice(0, first)];
  return inOrder.find(isAvailable) ?? null;
}

/** The number of a turn, from 0, and its end. */
function turnAt({ every, startsAt }: Layer, timezone: string, at: number): { number: number; end: number } {
  if (typeof every === "number") {
    const length = every * SECOND;
    const number = Math.floor((at - startsAt) / length);
    return { number, end: startsAt + (number + 1) * length };
  }
  const days = every === "day" ? 1 : 7;
  const first = localTime(startsAt, timezone);
  const beginOf = (turn: number) => localMoment(first.add({ days: turn * days }), timezone);
  const passed = first.toPlainDate().until(localTime(at, timezone).toPlainDate()).days;
  let number = Math.max(0, Math.floor(passed / days));
  // The first turn began at `startsAt`, also if its local time occurred earlier that day too.
  if (number > 0 && beginOf(number) > at) number--;
  // After the clock was set back over midnight, the date is the previous one, and the turn is not.
  while (beginOf(number + 1) <= at) number++;
  return { number, end: beginOf(number + 1) };
}

function localTime(at: number, timezone: string): Temporal.PlainDateTime {
  return Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timezone).toPlainDateTime();
}
