import type { Message, RunJob, Span } from "../../truth/runs/run-job.ts";
import type { Happening } from "../../world/runs/walk-job.ts";
import { type BookedRun, RunBook } from "./run-book.ts";

/** The records that a job demands. All times are true milliseconds since 1970. */
export interface Expected {
  overruns: ExpectedOverrun[];
  /** The starts that overlap. */
  overlaps: Set<Message>;
  /** The run that a check-in ends. */
  ends: Map<Message, { start: number; run: number }>;
  silences: Silence[];
  /** The check-ins that repeat the end of their run. */
  repeated: Set<Message>;
}

/**
 * A run that takes too long.
 *
 * @property run the place of the true run @property since its start @property at what the result says, one of these
 * @property isCertain whether there was enough time to notice it
 */
export interface ExpectedOverrun {
  run: number;
  since: number;
  at: number[];
  isCertain: boolean;
}

/**
 * The time from one check-in to the next, or to the end.
 *
 * @property reference what the next deadline is counted from: a start, or the check-in
 * @property firstStart in this time; null if there is none @property excusedFrom from when the limit of the run counts
 * @property limit of an open run; null if it is unknown
 */
export interface Silence {
  from: number;
  to: number;
  reference: number;
  isByStarts: boolean;
  firstStart: number | null;
  excusedFrom: number | null;
  limit: number | null;
}

/**
 * The times that may teach the rhythm of a job: its check-ins, the starts of the runs that they ended, and these with the first
 * starts since each check-in, of which not all teach it.
 */
export interface Taught {
  checkins: number[];
  starts: number[];
  allStarts: number[];
}

/** Reads the reports of a job as the contract does. */
export function expectedOf(job: RunJob, happenings: readonly Happening[]): Expected & Taught {
  const book = new RunBook(job.config.maxRunTime);
  const expected: Expected & Taught = {
    ...{ overruns: [], overlaps: new Set(), ends: new Map(), silences: [], repeated: new Set() },
    ...{ checkins: [], starts: [], allStarts: [] },
  };
  const noticed = job.noticedWithin + 2;
  let isPaused = false;
  for (const happening of happenings) {
    const { at } = happening;
    if (!isPaused) overrunsUntil(happening);
    if (happening.kind === "pause") isPaused = true;
    else if (happening.kind === "resume") {
      isPaused = false;
      for (const { run } of over(at)) run.isDecided = true;
    } else if (happening.kind === "step" && happening.byMs > 0) {
      book.stepForward(at, happening.byMs);
    } else if (happening.kind === "absence") book.outage({ from: happening.from, to: at });
    else if (happening.kind === "message") read(happening.message);
  }
  overrunsUntil({ kind: "pause", at: job.to });
  const last = expected.silences.at(-1);
  if (last) Object.assign(last, { to: job.to, ...excuse() });
  return expected;

  function excuse() {
    return { firstStart: book.firstStart, excusedFrom: book.excusedFrom, limit: book.limit() };
  }

  /** The open runs that take too long by a moment, each with the time since when. */
  function over(now: number) {
    const limit = book.limit();
    if (limit === null) return [];
    return book.open
      .map((run) => ({ run, since: held(run, Math.max(run.limitFrom + limit, book.limitSince)) }))
      .filter(({ run: { isDecided }, since }) => !isDecided && since < now);
  }

  /** If only the limit is in a window, it counts at the end of the window. */
  function held({ start }: BookedRun, since: number): number {
    const isIn = ({ from, to }: Span, at: number) => from <= at && at < to;
    return job.windows.find((window) => isIn(window, since) && !isIn(window, start))?.to ?? since;
  }

  function overrunsUntil({ at, ...happening }: Happening): void {
    const until = happening.kind === "absence" ? (happening as { from: number }).from : at;
    for (const { run, since } of over(until)) {
      // A look before the absence may have come too early, and then the limit counts again.
      const isNoticed = since + noticed < until;
      if (isNoticed || mayClose(run, happening)) expect(run, [since], isNoticed);
    }
  }

  /** Whether a happening is the last moment in which a run may be found: a check-in may make the limit longer. */
  function mayClose({ rid }: BookedRun, happening: Omit<Happening, "at">): boolean {
    if (!("message" in happening)) return true;
    const { message } = happening as { message: Message };
    return message.kind === "checkin" || (message.kind === "start" && message.rid === rid);
  }

  function expect(booked: BookedRun, at: number[], isCertain: boolean): void {
    booked.isDecided = isCertain;
    const { run, start: since } = booked;
    const place = expected.overruns.findLastIndex((one) => one.run === run && !one.isCertain);
    const before = place < 0 ? [] : expected.overruns.splice(place, 1);
    expected.overruns.push({ run, since, at: [...before.flatMap((one) => one.at), ...at], isCertain });
  }

  function read(message: Message): void {
    if (message.kind === "start" && book.start(message, isPaused) && !isPaused)
      expected.overlaps.add(message);
    if (message.kind !== "checkin") return;
    const { at } = message;
    const { firstStart } = book;
    const last = expected.silences.at(-1);
    const before = excuse();
    const ended = book.end(message, message.isOk);
    if (ended === "repeated") {
      expected.repeated.add(message);
      return;
    }
    if (last) Object.assign(last, { to: at, ...before });
    expected.checkins.push(at);
    if (ended) {
      expected.ends.set(message, ended);
      const latest = expected.starts.at(-1) ?? 0;
      if (firstStart !== null && latest < firstStart && firstStart < ended.start)
        expected.allStarts.push(firstStart);
      if (latest <= ended.start) {
        expected.starts.push(ended.start);
        expected.allStarts.push(ended.start);
      }
    }
    const isByStarts = book.paired >= 3;
    const latestStart = Math.max(expected.starts.at(-1) ?? 0, book.open.at(-1)?.start ?? 0);
    expected.silences.push({
      ...{ from: at, to: at, reference: isByStarts ? latestStart : at, isByStarts },
      ...{
        checkins: expected.checkins.length,
        starts: expected.starts.length,
        firstStart: null,
        excusedFrom: null,
        limit: null,
      },
    });
  }
}
