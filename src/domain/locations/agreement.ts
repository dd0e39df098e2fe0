import { type Confirmation, furtherChecks } from "../monitors/confirmation.ts";
import type { MonitorType } from "../monitors/monitor.ts";
import { levelOf, type Status, statusesOf } from "../monitors/status.ts";
import { type Boundary, runAt } from "./latest-observation.ts";
import { type DownWhen, votesNeeded } from "./location.ts";
import type { Run } from "./place.ts";
import type { Vote } from "./votes.ts";

/**
 * What decides beside the votes.
 *
 * @property present the status of the monitor
 * @property presentSince when it began; null if it never changed
 * @property at when the check ended after which is decided
 * @property longest milliseconds between the starts of two runs of the same trouble: see `freshFor`
 */
export interface DecisionRules extends Confirmation {
  type: MonitorType;
  present: Status;
  presentSince: number | null;
  downWhen: DownWhen;
  at: number;
  longest: number;
}

/**
 * The status on which the locations agree.
 *
 * @property since when it began, in milliseconds since 1970
 * @property wanted the level (`levelOf`) that enough locations see, which more checks may have to confirm
 */
export interface Agreement {
  status: Status;
  since: number;
  wanted: number;
}

/**
 * The status of a monitor after a check (behavior 13.7, 13.9 to 13.11). With one location, it is that of `confirm`.
 *
 * @param votes at least one
 */
export function decide(votes: readonly Vote[], rules: DecisionRules): Agreement {
  const { present, at } = rules;
  const needed = votesNeeded(rules.downWhen, votes.length);
  const wanted = [2, 1].find((level) => isWanted(votes, level, needed)) ?? 0;
  if (present === "unknown") return { status: statusAt(wanted, votes, rules), since: at, wanted };
  const current = levelOf(present);
  if (wanted === current) return { status: statusWithin(votes, rules), since: at, wanted };
  const step = wanted > current ? -1 : 1;
  for (let level = wanted; level !== current; level += step) {
    const since = confirmedSince(votes, rules, { level, needed, isWorse: wanted > current });
    if (since !== null) return { status: statusAt(level, votes, rules), since: Math.min(since, at), wanted };
  }
  return { status: present, since: at, wanted };
}

function isWanted(votes: readonly Vote[], level: number, needed: number): boolean {
  return votes.filter((vote) => vote.level >= level).length >= needed;
}

/** The status of a level: the one that the newest vote for it saw, or else the only one of the type. */
function statusAt(level: number, votes: readonly Vote[], { type, present }: DecisionRules): Status {
  const ofLevel = votes.filter((vote) => vote.level === level).map(({ latest }) => latest);
  const [newest] = ofLevel.toSorted((one, other) => other.at - one.at);
  return newest?.status ?? statusesOf[type].find((status) => levelOf(status) === level) ?? present;
}

/** A change within a group is immediate, but not while a location still sees the present status (behavior 13.11). */
function statusWithin(votes: readonly Vote[], rules: DecisionRules): Status {
  const { present } = rules;
  const isSeen = votes.some(({ latest }) => latest.status === present);
  return isSeen ? present : statusAt(levelOf(present), votes, rules);
}

/** Since when the locations agree on a level, or on a better or worse one; null if more checks are needed. */
function confirmedSince(
  votes: readonly Vote[],
  rules: DecisionRules,
  { level, needed, isWorse }: { level: number; needed: number; isWorse: boolean },
): number | null {
  const side = votes.filter((vote) => (isWorse ? vote.level >= level : vote.level <= level));
  const boundary = (isWorse ? level : level + 1) as Boundary;
  const runs = side.map(({ latest }) => runAt(latest, boundary));
  const since = agreedSince(runs, isWorse ? needed : votes.length - needed + 1, rules);
  // A run that is older than the change confirms nothing, however long it is.
  const countOf = (run: Run) => (since !== null && run.since < since ? 1 : run.checks);
  const checks = runs.reduce((sum, run) => sum + countOf(run), 0);
  const seen = side.filter((vote) => vote.level === level).map(({ latest }) => latest.status);
  const further = furtherChecks(rules, { isWorse, statuses: [rules.present, ...seen] });
  return checks > further ? (since ?? rules.at) : null;
}

/**
 * When enough runs had begun, or earlier, if one of the others began not long before it.
 *
 * @param enough how many, at most all
 * @returns null if that is older than the present status: then only the number of votes has changed
 */
function agreedSince(
  runs: readonly Run[],
  enough: number,
  { presentSince, longest }: DecisionRules,
): number | null {
  const starts = runs.map(({ since }) => since).sort((one, other) => one - other);
  const isNew = (start: number) => presentSince === null || start > presentSince;
  const since = starts[enough - 1];
  if (since === undefined || !isNew(since)) return null;
  return starts
    .slice(0, enough - 1)
    .reduceRight((begin, start) => (isNew(start) && begin - start <= longest ? start : begin), since);
}
