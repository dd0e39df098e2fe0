import { createDraw, type Draw } from "../draw.ts";
import { createLengths } from "./lengths.ts";
import { drawRhythm, type Rhythm } from "./rhythm.ts";
import type { Message, RunJob, Span, Trouble, TrueRun } from "./run-job.ts";

const [SECOND, MINUTE, HOUR, DAY] = [1000, 60_000, 3_600_000, 86_400_000];

const FIRST_YEAR = Date.parse("2026-01-05");

/** How many runs overlap at most. */
const MAX_OVERLAPPING = 6;

/** No learned limit is shorter; milliseconds. */
const SOON = 58 * SECOND;

/** How often each trouble happens to a run. */
type Shares = Record<Trouble, number>;

const NONE: Shares = {
  ...{ hung: 0, long: 0, crashed: 0, dead: 0, retried: 0 },
  ...{ "lost start": 0, "lost end": 0, swapped: 0 },
};

/**
 * How a job runs.
 *
 * @property ids how it names its runs @property overlaps whether a run may take longer than the time to the next one
 * @property waits whether no run starts while another one hangs
 */
interface Habits {
  ids: "none" | "each" | "one";
  overlaps: boolean;
  waits: boolean;
  shares: Shares;
}

/** A job with its runs, and what happens to its server; everything follows from the name. */
export function drawRunJob(name: string): RunJob {
  const draw = createDraw(name);
  const rhythm = drawRhythm(draw.fork("rhythm"), FIRST_YEAR);
  const habits = drawHabits(draw.fork("habits"), rhythm);
  const faults = drawFaults(draw.fork("faults"), rhythm);
  const typical = draw.spread(100, habits.overlaps ? 3 * rhythm.shortest : rhythm.shortest / 2);
  const maxRunTime = draw.chance(0.25) ? Math.ceil((draw.between(1.1, 8) * typical) / SECOND) : undefined;
  const config = {
    ...rhythm.config,
    ...(maxRunTime !== undefined && { maxRunTime: Math.min(maxRunTime, 604_800) }),
    ...(draw.chance(0.5) && { overlap: draw.pick(["allow", "fail"] as const) }),
  };
  const drawn = drawRuns(draw.fork("runs"), {
    rhythm,
    habits,
    typical,
    faults,
    maxRunTime: config.maxRunTime,
  });
  const { from, to, learnedAfter } = rhythm;
  return { name, from, to, config, ...drawn, ...faults, learnedAfter, noticedWithin: SECOND };
}

function drawHabits(draw: Draw, { shortest, config }: Rhythm): Habits {
  // With another rhythm, the start of a run that ends after later ones teaches nothing.
  const overlaps = draw.chance(0.15) && config.period !== undefined;
  const share = () => (draw.chance(0.5) ? draw.spread(0.001, 0.02) : 0);
  const shares: Shares = {
    ...{ hung: share(), long: share(), crashed: share(), dead: share(), retried: share() },
    ...{ "lost start": share(), "lost end": share(), swapped: share() },
  };
  return {
    overlaps,
    ids: overlaps ? "each" : drawIds(draw, shortest),
    waits: !overlaps && draw.chance(0.5),
    // Half of the jobs are healthy for their whole life. A weekly job has few runs.
    shares: draw.chance(0.5) ? NONE : shortest > 2 * DAY ? { ...shares, hung: 0.05 } : shares,
  };
}

/** Within an hour after the end of a run, a start with the same name opens none. */
function drawIds(draw: Draw, shortest: number): Habits["ids"] {
  const ids = draw.pick(["none", "each", "one"] as const);
  return ids === "one" && shortest < 2 * HOUR ? "each" : ids;
}

/** Never two of them together, so that what each excuses has an end. */
function drawFaults(draw: Draw, { from, to, due, jitter }: Rhythm): Pick<RunJob, Faults> {
  const early = drawEarlyWindow(draw.fork("early window"), due);
  const windows = early ? [early] : [];
  const faults: Pick<RunJob, Faults> = { absences: [], stalls: [], pauses: [], windows, steps: [] };
  const { absences, stalls, pauses, steps } = faults;
  let at = Math.max(early?.to ?? 0, from) + draw.spread(0.02, 0.5) * (to - from);
  for (;;) {
    const kind = draw.pick(["absence", "absence", "absence", "stall", "pause", "window", "clock"] as const);
    const longest = {
      ...{ absence: 12 * HOUR, stall: HOUR, window: 6 * HOUR },
      ...{ pause: (to - from) / 20, clock: (to - from) / 20 },
    };
    const isShort = kind !== "pause" && kind !== "clock";
    const length = Math.round(draw.spread(isShort ? 3 * SECOND : MINUTE, longest[kind]));
    const span = { from: Math.round(at), to: Math.round(at) + length };
    // A pause often begins or ends soon after a run has begun.
    const soonAfter = (run: number) => Math.round(run + jitter + draw.spread(SECOND, SOON));
    const [before, begun] = [span.from, span.to].map((end) => due.findLast((run) => run < end));
    // Many come while a run is open.
    if (isShort && before && draw.chance(0.5))
      moveTo(
        span,
        kind === "window" ? before + jitter + Math.round(draw.spread(MINUTE, HOUR)) : soonAfter(before),
      );
    if (kind === "pause" && before && draw.chance(0.4)) span.from = soonAfter(before);
    if (kind === "pause" && begun && begun > span.from && draw.chance(0.6)) span.to = soonAfter(begun);
    if (span.to + DAY > to) return faults;
    if (kind === "absence") absences.push(span);
    else if (kind === "stall") stalls.push(span);
    else if (kind === "window") windows.push(span);
    else if (kind === "pause") pauses.push(span);
    else {
      const by = Math.round(draw.spread(SECOND, Math.min(length / 2, 2 * HOUR)));
      steps.push({ at: span.from, byMs: -by }, { at: span.to, byMs: by });
    }
    at = span.to + draw.spread(0.05, 0.6) * (to - from);
  }
}

/** Over the hour that an open run has while its limit is unknown: in one of the first runs. */
function drawEarlyWindow(draw: Draw, due: readonly number[]): Span | null {
  const run = due[draw.whole(1, 4)];
  if (run === undefined || draw.chance(0.6)) return null;
  return {
    from: run + Math.round(draw.spread(10 * MINUTE, HOUR)),
    to: run + Math.round(draw.spread(1.1 * HOUR, 6 * HOUR)),
  };
}

type Faults = "absences" | "stalls" | "pauses" | "windows" | "steps";

function moveTo(span: Span, from: number): void {
  span.to += from - span.from;
  span.from = from;
}

interface Drawn {
  rhythm: Rhythm;
  habits: Habits;
  typical: number;
  faults: Pick<RunJob, "absences" | "stalls" | "pauses" | "windows">;
  maxRunTime: number | undefined;
}

function drawRuns(
  draw: Draw,
  { rhythm, habits, typical, faults, maxRunTime }: Drawn,
): Pick<RunJob, "runs" | "messages"> {
  const { due: schedule, early, jitter, shortest, to } = rhythm;
  const lengths = createLengths(draw.fork("lengths"), {
    typical,
    longest: habits.overlaps ? MAX_OVERLAPPING * shortest : shortest * 0.9 - jitter,
    // While a run overlaps with others, these end, and the longest of the last 20 is another one.
    // Without names, it is not certain which long runs are replaced.
    remembered: habits.overlaps ? 20 - 2 * MAX_OVERLAPPING : habits.ids === "each" ? 20 : 18,
    maxRunTime: maxRunTime && maxRunTime * SECOND,
  });
  /** The lengths of overlapping runs are known when they end. */
  let ending: { at: number; length: number }[] = [];
  const runs: TrueRun[] = [];
  const messages: Message[] = [];
  const holds = (at: number) => (one: Span) => one.from <= at && at < one.to;
  const absentUntil = (at: number) => faults.absences.find(holds(at))?.to;
  const arrives = (at: number) => at < to && absentUntil(at) === undefined;
  const arrivalOf = (at: number) => faults.stalls.find(holds(at))?.to ?? at;
  const unseen = [...faults.absences, ...faults.stalls];
  let [busyUntil, deadUntil, nameTakenUntil] = [0, 0, 0];

  for (const due of schedule) {
    const start = Math.round(due - early + draw.fraction() * jitter);
    for (const { length } of ending.filter(({ at }) => at <= start)) lengths.ended(length);
    ending = ending.filter(({ at }) => at > start);
    const trouble = drawTrouble(due);
    if (trouble === "dead") deadUntil = due + draw.pick([1, draw.spread(1, 20)] as const) * shortest;
    if (start < busyUntil || due < deadUntil) {
      runs.push({ due, start, end: null, trouble: "dead" });
      continue;
    }
    makeRun(due, start, trouble);
  }
  messages.sort((a, b) => a.at - b.at);
  return { runs, messages };

  function drawTrouble(due: number): Trouble | null {
    const isSoon = (moment: number) => due < moment && moment < due + jitter + SOON;
    const isByPause = faults.pauses.some((pause) => isSoon(pause.from) || isSoon(pause.to));
    const isByWindow = faults.windows.some(({ from }) => due + jitter < from && from < due + jitter + HOUR);
    if ((isByPause || isByWindow) && habits.shares.hung > 0 && draw.chance(0.7)) return "hung";
    let left = draw.fraction();
    for (const [trouble, share] of Object.entries(habits.shares)) {
      left -= share;
      if (left < 0) return trouble as Trouble;
    }
    return null;
  }

  function makeRun(due: number, start: number, trouble: Trouble | null): void {
    const length = trouble === "long" ? longLength() : lengths.next();
    if (trouble === "crashed" || trouble === "retried") {
      retry(due, start, { length, trouble });
      return;
    }
    const end = trouble === "hung" ? null : start + length;
    if ((trouble === "hung" || trouble === "long") && habits.waits)
      busyUntil = end ?? start + draw.spread(2, 30) * Math.max(lengths.limit() ?? shortest, shortest);
    add({ due, start, end, trouble }, draw.chance(0.97));
  }

  function longLength(): number {
    const limit = lengths.limit() ?? HOUR;
    const longest = habits.overlaps ? 20 * limit : Math.max(limit * 1.3, shortest * 0.9);
    return Math.round(draw.spread(limit * 1.01 + 2 * SECOND, Math.max(longest, limit * 1.02 + 3 * SECOND)));
  }

  /** The process dies or the run fails, and it is made again a little later, all within its time. */
  function retry(
    due: number,
    start: number,
    { length, trouble }: { length: number; trouble: "crashed" | "retried" },
  ): void {
    const first = Math.round(Math.min(length * draw.between(0.05, 0.4), 20 * MINUTE));
    const again = start + first + Math.round(Math.min(length * draw.between(0.01, 0.1), 10 * MINUTE)) + 1;
    add({ due, start, end: trouble === "crashed" ? null : start + first, trouble }, false);
    add({ due, start: again, end: start + Math.max(length, again - start + 1), trouble: null }, true);
  }

  /** Adds a run with its reports. */
  function add(drawn: TrueRun, isOk: boolean): void {
    const run = runs.length;
    const { start, end, trouble } = drawn;
    const rid = habits.ids === "none" ? {} : { rid: habits.ids === "one" ? "main" : `run-${run}` };
    const startArrives = arrives(start) && trouble !== "lost start";
    const endArrives = end !== null && arrives(end) && trouble !== "lost end";
    const late = trouble === "swapped" && end !== null ? end + draw.whole(1, 3000) : start;
    const hasStart = startArrives && arrives(late);
    if (hasStart) messages.push({ kind: "start", at: arrivalOf(late), run, ...rid });
    if (endArrives) messages.push({ kind: "checkin", at: arrivalOf(end), run, isOk, ...rid });
    if (end !== null && draw.chance(0.05) && arrives((start + end) / 2))
      messages.push({ kind: "log", at: arrivalOf(Math.floor((start + end) / 2)), run, ...rid });
    // The next start replaces it, if its name is the same.
    const isReplaced = habits.ids !== "each" && end !== null && end > start + shortest - jitter;
    // A start with the name of a run that ended within the last hour opens none.
    const isNameTaken = start < nameTakenUntil;
    if (habits.ids === "one" && endArrives) nameTakenUntil = arrivalOf(end) + HOUR;
    if (hasStart && endArrives && late < end && isOk && !isReplaced && !isNameTaken)
      ending.push({ at: arrivalOf(end), length: seenLength(arrivalOf(start), arrivalOf(end)) });
    const lostWithServer = end !== null && hasStart ? absentUntil(end) : undefined;
    runs.push({
      ...{ ...drawn, trouble: trouble ?? (hasStart && !isNameTaken ? null : "lost start") },
      ...(lostWithServer !== undefined && { lostWithServer }),
    });
  }

  /** How much of a stretch the server saw. */
  function seenLength(from: number, until: number): number {
    const hidden = unseen.map((one) => Math.max(0, Math.min(until, one.to) - Math.max(from, one.from)));
    return hidden.reduce((length, part) => length - part, until - from);
  }
}
