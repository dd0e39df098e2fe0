import type { Cancel, Clock } from "../../clock.ts";
import { GATHER_FOR } from "../../domain/alerts/notify.ts";
import { type Fact, FEWEST_SUSPECTED, WITHIN } from "../../domain/causes/causes.ts";
import { type CausePlan, planCauses } from "../../domain/causes/plan-causes.ts";
import { MINUTE, SECOND } from "../../domain/duration.ts";
import type { Logger } from "../../log.ts";
import type { Store, StoredSituation, WatchedOrganization } from "../../store/store.ts";
import { inTurns } from "../../store/turns.ts";
import { createFaultLog, createLoop } from "../loop.ts";
import { type MonitorWithFacts, type OrganizationFacts, readFacts } from "./monitor-facts.ts";

/** Delay that batches commits into one look, in milliseconds and in multiples of the duration of the last look. */
const PAUSE = 100;
const PAUSE_PER_LOOK = 4;

/** When it looks again while monitors are checked whose results decide, and while a cause is open; milliseconds. */
const LOOK_AGAIN = { pending: 500, open: 5 * SECOND };

/**
 * While nothing else changes, how often an open cause is compared with all monitors, in milliseconds and in multiples of the
 * duration of the last look.
 */
const COMPARE_EVERY = 10 * SECOND;
const COMPARE_PER_LOOK = 100;

/** Older failures get no cause any more; milliseconds. */
const RECENT = 10 * MINUTE;

/** The checks of pending monitors begin within this time, and are asked for again after the other; milliseconds. */
const ASK_WITHIN = 4 * SECOND;
const ASK_AGAIN = 15 * SECOND;

/** How many monitors of an organization are asked at a time: one that is healthy may decide about many. */
const MAX_ASKED = 200;

/** For how long the evidence of a new cause may show paths that were not known before; milliseconds. */
const PATHS_WITHIN = 2 * MINUTE;

/** Finds what failures have in common (behavior 22.21 to 22.23). Without failures, it does nothing. */
export interface CauseWatch {
  start(): void;
  /** Looks soon, for example after a commit by which a monitor got worse or better. */
  wake(): void;
  /** Whether an outage may get a cause, as of the last look; undefined if that has not seen it. @param pk of the outage */
  isUndecided(pk: number): boolean | undefined;
  /** Waits for the look under way. */
  stop(): Promise<void>;
}

export function createCauseWatch({
  store,
  clock,
  log,
  wakeScheduler,
  wakeDispatcher,
}: {
  store: Pick<Store, "causes">;
  clock: Clock;
  log: Logger;
  wakeScheduler: () => void;
  /** Called after each comparison of failures: notifications may wait for it. */
  wakeDispatcher: () => void;
}): CauseWatch {
  /** The duration of the last look that compared anything. */
  let took = 0;
  let cancelAgain: Cancel | undefined;
  /** The organizations of the last look, by their number. */
  const known = new Map<number, Looked>();
  const loop = createLoop({
    clock,
    task: look,
    pause: () => Math.max(PAUSE, PAUSE_PER_LOOK * took),
    faults: createFaultLog(log, "common causes of failures could not be looked for"),
  });

  async function look(): Promise<void> {
    const startedAt = clock.monotonic();
    cancelAgain?.();
    let again = Number.POSITIVE_INFINITY;
    try {
      const watched = await store.causes.listWatched(clock.now() - RECENT);
      const pks = new Set(watched.map(({ pk }) => pk));
      for (const pk of known.keys()) if (!pks.has(pk)) known.delete(pk);
      for (const organization of watched) {
        if (loop.isStopped()) return;
        again = Math.min(again, await lookAt(organization));
      }
    } catch (error) {
      again = LOOK_AGAIN.open;
      throw error;
    } finally {
      took = clock.monotonic() - startedAt;
      if (Number.isFinite(again) && !loop.isStopped()) cancelAgain = clock.after(again, loop.wake);
    }
  }

  /** @returns after which time to look again, in milliseconds; infinite if only a commit can change anything */
  async function lookAt(organization: WatchedOrganization): Promise<number> {
    const now = clock.now();
    const situation = await store.causes.findSituation(organization.pk);
    const looked = known.get(organization.pk) ?? newlyLooked();
    known.set(organization.pk, looked);
    const mark = markOf(situation);
    const pause = Math.max(COMPARE_EVERY, COMPARE_PER_LOOK * took);
    const isDue = looked.mark !== mark || looked.isPending || clock.monotonic() - looked.comparedAt >= pause;
    const outages = new Set(situation.troubles.map(({ outagePk }) => outagePk));
    const isWorth = mayChange(situation, now);
    if (!isWorth) note(looked, { mark, isPending: false, outages, undecided: new Set() });
    if (isDue && isWorth) {
      const facts = await readFacts(store, organization.id);
      const plan = await inTurns(planCauses(situationOf(situation, facts, now)));
      await save(organization, plan, { facts, situation, now });
      await ask(organization, plan, { looked, now });
      const undecided = new Set(plan.undecided);
      const isWaitedFor = situation.troubles.some(
        ({ outagePk, at }) => undecided.has(outagePk) && at >= now - GATHER_FOR,
      );
      const isPending = plan.pending.length > 0 || isWaitedFor;
      looked.comparedAt = clock.monotonic();
      note(looked, { mark, isPending, outages, undecided });
    } else if (situation.open.some(({ isOver }) => isOver)) {
      await store.causes.save(organization.pk, NOTHING, now);
    }
    await noteEnds(organization, situation, now);
    if (looked.isPending) return LOOK_AGAIN.pending;
    return situation.open.length > 0 ? LOOK_AGAIN.open : Number.POSITIVE_INFINITY;
  }

  /** Notes what is known of an organization now, on which notifications may wait. */
  function note(looked: Looked, now: Pick<Looked, "mark" | "isPending" | "outages" | "undecided">): void {
    const isNew = looked.mark !== now.mark || looked.undecided.size !== now.undecided.size;
    Object.assign(looked, now);
    if (isNew) wakeDispatcher();
  }

  /** The paths are known some seconds after the failures. */
  async function noteEnds(
    { pk }: WatchedOrganization,
    { open }: StoredSituation,
    now: number,
  ): Promise<void> {
    const since = now - PATHS_WITHIN;
    if (open.every(({ startedAt }) => startedAt < since)) return;
    const ends = await store.causes.listEnds(pk, since);
    if (ends.length > 0) await store.causes.saveEnds(ends);
  }

  async function save(
    { pk }: WatchedOrganization,
    { refuted, joined, opened }: CausePlan,
    { facts, situation, now }: { facts: OrganizationFacts; situation: StoredSituation; now: number },
  ): Promise<void> {
    const isOver = situation.open.some((one) => one.isOver);
    if (!isOver && refuted.length + joined.length + opened.length === 0) return;
    const worded = opened.map((cause) => ({ ...cause, ...wordsOf(cause, facts) }));
    await store.causes.save(pk, { refuted, joined, opened: worded }, now);
  }

  /** A monitor that is still unchecked is asked again, because its check may have been prevented. */
  async function ask(
    { pk }: WatchedOrganization,
    { pending }: Pick<CausePlan, "pending">,
    { looked: { askedAt }, now }: { looked: Looked; now: number },
  ): Promise<void> {
    const at = clock.monotonic();
    for (const [id, last] of askedAt) if (at - last >= ASK_AGAIN) askedAt.delete(id);
    const unasked = pending.filter((id) => !askedAt.has(id));
    const ids = unasked.slice(0, Math.max(0, MAX_ASKED - (pending.length - unasked.length)));
    if (ids.length === 0) return;
    for (const id of ids) askedAt.set(id, at);
    await store.causes.ask(pk, { ids, within: ASK_WITHIN }, now);
    wakeScheduler();
  }

  return {
    start() {
      loop.start();
      // For causes that a previous process left open.
      loop.wake();
    },
    wake: loop.wake,
    isUndecided(pk) {
      const looked = known.values().find(({ outages }) => outages.has(pk));
      return looked?.undecided.has(pk);
    },
    async stop() {
      cancelAgain?.();
      await loop.stop();
      cancelAgain?.();
    },
  };
}

const NOTHING = { refuted: [], joined: [], opened: [] };

/**
 * The memory of an organization between two looks.
 *
 * @property mark of the situation that was compared with the facts @property askedAt by the ID of the monitor
 * @property outages the numbers of the open ones @property undecided of those that may get a cause
 */
interface Looked {
  mark: string;
  isPending: boolean;
  comparedAt: number;
  askedAt: Map<string, number>;
  outages: ReadonlySet<number>;
  undecided: ReadonlySet<number>;
}

function newlyLooked(): Looked {
  const nothing = { mark: "", isPending: false, comparedAt: Number.NEGATIVE_INFINITY };
  return { ...nothing, askedAt: new Map(), outages: new Set(), undecided: new Set() };
}

/** A text that differs after a change of the open outages and causes. */
function markOf({ troubles, open }: StoredSituation): string {
  const outages = troubles.map(({ outagePk, at, causePk }) => `${outagePk} ${at} ${causePk}`);
  return [...outages, ...open.map(({ pk }) => pk)].join();
}

/** Whether it is worth to read the facts: a cause is open, or some failures are close enough to each other. */
function mayChange({ troubles, open }: StoredSituation, now: number): boolean {
  if (open.length > 0) return true;
  const times = troubles.map(({ at }) => at).filter((at) => at >= now - RECENT);
  return isAnyClose(times.sort((one, other) => one - other));
}

/** @param times in their order */
function isAnyClose(times: readonly number[]): boolean {
  return times.some((at, place) => Number(times[place + FEWEST_SUSPECTED - 1] ?? Infinity) - at <= WITHIN);
}

function situationOf({ troubles, open }: StoredSituation, facts: OrganizationFacts, now: number) {
  return {
    ...{ troubles, open },
    since: now - RECENT,
    factsOf: (monitorId: string) => facts.monitors.get(monitorId)?.facts ?? [],
    sharersOf: facts.sharersOf,
  };
}

/** The words of the title of a new cause, beside its fact (behavior 22.24). */
function wordsOf(fact: Fact, { monitors, sharersOf }: OrganizationFacts) {
  const isLocation = fact.kind === "location";
  const isOnlyLocation =
    isLocation &&
    [...monitors.values()].every(({ facts }) =>
      facts.every(({ kind, value }) => kind !== "location" || value === fact.value),
    );
  return { isOnlyLocation, label: fact.kind === "certificate" ? certificateName(sharersOf(fact)) : null };
}

/** The name in the certificate if a TLS monitor saw it, else the shortest host that presents it. */
function certificateName(sharers: readonly MonitorWithFacts[]): string | null {
  const name = sharers.find(({ certificateName: known }) => known)?.certificateName;
  if (name) return name;
  const hosts = sharers.flatMap(({ facts }) => facts.filter(({ kind }) => kind === "host"));
  const [shortest] = hosts.map(({ value }) => value).sort((one, other) => one.length - other.length);
  return shortest ?? null;
}
