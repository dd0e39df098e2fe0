import { baselineStart } from "../checks/latency-baseline.ts";
import type { Detail } from "../checks/observation.ts";
import { judgeEvent, type NewResult } from "../monitors/monitor-event.ts";
import { recheckDelay } from "../monitors/next-check.ts";
import { addResult, type Decision, planResult, recordedAs } from "../monitors/planned-result.ts";
import type {
  MonitorState,
  Recorded,
  RecordedCheck,
  RecordingPlan,
  RecordingSubject,
} from "../monitors/recording-plan.ts";
import { levelOf, type Status } from "../monitors/status.ts";
import { isBad } from "../results/uptime.ts";
import { type Agreement, decide } from "./decide.ts";
import { isLate, statusOfLate } from "./late-check.ts";
import { type Boundary, currentLatest, latestAfter, runAt } from "./latest-observation.ts";
import { HERE } from "./location.ts";
import type { LatestObservation, Place, PlaceState, Places } from "./place.ts";
import { askOthers, dueHereAfter, newPlaceState } from "./recheck.ts";
import { collectVotes, freshFor, type Vote } from "./votes.ts";

/** A monitor that is not checked only from this server. */
export type PlacedSubject = RecordingSubject & { places: Places };

export function isPlaced(subject: RecordingSubject): subject is PlacedSubject {
  return subject.places !== null;
}

/** A check of one location, judged with what this location knows. */
interface Observed {
  subject: PlacedSubject;
  event: RecordedCheck;
  place: Place;
  before: MonitorState;
  /** Of the location, before the check. */
  own: PlaceState;
  seen: NewResult;
  judged: Pick<PlaceState, "memory" | "baseline">;
}

/**
 * Plans what a check changes of a monitor with other locations than this server (behavior 13.5 to 13.15).
 *
 * @returns null if the monitor is not checked from the location of the check
 */
export function planObservation(
  plan: RecordingPlan,
  subject: PlacedSubject,
  event: RecordedCheck,
): Recorded | null {
  const observed = observe(plan.states.get(subject.id) ?? subject.state, subject, event);
  if (!observed) return null;
  const { own, place, seen } = observed;
  const previous = currentLatest(own, subject.places);
  if (isLate(event, previous, subject.config.interval)) return planLate(plan, observed);
  const latest = latestAfter(previous, seen, subject.places.since);
  const isExcused = place.isAtFault && levelOf(seen.status) === 2;
  return isExcused ? planExcused(plan, observed, latest) : planFresh(plan, observed, latest);
}

function observe(before: MonitorState, subject: PlacedSubject, event: RecordedCheck): Observed | null {
  const { type, config, enabled, places } = subject;
  const place = places.list.find(({ location }) => location === (event.location ?? HERE));
  if (!place) return null;
  const own = before.places?.get(place.location) ?? newPlaceState(baselineStart(receivedAt(event)));
  const { memory, baseline } = own;
  const status = own.latest?.status ?? "unknown";
  const judged = judgeEvent({ ...before, type, config, enabled, status, memory, baseline }, event);
  const [seen] = judged.results;
  return seen ? { subject, event, place, before, own, seen, judged } : null;
}

/** Behavior 13.8: a late check enters the history only. */
function planLate(plan: RecordingPlan, observed: Observed): Recorded {
  const { subject, event, place, before, own, seen, judged } = observed;
  const { location } = place;
  const result = locatedAt(place, recordedAs(statusOfLate(subject, event, seen.status), seen));
  addResult(plan, subject.id, { result, seen, location, isLate: true });
  const baseline = isBad(result.status) ? own.baseline : judged.baseline;
  const state = { ...own, baseline };
  plan.states.set(subject.id, { ...before, places: new Map(before.places).set(location, state) });
  return recordedOf(observed, before, { status: result.status });
}

/** Behavior 13.17: while the network of a location is at fault, its failed checks only show whether it still is. */
function planExcused(plan: RecordingPlan, observed: Observed, latest: LatestObservation): Recorded {
  const { subject, event, place, before, own } = observed;
  const state = { ...own, latest, recheckAt: outstanding(own, event) };
  const after = {
    ...before,
    places: new Map(before.places).set(place.location, state),
    nextCheckAt: dueHere(observed, { needsMore: false }),
  };
  plan.states.set(subject.id, after);
  return recordedOf(observed, after, { status: before.status });
}

function planFresh(plan: RecordingPlan, observed: Observed, latest: LatestObservation): Recorded {
  const { subject, event, place, before, own, seen, judged } = observed;
  const { location } = place;
  const withLatest = new Map(before.places).set(location, { ...own, latest });
  const votes = votesAfter(observed, withLatest);
  const agreement = votes && agreementOf(observed, votes);
  const decision = decisionOf(before, { agreement, votes, at: event.at });
  const { status } = decision;
  const result = locatedAt(place, recordedAs(status === "unknown" ? seen.status : status, seen));
  const transitionsBefore = plan.transitions.length;
  const after = planResult(plan, subject, before, { seen, result, location, decision });
  const needsMore = agreement !== null && isOnTheWay(seen.status, status, agreement);
  const state: PlaceState = {
    memory: isRemembered(subject, { latest, status }) ? judged.memory : own.memory,
    // Like the rollups, from which the baseline is computed again.
    baseline: isBad(result.status) ? own.baseline : judged.baseline,
    baselineStart: own.baselineStart,
    latest,
    recheckAt: nextRecheck(observed, needsMore),
  };
  const checked = {
    ...after,
    places: new Map(before.places).set(location, state),
    nextCheckAt: dueHere(observed, { needsMore }),
  };
  const now = receivedAt(event);
  const asked = isNewTrouble(latest, status)
    ? askOthers(subject.places, checked, { from: location, now })
    : checked;
  plan.states.set(subject.id, asked);
  return recordedOf(observed, asked, {
    status: result.status,
    notable: plan.transitions.length > transitionsBefore,
    asksHere: asked.nextCheckAt !== checked.nextCheckAt,
  });
}

function votesAfter(
  { subject, event, place }: Observed,
  states: ReadonlyMap<number, PlaceState>,
): Vote[] | null {
  const { places, config } = subject;
  // What sends an observation is connected.
  const list = places.list.map((one) => (one === place ? { ...one, isLive: true } : one));
  return collectVotes({ ...places, list }, states, { config, now: receivedAt(event) });
}

function agreementOf({ subject, event, before }: Observed, votes: readonly Vote[]): Agreement {
  const { type, config, confirmations, recoveries, places } = subject;
  return decide(votes, {
    type,
    confirmations,
    recoveries,
    present: before.status,
    presentSince: before.statusSince,
    downWhen: places.downWhen,
    at: event.at,
    longest: freshFor(config),
  });
}

/** As long as nobody decides, the status stays. */
function decisionOf(
  before: MonitorState,
  { agreement, votes, at }: { agreement: Agreement | null; votes: readonly Vote[] | null; at: number },
): Decision {
  if (!agreement || !votes) return { status: before.status, since: at, suspicion: null, isAgreed: false };
  const { status, since, wanted } = agreement;
  const isAgreed = levelOf(status) === wanted;
  return { status, since, suspicion: null, isAgreed, locations: seenFrom(status, votes) };
}

/** Behavior 13.14. */
function seenFrom(status: Status, votes: readonly Vote[]): NonNullable<Decision["locations"]> {
  const level = levelOf(status);
  const seeing = votes.filter((vote) => (level === 0 ? vote.level === 0 : vote.level >= level));
  return { seeing: seeing.map(({ place }) => place.name), of: votes.length };
}

/** Whether a check saw a change that enough locations see, but not enough checks (behavior 13.13). */
function isOnTheWay(seen: Status, status: Status, { wanted }: Agreement): boolean {
  const direction = Math.sign(wanted - levelOf(status));
  return direction !== 0 && Math.sign(levelOf(seen) - levelOf(status)) === direction;
}

/** Whether the latest check of a location is the first one to see something worse than the status (behavior 13.12). */
function isNewTrouble(latest: LatestObservation, status: Status): boolean {
  if (status === "unknown") return false;
  const boundaries = ([1, 2] as const).filter(
    (boundary) => levelOf(status) < boundary && boundary <= levelOf(latest.status),
  );
  return boundaries.some((boundary) => runAt(latest, boundary).checks === 1);
}

/**
 * Whether a location remembers the answer of its DNS check: if it agrees with the status, or as many checks of this location
 * in a row saw it as confirm a change (behavior 11.12, 13.16).
 */
function isRemembered(
  { type, confirmations, recoveries }: PlacedSubject,
  { latest, status }: { latest: LatestObservation; status: Status },
): boolean {
  const seen = levelOf(latest.status);
  if (type !== "DNS" || status === "unknown" || seen === levelOf(status)) return true;
  const isWorse = seen > levelOf(status);
  const { checks } = runAt(latest, (isWorse ? seen : seen + 1) as Boundary);
  return checks > (isWorse ? confirmations : recoveries);
}

/** The re-check of a location that its check did not answer. */
function outstanding({ recheckAt }: PlaceState, { at }: RecordedCheck): number | null {
  return recheckAt !== null && at < recheckAt ? recheckAt : null;
}

function nextRecheck({ subject, event, place, own }: Observed, needsMore: boolean): number | null {
  const recheckAt = outstanding(own, event);
  if (!needsMore || place.location === HERE) return recheckAt;
  const next = event.at + recheckDelay(subject.config.interval);
  return Math.min(next, recheckAt ?? next);
}

/** When this server checks next: only its own checks change that. */
function dueHere({ subject, event, place, before }: Observed, { needsMore }: { needsMore: boolean }) {
  if (place.location !== HERE) return before.nextCheckAt;
  return dueHereAfter(subject, subject.places, { ...event, needsMore });
}

function locatedAt({ name }: Place, result: NewResult): NewResult {
  return { ...result, detail: { ...result.detail, location: name } satisfies Detail };
}

function receivedAt(event: RecordedCheck): number {
  return event.receivedAt ?? event.at;
}

function recordedOf(
  { subject, seen }: Observed,
  { nextCheckAt }: MonitorState,
  { status, notable = false, asksHere = false }: { status: Status; notable?: boolean; asksHere?: boolean },
): Recorded {
  const { organization, type } = subject;
  return {
    organizationId: organization.id,
    type,
    status,
    seen: seen.status,
    missed: 0,
    notable,
    nextCheckAt,
    asksHere,
  };
}
