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
function minutesBetween(previous: number, time: number): number[] {
  const count = Math.max(0, (time - previous) / MINUTE - 1);
  return Array.from({ length: count }, (_, at) => previous + (at + 1) * MINUTE);
}

const clocks = new Map<string, (at: number) => number>();

/** What the clock of a zone shows at a moment, as if it were UTC; milliseconds since 1970. */
function localClock(zone: string): (at: number) => number {
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
  const fields = cron.split(" ").map(valuesOf);
  return (time) => {
    const shown = new Date(time);
    const values = [
      shown.getUTCMinutes(),
      shown.getUTCHours(),
      shown.getUTCDate(),
      shown.getUTCMonth() + 1,
      shown.getUTCDay(),
    ];
    return fields.every((accepts, at) => accepts(values[at] ?? -1));
  };
}

function valuesOf(field: string): (value: number) => boolean {
  const [base = "", step] = field.split("/");
  if (base === "*") return (value) => value % Number(step ?? 1) === 0;
  const list = base.split(",").map(Number);
  return (value) => list.includes(value);
}
