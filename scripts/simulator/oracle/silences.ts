import type { Ledger, SimMonitor, Violation } from "../ledger.ts";
import { type Bounds, either } from "./bounds.ts";
import type { SimResult } from "./check-results.ts";
import type { JobRecord, RecordedCheckin } from "./checkins.ts";
import { ALIVE_GAP, type ServiceOutage, serviceOutages } from "./outages-of-service.ts";
import { type ClockStep, doneBy, extended, type OwnFaults } from "./own-faults.ts";
import { type Deadline, type Rhythm, rhythmReader } from "./rhythm.ts";

/** A missed run has its deadline as its time: only rounding differs; milliseconds. */
const EXACT = 1000;

/** How long it takes at most until a passed deadline is recorded, in milliseconds. */
const NOTICED_WITHIN = 3000;

/** A deadline that is possible after what is known. @property isExcused an outage gave this silence a new window */
interface Possible extends Deadline {
  isExcused: boolean;
}

/** Events that may change a deadline, by time. */
type Happening =
  | (ServiceOutage & { kind: "outage" })
  | (ClockStep & { kind: "step"; from: number; to: number });

/**
 * A late job is noticed in its window, each missed run once, and no other job is late (behavior 3). A silence may have
 * several possible deadlines, if a fault of the server may or may not have changed it.
 */
export function judgeSilences(
  monitor: SimMonitor,
  { recorded, missed }: JobRecord,
  { ledger, faults }: { ledger: Ledger; faults: OwnFaults },
): Violation[] {
  const { scenario, lives } = ledger;
  const last = Math.min(scenario.to, lives.at(-1)?.to ?? scenario.to);
  const rhythmAfter = rhythmReader(monitor, { faults, from: scenario.from, to: scenario.to });
  const happenings = happeningsOf(ledger, faults);
  const violations: Violation[] = (missed.get(-1) ?? []).map(({ createdAtWall }) =>
    violation(
      "a job without a check-in is never late",
      createdAtWall,
      "a missed run before the first check-in",
    ),
  );
  for (const [place, checkin] of recorded.entries()) {
    const rhythm = rhythmAfter(checkin, recorded[place - 1]);
    const until = recorded[place + 1]?.at ?? last;
    violations.push(...judgeSilence(checkin, missed.get(place) ?? [], { rhythm, until }));
  }
  return violations;

  function judgeSilence(
    checkin: RecordedCheckin,
    misses: readonly SimResult[],
    { rhythm, until }: { rhythm: Rhythm; until: number },
  ): Violation[] {
    const within = happenings.filter(({ from, to }) => to > checkin.at && from < until);
    let possible = applyAll(startOf(checkin, rhythm), within, { rhythm, checkinAt: checkin.at });
    for (const { createdAtWall } of misses) {
      const times = faults
        .errorsWithin(checkin.at, until)
        .map((error) => ({ error, at: createdAtWall - error }));
      const found = possible.flatMap((one) =>
        times
          .filter(({ at }) => one.at.low - EXACT <= at && at <= one.at.high + EXACT)
          .map((time) => ({ one, ...time })),
      );
      if (found.length === 0)
        return [
          violation(
            "only a late job is late",
            createdAtWall,
            `a run was missed ${textOf(createdAtWall, checkin.at)}, but its deadline was ${possible.map((one) => boundsText(one.at, checkin.at)).join(" or ")}`,
          ),
        ];
      possible = merged(
        found.flatMap(({ one, at, error }) => {
          const later = within.filter(({ to }) => to > at - EXACT);
          const next = { ...rhythm.afterMiss(one, at, error), isExcused: one.isExcused };
          return applyAll([next], later, { rhythm, checkinAt: at });
        }),
      );
    }
    const noticedBy = Math.max(
      ...possible.map(({ at }) => doneBy(at.high + EXACT, NOTICED_WITHIN, disturbances(faults))),
    );
    if (noticedBy >= until) return [];
    return [
      violation(
        "a late job is noticed in its window",
        noticedBy,
        `a run was missed ${possible.map((one) => boundsText(one.at, checkin.at)).join(" or ")}, but nothing is recorded until ${textOf(until, checkin.at)}`,
      ),
    ];
  }

  function startOf({ at, result }: RecordedCheckin, rhythm: Rhythm): Possible[] {
    return [{ ...rhythm.afterCheckin(at, result.createdAtWall - at), isExcused: false }];
  }

  function applyAll(
    first: readonly Possible[],
    within: readonly Happening[],
    context: { rhythm: Rhythm; checkinAt: number },
  ): Possible[] {
    let possible = [...first];
    for (const happening of within)
      possible = merged(
        possible.flatMap((one) =>
          happening.kind === "step"
            ? afterStep(one, happening, context)
            : afterOutage(one, happening, context),
        ),
      );
    return possible;
  }

  /** After an outage, a deadline is extended by its length, or the job gets a new window once (behavior 3.21, 3.22). */
  function afterOutage(
    one: Possible,
    outage: ServiceOutage,
    { rhythm, checkinAt }: { rhythm: Rhythm; checkinAt: number },
  ): Possible[] {
    if (one.at.high < outage.from - ALIVE_GAP) return [one];
    const possible: Possible[] = [];
    const errors = faults.errorsWithin(outage.from, outage.to + 1000);
    const isTimed = errors.length === 1;
    // The deadline may have passed before.
    if (one.at.low < outage.from + EXACT || !outage.isCertain || !isTimed) possible.push(one);
    const spread = Math.max(...errors) - Math.min(...errors);
    const lengthened = Math.max(0, outage.to - Math.max(outage.from, checkinAt));
    const shortest = Math.max(0, outage.firstEnd - Math.max(outage.from, checkinAt));
    const extension = {
      low: outage.isCertain ? shortest - EXACT - spread : 0,
      high: lengthened + ALIVE_GAP + spread,
    };
    const mayHave = one.next.low - EXACT <= outage.to + ALIVE_GAP;
    const mustHave = one.next.high + EXACT < outage.firstEnd && isTimed;
    if (one.isExcused || !mustHave)
      possible.push({
        ...one,
        at: { low: one.at.low + Math.max(0, extension.low), high: one.at.high + extension.high },
      });
    if (!one.isExcused && mayHave) {
      const end = { low: outage.firstEnd, high: outage.to + ALIVE_GAP + (outage.to - outage.firstEnd) };
      for (const error of errors) possible.push({ ...rhythm.afterOutage(end, error), isExcused: true });
    }
    return possible;
  }

  /** Forward, a step looks like an outage. Backward, deadlines move with the clock (behavior 3.7). */
  function afterStep(
    one: Possible,
    { at, byMs }: ClockStep,
    { rhythm, checkinAt }: { rhythm: Rhythm; checkinAt: number },
  ): Possible[] {
    if (one.at.high < at - ALIVE_GAP) return [one];
    const error = Math.max(0, ...faults.errorsWithin(at + 1, at + 1));
    const errors = faults.errorsWithin(at + 1, at + 1).concat(error);
    const possible: Possible[] = [one];
    if (byMs > 0) {
      // With the time since the last alive timestamp, a short step may look like an outage too.
      possible.push({
        ...one,
        at: { low: one.at.low - Math.min(byMs, ALIVE_GAP), high: one.at.high + ALIVE_GAP },
      });
      for (const shown of errors)
        possible.push({ ...rhythm.afterOutage({ low: at, high: at + ALIVE_GAP }, shown), isExcused: true });
    }
    // A check-in that the wrong clock recorded may look older than it is.
    const isAhead = byMs < 0 && faults.errorsWithin(checkinAt, checkinAt).includes(-byMs);
    if (isAhead && checkinAt - byMs <= at)
      possible.push({ ...one, at: { low: one.at.low, high: one.at.high - byMs } });
    if (one.run === null) return possible;
    if (byMs > 0) possible.push({ ...one, at: { low: one.at.low - byMs, high: one.at.high - byMs } });
    for (const shown of errors)
      possible.push(
        { ...rhythm.afterCheckin(checkinAt, shown), isExcused: one.isExcused },
        { ...rhythm.afterOutage({ low: at, high: at + ALIVE_GAP }, shown), isExcused: one.isExcused },
      );
    return possible;
  }

  function violation(rule: string, at: number, text: string): Violation {
    return { rule, at, monitor: monitor.name, text };
  }
}

function happeningsOf(ledger: Ledger, faults: OwnFaults): Happening[] {
  return [
    ...serviceOutages(ledger, faults).map((outage) => ({ ...outage, kind: "outage" as const })),
    ...faults.steps.map((step) => ({ ...step, kind: "step" as const, from: step.at, to: step.at })),
  ].sort((a, b) => a.from - b.from);
}

/** While the service can't write or does not run, it notices nothing. */
function disturbances({ frozen, absent, storage, deaf }: OwnFaults) {
  return [...extended([...absent, ...storage], 10_000), ...extended([...frozen, ...deaf], 2000)];
}

/** Each once; of too many, only their bounds are kept. */
function merged(possible: readonly Possible[]): Possible[] {
  const each = new Map(
    possible.map((one) => [`${one.at.low} ${one.at.high} ${one.run} ${one.isExcused}`, one]),
  );
  if (each.size <= 24) return [...each.values()];
  const groups = Map.groupBy(each.values(), ({ run, isExcused }) => `${run} ${isExcused}`);
  return [...groups.values()].flatMap(([first, ...others]) => {
    if (!first) return [];
    const sum = { ...first };
    for (const { at, next } of others)
      Object.assign(sum, { at: either(sum.at, at), next: either(sum.next, next) });
    return [sum];
  });
}

function boundsText({ low, high }: Bounds, since: number): string {
  return low === high ? textOf(low, since) : `${textOf(low, since)} to ${textOf(high, since)}`;
}

function textOf(at: number, since: number): string {
  return `${Math.round((at - since) / 100) / 10} s after the check-in`;
}
