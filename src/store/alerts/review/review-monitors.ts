import { and, eq } from "drizzle-orm";
import { timingDuring } from "../../../domain/alerts/alert-binding.ts";
import { endsIncident } from "../../../domain/alerts/incident-key.ts";
import type { ReviewedMonitor } from "../../../domain/alerts/review/pair.ts";
import { planPair } from "../../../domain/alerts/review/plan-pair.ts";
import { planReminder, planUnheardRecovery } from "../../../domain/alerts/review/reminder.ts";
import { reviewedMonitor } from "../../../domain/alerts/review/reviewed-monitor.ts";
import type { Reviewed } from "../../engine-queries.ts";
import { findOpenWindows } from "../../maintenance/calendars.ts";
import type { Tx } from "../../tx.ts";
import type { ReviewLocks } from "./alert-reviews.ts";
import { askChecks } from "./ask-checks.ts";
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
import { createReminder, type DecidedDelivery, failWithoutChannel, saveDecisions } from "./save-decisions.ts";

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
export async function reviewMonitors(
  tx: Tx,
  locks: ReviewLocks,
  { monitorPks, now }: { monitorPks: readonly number[]; now: number },
): Promise<Omit<Reviewed, "isMore">> {
  const ancestors = await findAncestors(tx, monitorPks);
  const pks = [...new Set([...monitorPks, ...[...ancestors.values()].flat()])];
  await locks.lockStates(pks);
  const monitors = await loadMonitors(tx, pks);
  const undecided = await loadUndecided(tx, monitorPks);
  const reminded = await listReminded(tx, monitorPks, now);
  await tx.lockChannels([...new Set([...undecided.map(({ channelPk }) => channelPk), ...reminded])]);
  const pairs = await loadPairs(tx, { monitorPks, undecided, now });
  const reviewed = await reviewedMonitors(tx, { monitorPks, monitors, ancestors, now });
  const due = new Set(undecided.filter(({ reviewAt }) => reviewAt <= now).map(keyOf));
  const changes = planAll(pairs, { monitors: reviewed, due, now });
  const asksHere = await ask(tx, { changes, monitors, now });
  await save(tx, changes, now);
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
    if (before) changes.decided.push({ ...one, before });
  }
  if (plan.asksItself) changes.rechecked.add(monitorPk);
  for (const pk of plan.asks) changes.asked.add(pk);
  if (plan.remindAt !== undefined) changes.remindAt.push({ pair, at: plan.remindAt, waitsUntil: null });
}

function remind(changes: Changes, { pair, monitor, now }: Subject): void {
  const outagePk = monitor.outage?.pk ?? null;
  const timing = timingDuring(pair.timing, outagePk);
  const isUnready = !pair.isEnabled || pair.undecided.length > 0 || (pair.newest?.isPending ?? false);
  const { notifyOn, newest, remindWaitsUntil } = pair;
  const last = toldOf(newest?.event ?? null, null);
  const due = { timing, notifyOn, last, isUnready, waitsUntil: remindWaitsUntil };
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

async function save(tx: Tx, { decided, remindAt, reminders }: Changes, now: number): Promise<void> {
  const { alertBindings } = tx.tables;
  await saveDecisions(tx, decided, now);
  for (const { pair, at, waitsUntil } of remindAt) {
    if (at === pair.remindAt) continue;
    const { monitorPk, channelPk } = alertBindings;
    const binding = and(eq(monitorPk, pair.monitorPk), eq(channelPk, pair.channel.pk));
    await tx.db.update(alertBindings).set({ remindAt: at, remindWaitsUntil: waitsUntil }).where(binding);
  }
  for (const reminder of reminders) await createReminder(tx, reminder, now);
}

function isSent({ decision }: DecidedDelivery): boolean {
  return decision.kind === "send";
}

function withoutChannel(undecided: readonly UndecidedRow[], pairs: readonly LoadedPair[]) {
  const known = new Set(
    pairs
      .filter(({ isEnabled }) => isEnabled)
      .map(({ monitorPk, channel }) => keyOf({ monitorPk, channelPk: channel.pk })),
  );
  return undecided.filter((row) => !known.has(keyOf(row))).map(({ row }) => row);
}
