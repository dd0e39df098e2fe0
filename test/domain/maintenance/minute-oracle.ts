import { MINUTE } from "./definition.ts";

/*
 * An independent computation of the runs of a cron expression: it looks at each minute of a stretch, on the clock of the zone.
 * It knows only numbers, `*` and steps.
 */

/** The runs in a stretch, without its end; milliseconds since 1970, whole minutes. */
export function runsIn(cron: string, zone: string, { from, to }: { from: number; to: number }): number[] {
  const local = localClock(zone);
  const accepts = matcher(cron);
  const runs: number[] = [];
  // Long enough for every change of clocks.
  const before = from - 180 * MINUTE;
  const shown = new Set<number>();
  let previous = local(before - MINUTE);
  for (let at = before; at < to; at += MINUTE) {
    const time = local(at);
    const isRun = (!shown.has(time) && accepts(time)) || minutesBetween(previous, time).some(accepts);
    if (isRun && at >= from) runs.push(at);
    shown.add(time);
    previous = time;
  }
  return runs;
}

/** The local times that the clock skipped. */
export function minutesBetween(previous: number, time: number): number[] {
  const count = Math.max(0, (time - previous) / MINUTE - 1);
  return Array.from({ length: count }, (_, at) => previous + (at + 1) * MINUTE);
}

const clocks = new Map<string, (at: number) => number>();

/** The local time of a zone at a moment, as if it were UTC; milliseconds since 1970. */
export function localClock(zone: string): (at: number) => number {
  const clock = clocks.get(zone) ?? remembering(newClock(zone));
  clocks.set(zone, clock);
  return clock;
}

function remembering(clock: (at: number) => number): (at: number) => number {
  const known = new Map<number, number>();
  return (at) => {
    const shown = known.get(at) ?? clock(at);
    known.set(at, shown);
    return shown;
  };
}

function newClock(zone: string): (at: number) => number {
  const format = new Intl.DateTimeFormat("en-US", {
    ...{ timeZone: zone, hourCycle: "h23", year: "numeric", month: "numeric", day: "numeric" },
    ...{ hour: "numeric", minute: "numeric" },
  });
  return (at) => {
    const parts = Object.fromEntries(
      format.formatToParts(at).map(({ type, value }) => [type, Number(value)]),
    );
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0 } = parts;
    return Date.UTC(year, month - 1, day, hour, minute);
  };
}

function matcher(cron: string): (time: number) => boolean {
  const texts = cron.split(" ");
  const fields = texts.map(valuesOf);
  const isEither = !texts[2]?.startsWith("*") && !texts[4]?.startsWith("*");
  return (time) => {
    const shown = new Date(time);
    const values = [
      shown.getUTCMinutes(),
      shown.getUTCHours(),
      shown.getUTCDate(),
      shown.getUTCMonth() + 1,
      shown.getUTCDay(),
    ];
    const [minute, hour, day, month, weekday] = fields.map((accepts, at) => accepts(values[at] ?? -1));
    const isDay = isEither ? day || weekday : day && weekday;
    return [minute, hour, month, isDay].every(Boolean);
  };
}

/** @param at the place of the field; days and months begin with 1 */
function valuesOf(field: string, at: number): (value: number) => boolean {
  const lowest = at === 2 || at === 3 ? 1 : 0;
  const [base = "", step = "1"] = field.split("/");
  if (base === "*") return (value) => (value - lowest) % Number(step) === 0;
  const ranges = base.split(",").map((part) => part.split("-").map(Number));
  return (value) =>
    ranges.some(
      ([first = 0, last = first]) => first <= value && value <= last && (value - first) % Number(step) === 0,
    );
}
