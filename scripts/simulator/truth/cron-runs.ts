/*
 * The runs of a cron expression, by enumeration of local times: independent of the product. Fields are numbers, lists,
 * ranges, `*` and steps of `*`.
 */

const [MINUTE, DAY] = [60_000, 86_400_000];

/** A cron expression of five fields. @property timezone IANA name; UTC if left out */
export interface Schedule {
  cron: string;
  timezone?: string;
}

/**
 * A run of a schedule.
 *
 * - `once`: its local time occurs once.
 * - `first`, `again`: its local time occurs twice, because the clock is set back between.
 * - `skipped`: its local time does not occur; `at` is the end of the gap.
 */
export interface Run {
  at: number;
  local: "once" | "first" | "again" | "skipped";
}

/** All runs with `from <= at < to`, by time. Times are milliseconds since 1970. */
export function runsOf({ cron, timezone = "UTC" }: Schedule, from: number, to: number): Run[] {
  const fields = parse(cron);
  const pieces = piecesOf(timezone, from - 2 * DAY, to + 2 * DAY);
  const runs: Run[] = [];
  for (const [index, piece] of pieces.entries()) {
    const [before, after] = [pieces[index - 1], pieces[index + 1]];
    for (const local of localTimes(fields, piece.from + piece.offset, piece.to + piece.offset)) {
      const isAgain = before !== undefined && local < piece.from + before.offset;
      const isFirst = after !== undefined && local >= after.from + after.offset;
      runs.push({ at: local - piece.offset, local: isAgain ? "again" : isFirst ? "first" : "once" });
    }
    if (!after || after.offset <= piece.offset) continue;
    for (const _ of localTimes(fields, piece.to + piece.offset, after.from + after.offset))
      runs.push({ at: after.from, local: "skipped" });
  }
  return runs.filter(({ at }) => from <= at && at < to).sort((a, b) => a.at - b.at);
}

/** When the clock of a time zone is changed, within `from` and `to`. */
export function clockChangesOf(timezone: string, from: number, to: number): number[] {
  return piecesOf(timezone, from, to)
    .slice(1)
    .map((piece) => piece.from);
}

/** Whether minute or hour is a wildcard: such an expression runs through a repeated hour (behavior 3.14). */
export function isWild({ cron }: Schedule): boolean {
  return cron
    .split(" ")
    .slice(0, 2)
    .some((field) => field.startsWith("*"));
}

interface Fields {
  minutes: number[];
  hours: number[];
  isDay(local: Date): boolean;
}

function parse(cron: string): Fields {
  const [minute = "", hour = "", day = "", month = "", weekday = ""] = cron.split(" ");
  const [days, months, weekdays] = [valuesOf(day, 1, 31), valuesOf(month, 1, 12), valuesOf(weekday, 0, 6)];
  // One of them is enough, unless one begins with `*` (behavior 3.28).
  const either = !day.startsWith("*") && !weekday.startsWith("*");
  return {
    minutes: valuesOf(minute, 0, 59),
    hours: valuesOf(hour, 0, 23),
    isDay(local) {
      const [fitsDay, fitsWeekday] = [
        days.includes(local.getUTCDate()),
        weekdays.includes(local.getUTCDay()),
      ];
      return (
        months.includes(local.getUTCMonth() + 1) && (either ? fitsDay || fitsWeekday : fitsDay && fitsWeekday)
      );
    },
  };
}

function valuesOf(field: string, lowest: number, highest: number): number[] {
  const all = Array.from({ length: highest - lowest + 1 }, (_, place) => lowest + place);
  return all.filter((value) =>
    field.split(",").some((part) => {
      const [range = "", step = "1"] = part.split("/");
      const [first = 0, last = first] = range === "*" ? [lowest, highest] : range.split("-").map(Number);
      return first <= value && value <= last && (value - first) % Number(step) === 0;
    }),
  );
}

/** Local times are milliseconds as if the local clock showed UTC. */
function* localTimes({ minutes, hours, isDay }: Fields, from: number, to: number): Generator<number> {
  for (let day = Math.floor(from / DAY) * DAY; day < to; day += DAY) {
    if (!isDay(new Date(day))) continue;
    for (const hour of hours)
      for (const minute of minutes) {
        const local = day + (hour * 60 + minute) * MINUTE;
        if (from <= local && local < to) yield local;
      }
  }
}

/** A stretch with one offset from UTC, in milliseconds. */
interface Piece {
  from: number;
  to: number;
  offset: number;
}

const knownPieces = new Map<string, Piece[]>();

function piecesOf(timezone: string, from: number, to: number): Piece[] {
  const key = `${timezone} ${Math.floor(from / DAY)} ${Math.ceil(to / DAY)}`;
  const known = knownPieces.get(key);
  if (known) return known;
  const offsetAt = offsetReader(timezone);
  const pieces: Piece[] = [];
  const start = Math.floor(from / DAY) * DAY;
  let piece: Piece = { from: start, to: start, offset: offsetAt(start) };
  for (let day = start; day < to; day += DAY) {
    const next = offsetAt(day + DAY);
    if (next === piece.offset) continue;
    const change = bisect(day, day + DAY, (at) => offsetAt(at) === piece.offset);
    pieces.push({ ...piece, to: change });
    piece = { from: change, to: change, offset: next };
  }
  pieces.push({ ...piece, to: Math.ceil(to / DAY) * DAY });
  if (knownPieces.size > 1000) knownPieces.clear();
  knownPieces.set(key, pieces);
  return pieces;
}

/** The first minute at which a condition no longer holds. */
function bisect(holds: number, fails: number, isBefore: (at: number) => boolean): number {
  let [low, high] = [holds, fails];
  while (high - low > MINUTE) {
    const middle = low + Math.floor((high - low) / MINUTE / 2) * MINUTE;
    if (isBefore(middle)) low = middle;
    else high = middle;
  }
  return high;
}

function offsetReader(timeZone: string): (at: number) => number {
  const format = new Intl.DateTimeFormat("sv", { timeZone, dateStyle: "short", timeStyle: "medium" });
  return (at) => Date.parse(`${format.format(at).replace(" ", "T")}Z`) - at;
}
