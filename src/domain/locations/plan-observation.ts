import { CHANGED, EXPIRES_SOON } from "../checks/observation.ts";
import {
  evidenceOfCheck,
  isTurn,
  makesEvidenceAt,
  makesLateEvidence,
  type PlannedEvidence,
} from "../evidence/planned-evidence.ts";
import { isInMaintenance, withMaintenance } from "../maintenance/maintenance.ts";
import { type Confirmation, furtherChecks } from "../monitors/confirmation.ts";
import type { MonitorType } from "../monitors/monitor.ts";
import type { NewResult } from "../monitors/monitor-event.ts";
import { addResult, countResult, type Decision, planResult, recordedAs } from "../monitors/planned-result.ts";
import type { MonitorState, Recorded, RecordedCheck, RecordingPlan } from "../monitors/recording-plan.ts";
import { countsAsDown, groupOf, levelOf, type Status, statusesOf } from "../monitors/status.ts";
import type { DownWhen } from "./location.ts";
import {
  type Boundary,
  currentLatest,
  isAfterGap,
  type LatestObservation,
  latestAfter,
  type Place,
  type PlaceState,
  type Run,
  runAt,
} from "./place.ts";
import {
  askOthers,
  dueHere,
  isLate,
  isNewTrouble,
  isOnTheWay,
  nextRecheck,
  type ObservedCheck,
  observe,
  type PlacedSubject,
  receivedAt,
  statusOfLate,
} from "./silence.ts";
import { collectVotes, freshFor, type Vote } from "./votes.ts";

/**
 * Plans what a check changes of a monitor with other locations than this server (behavior 13.5 to 13.17).
 *
 * @returns null if the monitor is not checked from the location of the check
 */
export function planObservation(
  plan: RecordingPlan,
  subject: PlacedSubject,
  event: RecordedCheck,
): Recorded | null {
  const observed = observe(subject, plan.states.get(subject.id) ?? subject.state, event);
  if (!observed) return null;
  const { own, place, seen } = observed;
  const previous = currentLatest(own, subject.places);
  if (isLate(event, previous, subject.config.interval)) return planLate(plan, observed);
  const { since } = subject.places;
  const latest = latestAfter(previous, seen, { since, longest: freshFor(subject.config) });
  const isExcused = place.isAtFault && groupOf[seen.status] === "down";
  return isExcused ? planExcused(plan, observed, latest) : planFresh(plan, observed, latest);
}

/** Behavior 13.8: a late check enters the history only. */
function planLate(plan: RecordingPlan, observed: ObservedCheck): Recorded {
  const { subject, event, place, before, own, seen, judged } = observed;
  const { location } = place;
  const late = recordedAs(statusOfLate(subject, event, seen.status), seen);
  const result = withMaintenance(locatedAt(place, late), subject);
  addResult(plan, subject.id, { result, location, isLate: true });
  countResult(plan, subject, before, { result, seen, location });
  const baseline = isCounted(result) ? judged.baseline : own.baseline;
  if (makesLateEvidence(seen.status, own.latest?.late))
    plan.evidence.push(evidenceAt(observed, { isExempt: false, isLate: true }));
  plan.states.set(
    subject.id,
    withPlace(before, place, { ...own, baseline, latest: latestWithLate(own, seen) }),
  );
  return recordedOf(observed, before, { status: result.status });
}

/** The latest observation stays, with what the late check saw. */
function latestWithLate({ latest }: PlaceState, { status }: NewResult): LatestObservation | null {
  if (!latest) return null;
  const { late: _, ...others } = latest;
  const level = levelOf[status];
  return level === 0 ? others : { ...others, late: level };
}

/** Behavior 13.17: while the network of a location is at fault, its failed checks only show whether it still is. */
function planExcused(plan: RecordingPlan, observed: ObservedCheck, latest: LatestObservation): Recorded {
  const { subject, place, before, own } = observed;
  const state = { ...own, latest, recheckAt: nextRecheck(observed, false) };
  const after = { ...withPlace(before, place, state), nextCheckAt: dueHere(observed, false) };
  plan.states.set(subject.id, after);
  return recordedOf(observed, after, { status: before.status });
}

/** A check of one location that was judged, as far as the locations decide by it. */
type DecidedCheck = Pick<ObservedCheck, "subject" | "place" | "before" | "seen"> & {
  event: Pick<RecordedCheck, "at" | "receivedAt">;
};

/** The monitor after a check, and the decision of its locations. */
interface DecidedState {
  after: MonitorState;
  result: NewResult;
  status: Status;
  wanted: number | null;
}

/**
 * Plans what the locations decide after a fresh check of one of them.
 *
 * @param states of the locations, with the latest observation after the check
 */
export function planDecision(
  plan: RecordingPlan,
  decided: DecidedCheck,
  states: ReadonlyMap<number, PlaceState>,
): DecidedState {
  const { subject, place, before, seen } = decided;
  const decision = decisionAfter(decided, states);
  const { status, wanted } = decision;
  const recorded = recordedAs(status === "unknown" ? seen.status : status, seen);
  const result = withMaintenance(locatedAt(place, recorded), subject);
  const given = { seen, result, location: place.location, decision };
  return { after: planResult(plan, subject, before, given), result, status, wanted };
}

function planFresh(plan: RecordingPlan, observed: ObservedCheck, latest: LatestObservation): Recorded {
  const { subject, event, place, before, own, seen, judged } = observed;
  const { location } = place;
  const { places } = withPlace(before, place, { ...own, latest });
  const transitionsBefore = plan.transitions.length;
  const { after, result, status, wanted } = planDecision(plan, observed, places);
  const needsMore = isOnTheWay(seen.status, { status, wanted });
  if (makesEvidenceAt(latest, subject.type, [before.status, status]))
    plan.evidence.push(evidenceAt(observed, { isExempt: isTurn(before, after), isLate: false }));
  const state: PlaceState = {
    memory: isRemembered(subject, latest, status) ? judged.memory : own.memory,
    // Like the rollups, from which the baseline is computed again.
    baseline: isCounted(result) ? judged.baseline : own.baseline,
    baselineStart: own.baselineStart,
    latest,
    recheckAt: nextRecheck(observed, needsMore),
  };
  const checked = { ...withPlace(after, place, state), nextCheckAt: dueHere(observed, needsMore) };
  const others = { from: location, now: receivedAt(event) };
  const asked = isNewTrouble(latest, status) ? askOthers(subject.places, checked, others) : checked;
  plan.states.set(subject.id, asked);
  return recordedOf(observed, asked, {
    status: result.status,
    notable: subject.isAwaited || plan.transitions.length > transitionsBefore,
    asksHere: asked.nextCheckAt !== checked.nextCheckAt,
  });
}

/**
 * Whether a location remembers the answer of its DNS check: if it agrees with the status, or as many checks of this location
 * in a row saw it as confirm a change (behavior 11.12, 13.16).
 */
function isRemembered(subject: PlacedSubject, latest: LatestObservation, status: Status): boolean {
  const seen = levelOf[latest.status];
  if (subject.type !== "DNS" || status === "unknown" || seen === levelOf[status]) return true;
  const isWorse = seen > levelOf[status];
  const { checks } = runAt(latest, (isWorse ? seen : seen + 1) as Boundary);
  return checks > furtherChecks(subject, { isWorse, statuses: [status] });
}

function evidenceAt(
  { subject, event, seen, place: { location }, own: { memory } }: ObservedCheck,
  traits: Pick<PlannedEvidence, "isExempt" | "isLate">,
): PlannedEvidence {
  return evidenceOfCheck(subject, { event, seen }, { location, memory, ...traits });
}

function withPlace(state: MonitorState, { location }: Place, own: PlaceState) {
  return { ...state, places: new Map(state.places).set(location, own) };
}

/** Whether the latency of a result is in the rollups. */
function isCounted(result: NewResult): boolean {
  return !countsAsDown[result.status] && !isInMaintenance(result);
}

function locatedAt({ name }: Place, result: NewResult): NewResult {
  return { ...result, detail: { ...result.detail, location: name } };
}

function recordedOf(
  { subject, seen }: ObservedCheck,
  { nextCheckAt }: MonitorState,
  { status, notable = false, asksHere = false }: { status: Status; notable?: boolean; asksHere?: boolean },
): Recorded {
  const { organization, type } = subject;
  const next = { missed: 0, notable, nextCheckAt, asksHere };
  return { organizationId: organization.id, type, status, seen: seen.status, ...next };
}

/** @property wanted see `Agreement`; null as long as nobody decides */
interface PlacedDecision extends Decision {
  wanted: number | null;
}

/**
 * The decision of the locations after a check. As long as nobody decides, the status stays.
 *
 * @param states of the locations, with the latest observation after the check
 */
function decisionAfter(
  { subject, event, place, before }: DecidedCheck,
  states: ReadonlyMap<number, PlaceState>,
): PlacedDecision {
  const { config, places } = subject;
  const { at } = event;
  const now = event.receivedAt ?? at;
  const latest = states.get(place.location)?.latest ?? null;
  const awaitsOthers = latest !== null && isAfterGap(latest, now);
  const votes = collectVotes(places, states, { config, now, awaitsOthers });
  if (!votes) return { status: before.status, since: at, suspicion: null, isAgreed: false, wanted: null };
  const { status, since, wanted } = decide(votes, {
    ...subject,
    at,
    present: before.status,
    reason: before.outage?.reason,
    presentSince: before.statusSince,
    downWhen: places.downWhen,
    longest: freshFor(config),
  });
  const isAgreed = levelOf[status] === wanted;
  const isNews =
    votes.filter(({ latest }) => latest.reason === CHANGED).length >=
    votesNeeded(places.downWhen, votes.length);
  return { status, since, suspicion: null, isAgreed, isNews, wanted, locations: seenFrom(status, votes) };
}

/** Behavior 13.14. */
function seenFrom(status: Status, votes: readonly Vote[]): NonNullable<Decision["locations"]> {
  const level = levelOf[status];
  const seeing = votes.filter((vote) => (level === 0 ? vote.level === 0 : vote.level >= level));
  return { seeing: seeing.map(({ place }) => place.name), of: votes.length };
}

/**
 * The values that decide beside the votes.
 *
 * @property present the status of the monitor
 * @property reason why the outage began that is open; undefined if there is none
 * @property presentSince when it began; null if it never changed
 * @property at when the check ended after which is decided
 * @property longest milliseconds between the starts of two runs of the same trouble: see `freshFor`
 */
interface DecisionRules extends Confirmation {
  type: MonitorType;
  present: Status;
  reason?: string | undefined;
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
interface Agreement {
  status: Status;
  since: number;
  wanted: number;
}

/**
 * The status of a monitor after a check (behavior 13.7, 13.9 to 13.11). With one location, it is the status of `confirm`.
 *
 * @param votes at least one
 */
function decide(votes: readonly Vote[], rules: DecisionRules): Agreement {
  const { present, at } = rules;
  const needed = votesNeeded(rules.downWhen, votes.length);
  const wanted = [2, 1].find((level) => isWanted(votes, level, needed)) ?? 0;
  if (present === "unknown") return { status: statusAt(wanted, votes, rules), since: at, wanted };
  const current = levelOf[present];
  if (wanted === current) return { status: statusWithin(votes, rules), since: at, wanted };
  const step = wanted > current ? -1 : 1;
  for (let level = wanted; level !== current; level += step) {
    const since = confirmedSince(votes, rules, { level, needed, isWorse: wanted > current });
    if (since !== null) return { status: statusAt(level, votes, rules), since: Math.min(since, at), wanted };
  }
  return { status: present, since: at, wanted };
}

/**
 * How many votes are needed for a worse group.
 *
 * @param voters how many locations have a vote, at least 1
 */
export function votesNeeded(downWhen: DownWhen, voters: number): number {
  switch (downWhen) {
    case "majority":
      return Math.floor(voters / 2) + 1;
    case "any":
      return 1;
    case "all":
      return voters;
    default:
      return Math.min(downWhen, voters);
  }
}

function isWanted(votes: readonly Vote[], level: number, needed: number): boolean {
  return votes.filter((vote) => vote.level >= level).length >= needed;
}

/** The status of a level: the one that the newest vote for it saw, or else the only one of the type. */
function statusAt(level: number, votes: readonly Vote[], { type, present }: DecisionRules): Status {
  const ofLevel = votes.filter((vote) => vote.level === level).map(({ latest }) => latest);
  const [newest] = ofLevel.toSorted((one, other) => other.at - one.at);
  return newest?.status ?? statusesOf[type].find((status) => levelOf[status] === level) ?? present;
}

/** A change within a group is immediate, but not while a location still sees the present status (behavior 13.11). */
function statusWithin(votes: readonly Vote[], rules: DecisionRules): Status {
  const { present } = rules;
  const isSeen = votes.some(({ latest }) => latest.status === present);
  return isSeen ? present : statusAt(levelOf[present], votes, rules);
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
  const seen = side.filter((vote) => vote.level === level).map(({ latest }) => latest);
  const statuses = [rules.present, ...seen.map(({ status }) => status)];
  const reason = isWorse ? seen.find((latest) => latest.reason === EXPIRES_SOON)?.reason : rules.reason;
  const further = furtherChecks(rules, { isWorse, statuses, reason });
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
