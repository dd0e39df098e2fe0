import type { Ledger, Violation } from "../../ledger.ts";
import { doneBy, touches } from "../own-faults.ts";
import { type OpenRun, openRuns } from "./open-runs.ts";
import { found, type Subject, type Whole } from "./whole.ts";

const SECOND = 1000;

/** From a limit until it is recorded, and between the times of a job and of the server; milliseconds. */
const [NOTICED, MARGIN] = [5 * SECOND, 2 * SECOND];

/** After a fault of the server, the loops need so long until they work again. */
const AGAIN = 60 * SECOND;

type Result = Ledger["results"][number];

/** The records of runs are true: each that hangs is found once, at its limit, and no other; ends belong to their starts. */
export function judgeRuns({ ledger, subjects }: Whole): Violation[] {
  return [...subjects.values()].flatMap((subject) => {
    // The results of a deleted monitor are gone.
    if (!subject.monitor.starts || subject.until < subject.span.to) return [];
    const results = ledger.results.filter(({ monitor }) => monitor === subject.monitor.name);
    return [
      ...judgeOverruns(subject, results),
      ...judgeEnds(subject, results),
      ...judgeOverlaps(subject, results),
    ];
  });
}

function judgeOverruns(subject: Subject, results: readonly Result[]): Violation[] {
  const { monitor, disturbed, pauses } = subject;
  const waiting = openRuns(subject);
  const violations: Violation[] = [];
  for (const { createdAtWall: at } of withReason(results, "overrun")) {
    const place = waiting.findIndex((run) => mayBe(run, at));
    const [run] = place < 0 ? [] : waiting.splice(place, 1);
    if (!run) {
      const text = "no open run is at its limit";
      violations.push(found("only a run that takes too long overruns, once", at, { monitor, text }));
    } else if (
      pauses.some(({ from, to }) => from + MARGIN < run.limitAt.low && run.limitAt.high < to - MARGIN)
    ) {
      const text = `the run since ${timeOf(run.start.at)} became too long in a pause`;
      violations.push(found("a paused job does not overrun", at, { monitor, text }));
    }
  }
  for (const { start, limitAt } of waiting.filter(({ isCertain }) => isCertain)) {
    const text = `nothing is recorded of the run since ${timeOf(start.at)}`;
    violations.push(found("a hung run is found at its limit", limitAt.high, { monitor, text }));
  }
  return violations;

  /** At its limit, or when the server runs again. */
  function mayBe({ limitAt }: OpenRun, at: number): boolean {
    if (at < limitAt.low - MARGIN) return false;
    const latest = doneBy(limitAt.high, NOTICED, disturbed);
    return at <= (latest > limitAt.high + NOTICED ? latest + AGAIN : latest);
  }
}

/** The duration of a run is the time from its start to its end, if the server took both when they came. */
function judgeEnds({ monitor, ledger, disturbed }: Subject, results: readonly Result[]): Violation[] {
  const own = <One extends { monitor: string }>(all: readonly One[]) =>
    all.filter((one) => one.monitor === monitor.name);
  const [starts, checkins] = [own(ledger.starts), own(ledger.checkins)];
  const isCalm = (at: number) => !touches([...disturbed], { from: at - MARGIN, to: at + MARGIN });
  return results.flatMap(({ createdAtWall: at, detail }) => {
    const { durationMs } = (detail?.run ?? {}) as { durationMs?: number };
    const checkin = checkins.find((one) => one.accepted && Math.abs(one.at - at) < MARGIN);
    if (!checkin || !isCalm(at) || detail?.reason !== undefined) return [];
    const start = starts.findLast((one) => one.at < checkin.at && one.rid === checkin.rid);
    const previous = checkins.findLast((one) => one.at < checkin.at);
    const isOwn = start && (checkin.rid !== undefined || start.at > (previous?.at ?? 0));
    if (!isOwn || !start.accepted || !isCalm(start.at)) return [];
    const took = checkin.at - start.at;
    if (durationMs !== undefined && Math.abs(durationMs - took) <= MARGIN) return [];
    const text = `its run took ${took} ms, but the result says ${durationMs}`;
    return [found("an end belongs to its start", at, { monitor, text })];
  });
}

/** Jobs without names have no run beside another one. */
function judgeOverlaps({ monitor }: Subject, results: readonly Result[]): Violation[] {
  return withReason(results, "overlap").map(({ createdAtWall }) =>
    found("only runs at the same time overlap", createdAtWall, { monitor, text: "a start overlaps" }),
  );
}

function withReason(results: readonly Result[], reason: string): Result[] {
  return results.filter(({ detail }) => detail?.reason === reason);
}

function timeOf(at: number): string {
  return new Date(at).toISOString();
}
