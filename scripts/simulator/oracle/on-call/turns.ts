import type { SimOnCall, SimSchedule } from "../../ledger.ts";
import type { Stretch } from "../own-faults.ts";

const [MINUTE, DAY] = [60_000, 86_400_000];
const DAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"] as const;

/** Clocks are changed at quarters of an hour. */
const QUARTER = 15 * MINUTE;

type Layer = SimSchedule["layers"][number];
type Rhythm = Omit<Layer, "people"> & Pick<SimSchedule, "timezone">;
type Clock = (at: number) => number;

/** The number of the turn of a layer at a moment, from 0; -1 while the layer has nobody. */
type Turns = (at: number) => number;

/** People by their names; who was deleted is not among them. */
export type Available = Pick<SimOnCall["people"][number], "name" | "isDisabled">;

/** A way to ask who is on call in schedules that may change. A layer is walked through once. */
export interface Walks {
  personAt(
    schedule: Omit<SimSchedule, "name">,
    people: ReadonlyMap<string, Available>,
    at: number,
  ): string | null;
}

/**
 * Who is on call at each moment of a stretch, by walking through its minutes with a clock on the wall: somebody hands over when the clock
 * shows the time of the next turn, or a later one, for the first time. It uses no rule of the product.
 */
export function walksThrough({ from, to }: Stretch): Walks {
  const known = new Map<Layer, Turns>();
  const turnsOfLayer = (layer: Layer, timezone: string): Turns => {
    const turns = known.get(layer) ?? walk({ ...layer, timezone }, { from: minuteOf(from), to });
    known.set(layer, turns);
    return turns;
  };
  return {
    personAt({ timezone, layers, overrides }, people, at) {
      const isAvailable = (person: string) => people.get(person)?.isDisabled === false;
      const minute = minuteOf(at);
      const open = overrides.filter(
        ({ person, startsAt, endsAt }) => startsAt <= minute && minute < endsAt && isAvailable(person),
      );
      const [override] = open.toSorted((a, b) => a.startsAt - b.startsAt).slice(-1);
      if (override) return override.person;
      for (const layer of layers) {
        const turn = turnsOfLayer(layer, timezone)(minute);
        const left = layer.people.filter((person) => people.has(person));
        const order = left.map((_, place) => left[(turn + place) % left.length] ?? "");
        const taker = turn < 0 ? undefined : order.find(isAvailable);
        if (taker !== undefined) return taker;
      }
      return null;
    },
  };
}

/** @returns the name of whoever is on call; null if nobody is */
export function turnsOf(
  schedule: SimSchedule,
  people: readonly Available[],
  span: Stretch,
): (at: number) => string | null {
  const walks = walksThrough(span);
  const byName = new Map(people.map((person) => [person.name, person]));
  return (at) => walks.personAt(schedule, byName, at);
}

/** The turns of a layer in each minute; in each quarter of an hour if everything changes at these. */
function walk(rhythm: Rhythm, { from, to }: Stretch): Turns {
  const { timezone, every, startsAt } = rhythm;
  const clock = clockOf(timezone);
  const step = isQuarterly(rhythm) ? QUARTER : MINUTE;
  const first = Math.floor(from / step) * step;
  const turns: number[] = [];
  for (let at = first; at < Math.min(startsAt, to); at += step) turns.push(-1);
  const shows = typeof every === "number" ? (at: number) => at : clock;
  const length = every === "day" ? DAY : every === "week" ? 7 * DAY : every * 1000;
  let next = shows(startsAt) + length;
  let turn = 0;
  for (let at = startsAt; at <= to; at += step) {
    if (shows(at) >= next) {
      turn++;
      next += length;
    }
    if (at >= first) turns.push(isOpen(rhythm, clock(at)) ? turn : -1);
  }
  return (at) => turns[Math.floor((at - first) / step)] ?? -1;
}

function isQuarterly({ every, startsAt, hours }: Rhythm): boolean {
  const texts = hours?.windows.flatMap(({ from, to }) => [from, to]) ?? [];
  const isOfQuarter = (text: string) => Number(text.slice(3)) % 15 === 0;
  return (
    startsAt % QUARTER === 0 && (typeof every === "string" || every % 900 === 0) && texts.every(isOfQuarter)
  );
}

/** @param shown the time that the clock shows */
function isOpen({ hours }: Rhythm, shown: number): boolean {
  if (!hours) return true;
  const minutesOf = (text: string) => Number(text.slice(0, 2)) * 60 + Number(text.slice(3));
  const minute = Math.floor((shown % DAY) / MINUTE);
  const [today, yesterday] = [shown, shown - DAY].map((at) => DAYS[new Date(at).getUTCDay()]);
  return hours.windows.some(({ days, from, to }) => {
    const [opens, closes] = [minutesOf(from), minutesOf(to)];
    const isDay = (day: string | undefined) => days.some((one) => one === day);
    if (closes > opens) return isDay(today) && opens <= minute && minute < closes;
    return (isDay(today) && opens <= minute) || (isDay(yesterday) && minute < closes);
  });
}

/** The time that the clock of a time zone shows, in milliseconds as if it showed UTC. */
export function clockOf(timeZone: string): Clock {
  const known = clocks.get(timeZone);
  if (known) return known;
  const format = new Intl.DateTimeFormat("sv", { timeZone, dateStyle: "short", timeStyle: "medium" });
  const offsets = new Map<number, number>();
  const clock = (at: number) => {
    const quarter = Math.floor(at / QUARTER) * QUARTER;
    const offset =
      offsets.get(quarter) ?? Date.parse(`${format.format(quarter).replace(" ", "T")}Z`) - quarter;
    offsets.set(quarter, offset);
    return at + offset;
  };
  clocks.set(timeZone, clock);
  return clock;
}

const clocks = new Map<string, Clock>();

function minuteOf(at: number): number {
  return Math.floor(at / MINUTE) * MINUTE;
}
