import type { SimOnCall, SimSchedule } from "../../ledger.ts";
import type { Stretch } from "../own-faults.ts";

const [MINUTE, DAY] = [60_000, 86_400_000];
const DAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"] as const;

/** Clocks are changed at quarters of an hour. */
const QUARTER = 15 * MINUTE;

type Layer = SimSchedule["layers"][number];
type Clock = (at: number) => number;

/**
 * Who is on call at each moment of a stretch, by walking through its minutes with a clock on the wall: somebody hands over when the clock
 * shows the time of the next turn, or a later one, for the first time. It uses no rule of the product.
 *
 * @returns the name of the person; null if nobody is on call
 */
export function turnsOf(
  { timezone, layers, overrides }: SimSchedule,
  people: SimOnCall["people"],
  { from, to }: Stretch,
): (at: number) => string | null {
  const clock = clockOf(timezone);
  const first = minuteOf(from);
  const isAvailable = (person: string) =>
    people.some(({ name, isDisabled }) => name === person && !isDisabled);
  const walks = layers.map((layer) => walk(layer, { clock, isAvailable, from: first, to }));
  const inOrder = overrides
    .filter(({ person }) => isAvailable(person))
    .toSorted((a, b) => a.startsAt - b.startsAt);
  return (at) => {
    const minute = minuteOf(at);
    const override = inOrder.findLast(({ startsAt, endsAt }) => startsAt <= minute && minute < endsAt);
    if (override) return override.person;
    const place = (minute - first) / MINUTE;
    return walks.map((takers) => takers[place]).find((taker) => typeof taker === "string") ?? null;
  };
}

/** Whoever has the turn of a layer in each minute. */
function walk(
  layer: Layer,
  { clock, isAvailable, from, to }: Stretch & { clock: Clock; isAvailable: (person: string) => boolean },
): (string | null)[] {
  const { people, every, startsAt } = layer;
  const takers: (string | null)[] = [];
  for (let at = from; at < Math.min(startsAt, to); at += MINUTE) takers.push(null);
  const shows = typeof every === "number" ? (at: number) => at : clock;
  const length = every === "day" ? DAY : every === "week" ? 7 * DAY : every * 1000;
  let next = shows(startsAt) + length;
  let turn = 0;
  for (let at = startsAt; at <= to; at += MINUTE) {
    if (shows(at) >= next) {
      turn++;
      next += length;
    }
    if (at < from) continue;
    const order = people.map((_, place) => people[(turn + place) % people.length] ?? "");
    takers.push(isOpen(layer, clock(at)) ? (order.find(isAvailable) ?? null) : null);
  }
  return takers;
}

/** @param shown the time that the clock shows */
function isOpen({ hours }: Layer, shown: number): boolean {
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
function clockOf(timeZone: string): Clock {
  const format = new Intl.DateTimeFormat("sv", { timeZone, dateStyle: "short", timeStyle: "medium" });
  const known = new Map<number, number>();
  return (at) => {
    const quarter = Math.floor(at / QUARTER) * QUARTER;
    const offset = known.get(quarter) ?? Date.parse(`${format.format(quarter).replace(" ", "T")}Z`) - quarter;
    known.set(quarter, offset);
    return at + offset;
  };
}

function minuteOf(at: number): number {
  return Math.floor(at / MINUTE) * MINUTE;
}
