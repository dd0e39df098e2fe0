import type { Windows } from "../../../src/domain/alerts/hours.ts";
import type { Override, Rota } from "../../../src/domain/on-call/rotation.ts";

/*
 * Who is on call, by a clock on the wall that somebody reads each minute. It shares nothing with `rotation.ts`: it knows no moments of
 * local times, only the latest time that the clock has shown so far. A time counts as reached once the clock shows it, or a later one.
 */

const MINUTE = 60_000;

/** All changes of clocks are at a quarter of an hour. */
const QUARTER = 15 * MINUTE;

/** @returns who is on call in each minute of a stretch; the oracle looks at the clock from a while before it */
export function* watchedMinutes(
  rota: Rota,
  { from, to }: { from: number; to: number },
  isAvailable: (personId: string) => boolean,
): Generator<{ at: number; personId: string | null }> {
  const shown = wallClock(rota.timezone);
  const earliest = Math.min(from, ...rota.layers.map(({ startsAt }) => startsAt)) - 3 * 24 * 60 * MINUTE;
  const layers = rota.layers.map((layer) => ({
    layer,
    turn: 0,
    next: nextOf(shown(layer.startsAt), layer.every),
  }));
  let latest = "";
  for (let at = earliest; at < to; at += MINUTE) {
    const now = shown(at);
    if (now > latest) latest = now;
    for (const one of layers) {
      if (at < one.layer.startsAt) continue;
      if (typeof one.layer.every === "number") {
        one.turn = Math.floor((at - one.layer.startsAt) / (one.layer.every * 1000));
        continue;
      }
      while (at > one.layer.startsAt && latest >= one.next) {
        one.turn++;
        one.next = nextOf(one.next, one.layer.every);
      }
    }
    if (at < from) continue;
    let override: Override | undefined;
    for (const one of rota.overrides)
      if (one.startsAt <= at && at < one.endsAt && isAvailable(one.personId))
        if (!override || one.startsAt >= override.startsAt) override = one;
    let personId = override?.personId ?? null;
    for (const { layer, turn } of layers) {
      if (personId !== null || at < layer.startsAt) continue;
      if (layer.hours && !isWithin(spansOn(layer.hours.windows, latest.slice(0, 10)), latest)) continue;
      for (let step = 0; step < layer.personIds.length && personId === null; step++) {
        const person = layer.personIds[(turn + step) % layer.personIds.length] ?? "";
        if (isAvailable(person)) personId = person;
      }
    }
    yield { at, personId };
  }
}

/** A local time such as `2026-03-29T02:30`, as a clock on the wall shows it. */
function wallClock(timezone: string): (at: number) => string {
  const format = new Intl.DateTimeFormat("sv-SE", {
    timeZone: timezone,
    dateStyle: "short",
    timeStyle: "short",
  });
  const offsets = new Map<number, number>();
  return (at) => {
    const quarter = Math.floor(at / QUARTER) * QUARTER;
    let offset = offsets.get(quarter);
    if (offset === undefined) {
      offset = Date.parse(`${format.format(quarter).replace(" ", "T")}Z`) - quarter;
      offsets.set(quarter, offset);
    }
    return new Date(at + offset).toISOString().slice(0, 16);
  };
}

function nextOf(local: string, every: "day" | "week" | number): string {
  return onDate(dateAfter(local.slice(0, 10), every === "week" ? 7 : 1), local.slice(11));
}

const WEEKDAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"] as const;

interface Span {
  from: string;
  to: string;
}

const spans = new WeakMap<Windows, Map<string, Span[]>>();

/** The windows that began on a date or the day before. */
function spansOn(windows: Windows, today: string): Span[] {
  const known = spans.get(windows) ?? new Map<string, Span[]>();
  spans.set(windows, known);
  const found = known.get(today);
  if (found) return found;
  const began = [today, dateAfter(today, -1)].flatMap((date) => {
    const weekday = WEEKDAYS[new Date(`${date}T00:00Z`).getUTCDay()] ?? "sun";
    const own = windows.filter(({ days }) => (days as readonly string[]).includes(weekday));
    return own.map(({ from, to }) => ({
      from: onDate(date, from),
      to: to <= from ? onDate(dateAfter(date, 1), to) : onDate(date, to),
    }));
  });
  known.set(today, began);
  return began;
}

function isWithin(began: readonly Span[], latest: string): boolean {
  return began.some(({ from, to }) => latest >= from && latest < to);
}

function onDate(date: string, time: string): string {
  return `${date}T${time}`;
}

function dateAfter(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00Z`) + days * 24 * 60 * MINUTE).toISOString().slice(0, 10);
}
