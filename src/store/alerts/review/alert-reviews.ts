import { and, eq, gt, inArray, isNull, or } from "drizzle-orm";
import { endsIncident } from "../../../domain/alerts/alert-event.ts";
import { timingDuring } from "../../../domain/alerts/delivery.ts";
import type { Decision, ReviewedMonitor } from "../../../domain/alerts/review/pair.ts";
import {
  planPair,
  planReminder,
  planUnheardRecovery,
  reminderOf,
} from "../../../domain/alerts/review/plan-pair.ts";
import { reviewedMonitor } from "../../../domain/alerts/review/reviewed-monitor.ts";
import { HERE } from "../../../domain/locations/location.ts";
import { soonest } from "../../../domain/locations/silence.ts";
import { StorageFault } from "../../../errors.ts";
import type { AlertReviewQueries, Reviewed } from "../../engine-queries.ts";
import { findOpenWindows } from "../../maintenance/calendars.ts";
import type { Sql, TimedTx, Tx } from "../../tx.ts";
import { findAncestors, type LoadedMonitor, loadMonitors } from "./load-monitors.ts";
import {
  isPast,
  keyOf,
  type LoadedPair,
  listReminded,
  loadOutages,
  loadPairs,
  loadUndecided,
  toldOf,
  type UndecidedRow,
} from "./load-pairs.ts";
import { loadRosters, type Route, sendRoutes } from "./routes.ts";
import { createReminder, type DecidedDelivery, failWithoutChannel, saveDecisions } from "./save-decisions.ts";
import { recallReviews } from "./schedule-reviews.ts";

/** The parts of a review that differ between the engines. */
export interface ReviewLocks {
  /**
   * Locks the states of monitors as recordings do, in the order of their numbers. It also keeps their deliveries, outages and
   * suspicions from being changed.
   */
  lockStates(monitorPks: readonly number[]): Promise<void>;
}

/** The part of a storage engine that the review of alerts needs. */
export interface ReviewEngine {
  poll: Sql["query"];
  /** Runs work in one transaction. */
  transact<Result>(work: (tx: Tx, locks: ReviewLocks) => Promise<Result>): Promise<Result>;
}

/** The monitors with a delivery or a reminder that is due for a decision, the longest due first. Deleted ones have no state. */
const LIST_DUE = `SELECT pk FROM (
    SELECT monitor_pk AS pk, min(review_at) AS at FROM deliveries
    WHERE review_at <= $1 AND EXISTS (SELECT 1 FROM monitor_states WHERE monitor_states.monitor_pk = deliveries.monitor_pk)
    GROUP BY monitor_pk
    UNION ALL
    SELECT monitor_pk, min(remind_at) FROM alert_bindings WHERE remind_at <= $1 GROUP BY monitor_pk
  ) AS due
  GROUP BY pk ORDER BY min(at), pk LIMIT $2`;

export function alertReviews({ poll, transact }: ReviewEngine): AlertReviewQueries {
  return {
    async review(now, limit) {
      const due = (await poll<{ pk: number }>(LIST_DUE, [now, limit])).map(({ pk }) => pk);
      if (due.length === 0) return { releases: false, asksHere: false, isMore: false };
      const reviewed = await reviewAll(due, now);
      return { ...reviewed, isMore: due.length === limit };
    },
    recall: (now) => transact((tx) => recallReviews(tx, now)),
  };

  function reviewTogether(monitorPks: readonly number[], now: number) {
    return transact((tx, locks) => reviewMonitors(tx, locks, { monitorPks, now }));
  }

  /** A monitor about which nothing can be decided must not keep the others waiting. */
  async function reviewAll(monitorPks: readonly number[], now: number) {
    try {
      return await reviewTogether(monitorPks, now);
    } catch (error) {
      if (error instanceof StorageFault || monitorPks.length === 1) throw error;
      const faults: unknown[] = [];
      for (const pk of monitorPks) await reviewTogether([pk], now).catch((fault) => faults.push(fault));
      throw faults[0] ?? error;
    }
  }
}

/** The changes of a review. */
interface Changes {
  decided: DecidedDelivery[];
  /** When reminders are due next. */
  remindAt: { pair: LoadedPair; at: number | null; waitsUntil: number | null }[];
  reminders: { pair: LoadedPair; outagePk: number | null }[];
  /** The numbers of the monitors to check now; of those to recheck, a check that runs already began too early. */
  asked: Set<number>;
  rechecked: Set<number>;
}

/**
 * Decides about the notifications of some monitors that are due for a decision: locks, loads, plans and saves. What another
 * node decided meanwhile is not due any more.
 *
 * @property now milliseconds since 1970
 */
async function reviewMonitors(
  tx: Tx,
  locks: ReviewLocks,
  { monitorPks, now }: { monitorPks: readonly number[]; now: number },
): Promise<Omit<Reviewed, "isMore">> {
  const ancestors = await findAncestors(tx, monitorPks);
  const pks = [...new Set([...monitorPks, ...[...ancestors.values()].flat()])];
  await locks.lockStates(pks);
  const monitors = await loadMonitors(tx, pks);
  const undecided = await loadUndecided(tx, monitorPks);
  const reminded = await listReminded({ ...tx, now }, monitorPks);
  const concerned = [...undecided, ...reminded];
  const rosters = await loadRosters({ ...tx, now }, { monitorPks, concerned });
  await tx.lockChannels([
    ...new Set([...concerned.map(({ channelPk }) => channelPk), ...rosters.channelPks]),
  ]);
  const pairs = await loadPairs(tx, { monitorPks, undecided, now });
  const reviewed = await reviewedMonitors(tx, { monitorPks, monitors, ancestors, now });
  const due = new Set(undecided.filter(({ reviewAt }) => reviewAt <= now).map(keyOf));
  const changes = planAll(pairs, { monitors: reviewed, due, now });
  const asksHere = await ask(tx, { changes, monitors, now });
  await save({ ...tx, now }, changes);
  await sendRoutes({ ...tx, now }, rosters, routesOf(changes, undecided));
  await failWithoutChannel(tx, withoutChannel(undecided, pairs));
  const releases = changes.reminders.length > 0 || changes.decided.some(isSent);
  return { releases, asksHere };
}

async function reviewedMonitors(
  tx: Tx,
  {
    monitorPks,
    monitors,
    ancestors,
    now,
  }: {
    monitorPks: readonly number[];
    monitors: ReadonlyMap<number, LoadedMonitor>;
    ancestors: ReadonlyMap<number, readonly number[]>;
    now: number;
  },
): Promise<Map<number, ReviewedMonitor>> {
  const own = monitorPks.flatMap((pk) => monitors.get(pk) ?? []);
  const outages = await loadOutages(
    tx,
    own.flatMap(({ outagePk }) => outagePk ?? []),
  );
  const reviewed = new Map<number, ReviewedMonitor>();
  for (const [organizationPk, some] of Map.groupBy(own, (monitor) => monitor.organizationPk)) {
    const calendar = await findOpenWindows(tx, organizationPk);
    for (const monitor of some) {
      const outage = monitor.outagePk === null ? null : (outages.get(monitor.outagePk) ?? null);
      const windowEndsAt = calendar.windowOf(monitor, now)?.endsAt ?? null;
      const nearest = (ancestors.get(monitor.pk) ?? []).flatMap((pk) => monitors.get(pk) ?? []);
      reviewed.set(monitor.pk, reviewedMonitor(monitor, nearest, { outage, windowEndsAt }));
    }
  }
  return reviewed;
}

/** @property due the pairs of which a delivery is due: then all of them, because a later transition supersedes an earlier one */
function planAll(
  pairs: readonly LoadedPair[],
  {
    monitors,
    due,
    now,
  }: { monitors: ReadonlyMap<number, ReviewedMonitor>; due: ReadonlySet<string>; now: number },
): Changes {
  const changes: Changes = {
    ...{ decided: [], remindAt: [], reminders: [] },
    ...{ asked: new Set(), rechecked: new Set() },
  };
  for (const pair of pairs) {
    const monitor = monitors.get(pair.monitorPk);
    if (!monitor) continue;
    const isDue = due.has(keyOf({ monitorPk: pair.monitorPk, channelPk: pair.channel.pk }));
    if (isDue && pair.isEnabled) planUndecided(changes, { pair, monitor, now });
    else if (isPast(pair.remindAt, now)) remind(changes, { pair, monitor, now });
  }
  return changes;
}

interface Subject {
  pair: LoadedPair;
  monitor: ReviewedMonitor;
  now: number;
}

function planUndecided(changes: Changes, { pair, monitor, now }: Subject): void {
  const { undecided, monitorPk } = pair;
  const outagePk = monitor.outage?.pk ?? undecided.at(-1)?.outage?.pk ?? null;
  const plan = planPair({ ...pair, timing: timingDuring(pair.timing, outagePk) }, monitor, now);
  for (const one of plan.decided) {
    const before = undecided.find(({ pk }) => pk === one.pk);
    if (before) changes.decided.push({ ...one, decision: decisionFor(pair, one.decision), before });
  }
  if (plan.asksItself) changes.rechecked.add(monitorPk);
  for (const pk of plan.asks) changes.asked.add(pk);
  if (plan.remindAt !== undefined) changes.remindAt.push({ pair, at: plan.remindAt, waitsUntil: null });
}

/** A schedule sends to the channels of whoever is on call: see `routes.ts`. */
function decisionFor({ channel }: LoadedPair, decision: Decision): DecidedDelivery["decision"] {
  return channel.type === "SCHEDULE" && decision.kind === "send" ? { kind: "route" } : decision;
}

/** The notifications and reminders of schedules that are sent now. */
function routesOf({ decided, reminders }: Changes, undecided: readonly UndecidedRow[]): Route[] {
  const rows = new Map(undecided.map((one) => [one.row.pk, one]));
  const sent = decided.flatMap(({ pk, event, outagePk, decision }): Route[] => {
    const row = rows.get(pk);
    if (decision.kind !== "route" || !row) return [];
    const { monitorPk, channelPk, resultPk } = row;
    return [{ pk, monitorPk, schedulePk: channelPk, event, outagePk, resultPk, every: 0 }];
  });
  const again = reminders.flatMap(({ pair, outagePk }): Route[] => {
    const { monitorPk, channel, newest, timing } = pair;
    if (channel.type !== "SCHEDULE" || !newest) return [];
    const { every } = timingDuring(timing, outagePk);
    const event = reminderOf(newest.event);
    return [{ pk: null, monitorPk, schedulePk: channel.pk, event, outagePk, resultPk: null, every }];
  });
  return [...sent, ...again];
}

function remind(changes: Changes, { pair, monitor, now }: Subject): void {
  const outagePk = monitor.outage?.pk ?? null;
  const timing = timingDuring(pair.timing, outagePk);
  const isUnready = !pair.isEnabled || pair.undecided.length > 0 || (pair.newest?.isPending ?? false);
  const { notifyOn, newest, remindWaitsUntil } = pair;
  const last = toldOf(newest?.event ?? null, null);
  const newestAt = newest?.createdAt ?? null;
  const due = { timing, notifyOn, last, newestAt, isUnready, waitsUntil: remindWaitsUntil };
  const unheard = newest && endsIncident(newest.event) ? newest.event.result : null;
  const { isDue, remindAt, waitsUntil, asksItself } = unheard
    ? planUnheardRecovery({ told: pair.told, isUnready, recoveredAt: unheard.createdAt }, now)
    : planReminder(due, monitor, now);
  if (isDue) changes.reminders.push({ pair, outagePk });
  if (asksItself) changes.asked.add(pair.monitorPk);
  changes.remindAt.push({ pair, at: remindAt, waitsUntil });
}

/** States before deliveries, because recordings change them in this order. */
async function ask(
  tx: Tx,
  { changes, monitors, now }: { changes: Changes; monitors: ReadonlyMap<number, LoadedMonitor>; now: number },
): Promise<boolean> {
  const loaded = (pks: ReadonlySet<number>) => [...pks].flatMap((pk) => monitors.get(pk) ?? []);
  const asks = await askChecks(tx, loaded(changes.asked), { restart: false, now });
  const rechecks = await askChecks(tx, loaded(changes.rechecked), { restart: true, now });
  return asks || rechecks;
}

async function save(tx: TimedTx, { decided, remindAt, reminders }: Changes): Promise<void> {
  const { alertBindings } = tx.tables;
  await saveDecisions(tx, decided);
  for (const { pair, at, waitsUntil } of remindAt) {
    if (at === pair.remindAt) continue;
    const { monitorPk, channelPk } = alertBindings;
    const binding = and(eq(monitorPk, pair.monitorPk), eq(channelPk, pair.channel.pk));
    await tx.db.update(alertBindings).set({ remindAt: at, remindWaitsUntil: waitsUntil }).where(binding);
  }
  for (const reminder of reminders)
    if (reminder.pair.channel.type !== "SCHEDULE") await createReminder(tx, reminder);
}

function isSent({ decision }: DecidedDelivery): boolean {
  return decision.kind === "send" || decision.kind === "route";
}

function withoutChannel(undecided: readonly UndecidedRow[], pairs: readonly LoadedPair[]) {
  const known = new Set(
    pairs
      .filter(({ isEnabled }) => isEnabled)
      .map(({ monitorPk, channel }) => keyOf({ monitorPk, channelPk: channel.pk })),
  );
  return undecided.filter((row) => !known.has(keyOf(row))).map(({ row }) => row);
}

/**
 * Schedules a check of monitors now, by all locations that can. Their states are locked.
 *
 * @param restart whether to make a running check again, because it began too early
 * @param now milliseconds since 1970
 * @returns whether this server is to check one of them
 */
async function askChecks(
  tx: Tx,
  monitors: readonly LoadedMonitor[],
  { restart, now }: { restart: boolean; now: number },
): Promise<boolean> {
  const { monitorStates } = tx.tables;
  const here = monitors.filter((monitor) => {
    const at = nextCheckHere(monitor);
    return at !== null && (soonest(at, now) === now || (restart && at < now));
  });
  const pks = here.map(({ pk }) => pk);
  if (pks.length > 0)
    await tx.db.update(monitorStates).set({ nextCheckAt: now }).where(inArray(monitorStates.monitorPk, pks));
  for (const monitor of monitors) await askRemote({ ...tx, now }, monitor);
  return pks.length > 0;
}

function nextCheckHere({ nextCheckAt, places }: LoadedMonitor): number | null {
  return !places || places.some(({ location }) => location === HERE) ? nextCheckAt : null;
}

/** A location without a state of the monitor has made no check yet, so its first one is due. */
async function askRemote({ db, tables: { locationStates }, now }: TimedTx, { pk, places }: LoadedMonitor) {
  const remote = (places ?? []).map(({ location }) => location).filter((location) => location !== HERE);
  if (remote.length === 0) return;
  const { monitorPk, location, recheckAt } = locationStates;
  await db
    .update(locationStates)
    .set({ recheckAt: now })
    .where(and(eq(monitorPk, pk), inArray(location, remote), or(isNull(recheckAt), gt(recheckAt, now))));
}
