import { isInMaintenance, withMaintenance } from "../maintenance/maintenance.ts";
import { furtherChecks } from "../monitors/confirmation.ts";
import type { NewResult } from "../monitors/monitor-event.ts";
import { addResult, countResult, planResult, recordedAs } from "../monitors/planned-result.ts";
import type { MonitorState, Recorded, RecordedCheck, RecordingPlan } from "../monitors/recording-plan.ts";
import { groupOf, levelOf, type Status } from "../monitors/status.ts";
import { isBad } from "../results/uptime.ts";
import { decisionAfter } from "./majority.ts";
import {
  isLate,
  type ObservedCheck,
  observe,
  type PlacedSubject,
  receivedAt,
  statusOfLate,
} from "./observed-check.ts";
import {
  type Boundary,
  currentLatest,
  type LatestObservation,
  latestAfter,
  type Place,
  type PlaceState,
  runAt,
} from "./place.ts";
import { askOthers, dueHere, isNewTrouble, isOnTheWay, nextRecheck } from "./recheck.ts";
import { freshFor } from "./votes.ts";

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
  const isExcused = place.isAtFault && groupOf(seen.status) === "down";
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
  plan.states.set(subject.id, withPlace(before, place, { ...own, baseline }));
  return recordedOf(observed, before, { status: result.status });
}

/** Behavior 13.17: while the network of a location is at fault, its failed checks only show whether it still is. */
function planExcused(plan: RecordingPlan, observed: ObservedCheck, latest: LatestObservation): Recorded {
  const { subject, place, before, own } = observed;
  const state = { ...own, latest, recheckAt: nextRecheck(observed, false) };
  const after = { ...withPlace(before, place, state), nextCheckAt: dueHere(observed, false) };
  plan.states.set(subject.id, after);
  return recordedOf(observed, after, { status: before.status });
}

function planFresh(plan: RecordingPlan, observed: ObservedCheck, latest: LatestObservation): Recorded {
  const { subject, event, place, before, own, seen, judged } = observed;
  const { location } = place;
  const { places } = withPlace(before, place, { ...own, latest });
  const decision = decisionAfter(observed, places);
  const { status, wanted } = decision;
  const recorded = recordedAs(status === "unknown" ? seen.status : status, seen);
  const result = withMaintenance(locatedAt(place, recorded), subject);
  const transitionsBefore = plan.transitions.length;
  const after = planResult(plan, subject, before, { seen, result, location, decision });
  const needsMore = isOnTheWay(seen.status, { status, wanted });
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
  const seen = levelOf(latest.status);
  if (subject.type !== "DNS" || status === "unknown" || seen === levelOf(status)) return true;
  const isWorse = seen > levelOf(status);
  const { checks } = runAt(latest, (isWorse ? seen : seen + 1) as Boundary);
  return checks > furtherChecks(subject, { isWorse, statuses: [status] });
}

function withPlace(state: MonitorState, { location }: Place, own: PlaceState) {
  return { ...state, places: new Map(state.places).set(location, own) };
}

/** Whether the latency of a result is in the rollups. */
function isCounted(result: NewResult): boolean {
  return !isBad(result.status) && !isInMaintenance(result);
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
