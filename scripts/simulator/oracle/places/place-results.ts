import type { Ledger, SimMonitor, Violation } from "../../ledger.ts";
import { mayBeLost, type SimCheck, type SimResult } from "../check-results.ts";
import type { OwnFaults, Stretch } from "../own-faults.ts";
import type { Voters } from "./voters.ts";

/** The clock of a probe follows the clock of the server by requests that take some milliseconds. */
const CLOCK_ERROR = 50;

/** The last observations of a probe may not have been sent. */
const UNSENT = 60_000;

/** A process that dies loses what its checks saw in this time. */
const LOST_WITHIN = 1000;

/** Each check is exactly one result, however often it was sent (behavior 13.14, 13.18). */
export function judgePlaceResults(
  { name: monitor, places }: SimMonitor,
  { ledger, faults, voters }: { ledger: Ledger; faults: OwnFaults; voters: Voters },
): Violation[] {
  const checks = ledger.checks.filter((check) => check.monitor === monitor);
  const results = ledger.results.filter((result) => result.monitor === monitor);
  return (places?.names ?? []).flatMap((place) => {
    const own = checks.filter((check) => (check.place ?? "here") === place && isConclusive(check));
    const recorded = results.filter(({ detail }) => detail?.location === place);
    const { strays, unrecorded } = match(own, recorded);
    return [
      ...strays.map(({ createdAtWall, status }) => ({
        rule: "each result has a check",
        at: createdAtWall,
        monitor,
        text: `a result with status ${status} from ${place} has no check of its own`,
      })),
      ...unrecorded
        .filter((check) => !mayBeMissing(check, place, { ledger, faults, voters }))
        .map(({ endedAt, observation: { outcome } }) => ({
          rule: "each check is recorded",
          at: endedAt,
          monitor,
          text: `a check from ${place} that ended as ${outcome} has no result`,
        })),
    ];
  });
}

/** Each result belongs to one check, in the order of time. */
function match(checks: readonly SimCheck[], results: readonly SimResult[]) {
  const waiting = [...checks].sort((a, b) => a.endedAt - b.endedAt);
  const ordered = [...results].sort((a, b) => a.createdAtWall - b.createdAtWall);
  const unrecorded: SimCheck[] = [];
  const strays: SimResult[] = [];
  for (const result of ordered) {
    while (waiting[0] && waiting[0].endedAt < result.createdAtWall - CLOCK_ERROR)
      unrecorded.push(...waiting.splice(0, 1));
    if (waiting[0] && waiting[0].endedAt <= result.createdAtWall + CLOCK_ERROR) waiting.shift();
    else strays.push(result);
  }
  return { strays, unrecorded: [...unrecorded, ...waiting] };
}

function mayBeMissing(
  { endedAt, startedAt, observation }: SimCheck,
  place: string,
  { ledger, faults, voters }: { ledger: Ledger; faults: OwnFaults; voters: Voters },
): boolean {
  const { scenario, placeLives } = ledger;
  if (endedAt > scenario.to - UNSENT) return true;
  if (observation.outcome === "failed" && voters.maySuspect(place, endedAt)) return true;
  if (place === "here") return mayBeLost(endedAt, ledger, faults);
  const location = scenario.locations?.find(({ name }) => name === place);
  const wasOffline = location?.faults.some(
    ({ kind, from, to }) =>
      kind === "offline" && overlaps({ from, to }, { from: startedAt, to: endedAt + UNSENT }),
  );
  const life = placeLives.find(
    (one) => one.place === place && one.from <= endedAt && endedAt <= one.to + LOST_WITHIN,
  );
  return wasOffline || !life || life.to - endedAt < LOST_WITHIN;
}

function isConclusive({ observation }: SimCheck): boolean {
  return observation.outcome !== "inconclusive";
}

function overlaps(one: Stretch, other: Stretch): boolean {
  return one.from <= other.to && other.from <= one.to;
}
