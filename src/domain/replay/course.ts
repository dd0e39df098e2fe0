import type { Transition } from "../alerts/delivery.ts";
import type { ReviewedMonitor, ReviewedOutage } from "../alerts/review/pair.ts";
import { reviewedMonitor, type StoredMonitor } from "../alerts/review/reviewed-monitor.ts";
import { noLatency } from "../checks/latency-baseline.ts";
import { SECOND } from "../duration.ts";
import {
  currentLatest,
  type LatestObservation,
  latestAfter,
  type PlaceState,
  type Places,
} from "../locations/place.ts";
import { planDecision } from "../locations/plan-observation.ts";
import { isLate, isNewTrouble, isOnTheWay } from "../locations/silence.ts";
import { freshFor } from "../locations/votes.ts";
import type { MonitorMaintenance } from "../maintenance/maintenance.ts";
import { recheckDelay } from "../monitors/confirmation.ts";
import { emptyPlan } from "../monitors/planned-result.ts";
import {
  type MonitorState,
  planSeen,
  type RecordingPlan,
  type RecordingSubject,
} from "../monitors/recording-plan.ts";
import { groupOf, type Status } from "../monitors/status.ts";
import { alteredChecks } from "./altered-checks.ts";
import type { ReplayChanges } from "./changes.ts";
import { eventsOf, type PastEvent, startOf } from "./course-start.ts";
import { type MonitorPast, type MonitorSettings, type ReplayedPast, settingsAt } from "./history.ts";
import { PlacedChecks } from "./placed-checks.ts";
import type { CheckRhythm, Guess, NextCheck, ReplayedCheck } from "./recorded-checks.ts";
import { ReplayedAlerts, type ReplayedMessage } from "./replayed-alerts.ts";
import { ReplayedAncestors } from "./replayed-ancestors.ts";
import { ReplayedChecks } from "./replayed-checks.ts";

/*
 * The course of one monitor in a replay: its checks, the status and the outages that the recorder decides on, and the notifications that the
 * review sends. The recorder and the review have all rules; only the order of the events is made here. Times are
 * milliseconds since 1970.
 */

/** The settings and the guesses of a replay, and the courses of the monitors that come before. */
export interface ReplayedWorld {
  past: ReplayedPast;
  changes: ReplayChanges;
  guess: Guess;
  /** The window of a monitor at a moment: of the maintenances that were in force, and of the one to try. */
  windowOf(monitor: MonitorPast, at: number): MonitorMaintenance | null;
  /** The window of the maintenance to try. */
  triedWindowOf(monitor: MonitorPast, at: number): MonitorMaintenance | null;
  /** By the ID of the monitor. */
  courses: ReadonlyMap<string, Course>;
  /** The courses without changes; empty for these themselves. */
  present: ReadonlyMap<string, Course>;
  /** When notifications of others requested checks of a monitor as it was. */
  askedBefore: ReadonlyMap<string, readonly number[]>;
}

/** @property messages about it, in their order */
export interface CourseOutage {
  startedAt: number;
  endedAt: number | null;
  status: Status;
  messages: ReplayedMessage[];
}

/** @property guessed the guesses that it depends on */
export interface Course {
  outages: CourseOutage[];
  isExact: boolean;
  guessed: ReadonlySet<keyof Guess>;
  /** Messages about none of the outages: recoveries after a pause. */
  loose: readonly ReplayedMessage[];
  /** When its notifications requested checks of itself, and of monitors that it depends on. */
  requests: readonly number[];
  asked: readonly { id: string; at: number }[];
  /** The states of the monitor over time, for the monitors that depend on it. */
  states: CourseState[];
}

/** @property isFollowedByUsual whether usual checks follow that are left out */
export interface CourseState {
  at: number;
  stored: StoredMonitor;
  isFollowedByUsual: boolean;
}

/** How many events are one step. */
const STEP = 500;

/** @param isWatched whether another monitor depends on it */
export function replayCourse(
  monitor: MonitorPast,
  world: ReplayedWorld,
  isWatched: boolean,
): Generator<void, Course> {
  return new Replay(monitor, world, isWatched).run();
}

class Replay {
  readonly #monitor: MonitorPast;
  readonly #world: ReplayedWorld;
  readonly #checks: ReplayedChecks | PlacedChecks;
  readonly #alerts: ReplayedAlerts;
  readonly #events: PastEvent[];
  readonly #outages: CourseOutage[] = [];
  readonly #isWatched: boolean;
  readonly #states: CourseState[] = [];
  readonly #ancestors: ReplayedAncestors;
  #settings: MonitorSettings;
  #subject: RecordingSubject;
  #state: MonitorState;
  #lastAt: number | null = null;
  #requestedAt: number | null = null;
  #isExact: boolean;
  readonly #guessed = new Set<keyof Guess>();
  readonly #requests: number[] = [];
  readonly #asked: { id: string; at: number }[] = [];

  constructor(monitor: MonitorPast, world: ReplayedWorld, isWatched: boolean) {
    this.#monitor = monitor;
    this.#world = world;
    this.#isWatched = isWatched;
    const { changes, guess, past } = world;
    const triedWindow = (at: number) => world.triedWindowOf(monitor, at);
    const { checks, isExact } = alteredChecks(monitor, { changes, to: past.range.to, triedWindow });
    const source = { checks, changes, guess };
    this.#checks = monitor.settings.some(({ places }) => places !== null)
      ? new PlacedChecks(monitor, source, altersStatuses(changes))
      : new ReplayedChecks(monitor, source, {
          own: world.present.get(monitor.id)?.requests ?? [],
          others: world.askedBefore.get(monitor.id) ?? [],
        });
    this.#isExact = isExact;
    this.#alerts = new ReplayedAlerts(past, changes);
    this.#ancestors = new ReplayedAncestors(past, world.courses);
    this.#events = eventsOf(monitor);
    this.#settings = this.#changed(settingsAt(monitor, monitor.checks.times[0] ?? world.past.range.from));
    this.#state = startOf(monitor);
    this.#subject = this.#subjectOf();
    this.#begin();
    this.#note();
  }

  *run(): Generator<void, Course> {
    const { to } = this.#world.past.range;
    let event = 0;
    for (let count = 1; ; count++) {
      if (count % STEP === 0) yield;
      const reviewAt = this.#alerts.nextAt;
      const eventAt = this.#events[event]?.at ?? Number.POSITIVE_INFINITY;
      this.#skip(Math.min(reviewAt, eventAt, to));
      const found = this.#isReported ? this.#nextCheck() : null;
      const checkAt = found ? found.check.seen.createdAt : Number.POSITIVE_INFINITY;
      const now = Math.min(checkAt, reviewAt, eventAt);
      if (now === Number.POSITIVE_INFINITY || now >= to) break;
      if (eventAt === now) this.#happen(this.#events[event++] as PastEvent);
      else if (checkAt === now && found) this.#check(found.check, found.use);
      else this.#review(now);
    }
    const loose: ReplayedMessage[] = [];
    for (const message of this.#alerts.messages)
      (message.outage === null ? loose : this.#outages[message.outage]?.messages)?.push(message);
    return {
      outages: this.#outages,
      isExact: this.#isExact,
      guessed: this.#guessed,
      requests: this.#requests,
      asked: this.#asked,
      loose,
      states: this.#states,
    };
  }

  /** A job reports also while it is paused. */
  get #isReported(): boolean {
    return this.#settings.enabled || this.#monitor.type === "SCHEDULED";
  }

  /** Most checks see again what the one before saw, and nothing waits for them. */
  #skip(until: number): void {
    const { status, suspicion, outage } = this.#state;
    if (this.#checks instanceof PlacedChecks || suspicion || this.#requestedAt !== null) return;
    if (!this.#isReported || this.#alerts.isAwaited) return;
    if (groupOf[status] !== "healthy" && outage === null) return;
    this.#lastAt = this.#checks.skip(status, until, this.#rhythm) ?? this.#lastAt;
  }

  get #rhythm(): CheckRhythm {
    const { interval, timeout } = this.#settings.config as { interval: number; timeout?: number };
    return { interval, ...(timeout !== undefined && { timeout }) };
  }

  #nextCheck(): NextCheck | null {
    const rhythm = this.#rhythm;
    if (this.#checks instanceof PlacedChecks) return this.#checks.next(rhythm);
    const delay = recheckDelay(rhythm.interval);
    const due = this.#state.suspicion && this.#lastAt !== null ? this.#lastAt + delay : null;
    return this.#checks.next(rhythm, { last: this.#lastAt, due, requestedAt: this.#requestedAt });
  }

  #check(check: ReplayedCheck, use: () => void): void {
    use();
    const isAgain = this.#state.suspicion !== null;
    // A check that a notification awaited only repeats what the checks around it saw.
    if (!check.isKnown && (isAgain || check.guessed || altersStatuses(this.#world.changes)))
      this.#isExact = false;
    if (check.guessed) this.#guessed.add(check.guessed);
    this.#lastAt = check.seen.createdAt;
    if (this.#requestedAt !== null && check.startAt >= this.#requestedAt - SECOND) this.#requestedAt = null;
    const isAwaited = this.#alerts.isAwaited;
    if (this.#changesNothing(check)) {
      if (isAwaited) this.#alerts.reviewHeld(this.#lastAt);
      return;
    }
    const plan = emptyPlan();
    const before = this.#state;
    if (this.#subject.places) this.#checkFrom(plan, check);
    else this.#state = planSeen(plan, this.#subject, before, check.seen);
    this.#apply(plan, before);
    if (isAwaited) this.#alerts.reviewHeld(this.#lastAt);
    this.#note();
  }

  /** Most checks see again what the one before saw. */
  #changesNothing({ seen: { status } }: ReplayedCheck): boolean {
    if (this.#subject.places || this.#state.suspicion || status !== this.#state.status) return false;
    return groupOf[status] === "healthy" || this.#state.outage !== null;
  }

  /** A check of a location: the locations decide (behavior 13.5 to 13.17). */
  #checkFrom(plan: RecordingPlan, { seen, place: name }: ReplayedCheck): void {
    const places = this.#subject.places as Places;
    const place = places.list.find((one) => one.name === name);
    if (!place) return;
    const { config } = this.#settings;
    const known = this.#state.places ?? new Map<number, PlaceState>();
    const own = known.get(place.location) ?? newPlace();
    const previous = currentLatest(own, places);
    const event = { at: seen.createdAt, location: place.location };
    if (isLate(event, previous, config.interval)) return;
    const latest = latestAfter(previous, seen, { since: places.since, longest: freshFor(config) });
    const states = new Map(known).set(place.location, { ...own, latest });
    const subject = { ...this.#subject, places };
    const decided = planDecision(plan, { subject, event, place, before: this.#state, seen }, states);
    this.#requestOthers(decided, { latest, name: place.name, at: seen.createdAt });
    this.#state = { ...decided.after, places: states };
  }

  /** The checks outside of the slots that follow from a check of a location (behavior 13.12, 13.13). */
  #requestOthers(
    { status, wanted }: { status: Status; wanted: number | null },
    { latest, name, at }: { latest: LatestObservation; name: string; at: number },
  ): void {
    if (!(this.#checks instanceof PlacedChecks)) return;
    const { places, config } = this.#settings;
    if (isOnTheWay(latest.status, { status, wanted }))
      this.#checks.request([name], at + recheckDelay(config.interval));
    if (isNewTrouble(latest, status))
      this.#checks.request(places?.names.filter((other) => other !== name) ?? [], at);
  }

  #apply(plan: RecordingPlan, before: MonitorState): void {
    for (const step of plan.outages) {
      const open = this.#outages.at(-1);
      if (step.kind === "opened")
        this.#outages.push({ startedAt: step.startedAt, endedAt: null, status: step.status, messages: [] });
      else if (open && step.kind === "worsened") open.status = step.status;
      else if (open && step.kind === "closed") open.endedAt = step.endedAt;
    }
    for (const { resultAt, ...transition } of plan.transitions) {
      const result = plan.results[resultAt];
      if (!result) continue;
      const { latencyMs, detail, createdAt } = result;
      const outage = this.#reviewedOutage(before.outage !== null || this.#state.outage !== null);
      const event: Transition = {
        ...transition,
        result: { id: `${createdAt}`, latencyMs, detail, createdAt },
        ...(outage && { outage: { id: outage.id, startedAt: outage.startedAt } }),
      };
      this.#alerts.change(event, { settings: this.#settings, result, outage });
    }
  }

  #review(now: number): void {
    const ids = this.#ancestors.idsAt(this.#settings, now);
    const world = {
      monitorAt: (at: number) => this.#reviewed(ids, at),
      windowEndsAfter: (at: number) => this.#windowEndsAfter(at),
      ancestorsChangeAfter: (at: number) => this.#ancestors.changeAfter(ids, at),
    };
    const { asksItself, asks } = this.#alerts.review(now, { settings: this.#settings, world });
    if (asksItself && this.#checks instanceof PlacedChecks)
      this.#checks.request(this.#settings.places?.names ?? [], now);
    else if (asksItself && this.#monitor.type !== "SCHEDULED") this.#requestedAt ??= now;
    if (asksItself) this.#requests.push(now);
    for (const pk of asks) {
      const id = ids[pk - 1] ?? "";
      this.#ancestors.ask(id, now);
      this.#asked.push({ id, at: now });
    }
  }

  #happen(event: PastEvent): void {
    const { at } = event;
    switch (event.kind) {
      case "settings": {
        const [was, is] = [event.before.enabled, event.settings.enabled];
        this.#settings = this.#changed(event.settings);
        this.#subject = this.#subjectOf();
        if (was && !is) this.#pause(at);
        if (!was && is) this.#alerts.revive(at, "resumed", ["paused", "acknowledged", "hours"]);
        // An edit may end what a notification waits for, such as a dependency.
        this.#alerts.reviewHeld(at);
        break;
      }
      case "acknowledged":
        if (!this.#state.outage) return;
        this.#state = {
          ...this.#state,
          outage: { ...this.#state.outage, acknowledged: { at, by: "", note: null } },
        };
        this.#alerts.reviewHeld(at);
        break;
      case "taken back": {
        if (!this.#state.outage) return;
        const { acknowledged: _, ...outage } = this.#state.outage;
        this.#state = { ...this.#state, outage };
        this.#alerts.revive(at, "delay", ["acknowledged"]);
        break;
      }
      case "cut":
        if (!this.#state.outage) return;
        this.#close(at);
        if (this.#settings.places)
          this.#state = { ...this.#state, status: "unknown", statusBefore: this.#state.status };
        break;
    }
    this.#note();
  }

  #pause(at: number): void {
    this.#alerts.pause();
    this.#requestedAt = null;
    this.#close(at);
  }

  #close(at: number): void {
    const open = this.#outages.at(-1);
    if (open && this.#state.outage) open.endedAt = at;
    this.#state = { ...this.#state, outage: null, suspicion: null };
  }

  #begin(): void {
    const { outage, status } = this.#state;
    if (!outage) return;
    this.#outages.push({ startedAt: outage.startedAt, endedAt: null, status: outage.status, messages: [] });
    const { id, name, type } = this.#monitor;
    const event: Transition = {
      organization: ORGANIZATION,
      monitor: { id, name, type, config: this.#settings.config },
      ...{ previousStatus: "up", status, troubleSince: outage.startedAt },
      result: { id: `${outage.startedAt}`, latencyMs: null, detail: null, createdAt: outage.startedAt },
    };
    this.#alerts.begin(this.#settings, event);
  }

  #changed(settings: MonitorSettings): MonitorSettings {
    const { confirmations, recoveries, downWhen } = this.#world.changes;
    const { places } = settings;
    return {
      ...settings,
      ...(confirmations !== undefined && { confirmations }),
      ...(recoveries !== undefined && { recoveries }),
      ...(downWhen !== undefined && places && { places: { ...places, downWhen } }),
    };
  }

  #subjectOf(): RecordingSubject {
    const { id, name, type } = this.#monitor;
    const { enabled, config, confirmations, recoveries, places, since } = this.#settings;
    const list = places?.names.map((one, location) => ({
      location,
      name: one,
      isLive: true,
      isAtFault: false,
    }));
    return {
      ...{ id, organization: ORGANIZATION, name, type, config, enabled, confirmations, recoveries },
      ...{ revision: 0, isAwaited: false, state: this.#state },
      places: list && places ? { downWhen: places.downWhen, since: Math.max(0, since), list } : null,
      windowAt: (at) => this.#world.windowOf(this.#monitor, at),
    };
  }

  #reviewedOutage(isAny: boolean): ReviewedOutage | null {
    const open = this.#outages.at(-1);
    if (!isAny || !open) return null;
    const pk = this.#outages.length - 1;
    const acknowledged = this.#state.outage?.acknowledged ?? null;
    return { pk, id: `${pk}`, startedAt: open.startedAt, endedAt: open.endedAt, acknowledged };
  }

  #reviewed(ancestorIds: readonly string[], now: number): ReviewedMonitor {
    const windowEndsAt = this.#world.windowOf(this.#monitor, now)?.endsAt ?? null;
    const outage = this.#reviewedOutage(this.#state.outage !== null);
    return reviewedMonitor(this.#stored(), this.#ancestors.at(ancestorIds, now), { outage, windowEndsAt });
  }

  /** A window that was ended early, or whose maintenance was deleted, is open until then only. */
  #windowEndsAfter(now: number): number {
    const endAt = (at: number) => this.#world.windowOf(this.#monitor, at)?.endsAt ?? 0;
    let [open, closed] = [now, endAt(now)];
    if (closed <= now) return now;
    if (endAt(closed - 1) === closed) return closed;
    while (closed - open > 1) {
      const middle = Math.floor((open + closed) / 2);
      if (endAt(middle) > middle) open = middle;
      else closed = middle;
    }
    return closed;
  }

  #stored(): StoredMonitor {
    const { enabled, config, confirmations, recoveries, places } = this.#settings;
    const { status, troubleSince, suspicion, outage } = this.#state;
    const latest = [...(this.#state.places?.values() ?? [])].map((place) => place.latest);
    return {
      ...{
        pk: 0,
        id: this.#monitor.id,
        type: this.#monitor.type,
        config,
        enabled,
        confirmations,
        recoveries,
      },
      ...{ status, troubleSince, suspicion, blindSince: null, latestAt: this.#lastAt },
      outageId: outage ? `${this.#outages.length - 1}` : null,
      downWhen: places?.downWhen ?? null,
      places:
        places && latest.map((one) => ({ latestAt: one?.at ?? null, latestStatus: one?.status ?? null })),
    };
  }

  /** For the monitors that depend on this one. */
  #note(): void {
    if (!this.#isWatched) return;
    const at = Math.max(this.#lastAt ?? 0, this.#states.at(-1)?.at ?? 0);
    this.#states.push({
      at,
      stored: this.#stored(),
      isFollowedByUsual: groupOf[this.#state.status] === "healthy",
    });
  }
}

const ORGANIZATION = { id: "", name: "" };

/** Whether changes concern statuses, and not only notifications. */
export function altersStatuses(changes: ReplayChanges): boolean {
  const { confirmations, recoveries, downWhen, warnDays, "expect.within": within } = changes;
  return [confirmations, recoveries, downWhen, warnDays, within].some((value) => value !== undefined);
}

function newPlace(): PlaceState {
  return { memory: null, baseline: noLatency, baselineStart: 0, latest: null, recheckAt: null };
}
