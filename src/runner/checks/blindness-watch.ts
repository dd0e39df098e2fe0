import type { Clock } from "../../clock.ts";
import { blindnessOf, hasResumed, SHORTEST_BLINDNESS } from "../../domain/checks/blindness.ts";
import { HERE } from "../../domain/locations/location.ts";
import type { Logger } from "../../log.ts";
import type { Claimant, Store, StoredProbedMonitor } from "../../store/store.ts";
import { createFaultLog, createLoop, createWorkClaim, type Loop } from "../loop.ts";

/** Milliseconds between two rounds. */
const WATCH_EVERY = 2000;

/** After a longer time between two rounds, this process or its database was stopped; milliseconds. */
const MAX_GAP = 10_000;

/** How soon monitors are judged again that are late but not blind, such as those in a maintenance; milliseconds. */
const JUDGE_AGAIN = 5000;

/** Monitors that are read at once. */
const SLICE = 2000;

/** Finds the monitors that are blind, and those that no longer are (behavior 1.58 to 1.60). */
export interface BlindnessWatch extends Pick<Loop, "start" | "stop"> {
  /** How many monitors are blind, of how many that are probed, as of the last round. */
  counts(): { blind: number; probed: number };
}

export function createBlindnessWatch({
  store,
  clock,
  claimant,
  log,
  wakeDispatcher,
}: {
  store: Pick<Store, "blindness" | "locations" | "claims">;
  clock: Clock;
  claimant: () => Claimant;
  log: Logger;
  wakeDispatcher: () => void;
}): BlindnessWatch {
  const claim = createWorkClaim("blindness", { store, clock, claimant });
  let counts = { blind: 0, probed: 0 };
  let watchedAt = clock.now();
  /** Since when this process watches without a gap. */
  let since = watchedAt;
  /** No monitor turns blind before. */
  let judgeAt = 0;
  /** Since when each location is connected. */
  let liveSince: ReadonlyMap<number, number> = new Map();

  async function watch(): Promise<void> {
    const now = clock.now();
    if (now < watchedAt || now - watchedAt > MAX_GAP) restart(now);
    await lookAtLocations(now);
    if (await claim.take()) await storeChanges(now);
    counts = await store.blindness.count();
    watchedAt = now;
  }

  function restart(now: number): void {
    since = now;
    judgeAt = 0;
    liveSince = new Map();
  }

  async function lookAtLocations(now: number): Promise<void> {
    const locations = await store.locations.listWatched();
    const live = locations.filter(({ silentAt, lastSeenAt }) => silentAt === null && lastSeenAt !== null);
    liveSince = new Map([[HERE, since], ...live.map(({ pk }) => [pk, liveSince.get(pk) ?? now] as const)]);
  }

  async function storeChanges(now: number): Promise<void> {
    const organizations = await store.blindness.listOrganizations();
    const resumed = organizations.length > 0 ? await listResumed(now) : [];
    const { turned, next } = now >= judgeAt ? await listTurned(now) : { turned: [], next: judgeAt };
    const byOrganization = {
      turned: Map.groupBy(turned, ({ organizationPk }) => organizationPk),
      resumed: Map.groupBy(resumed, ({ organizationPk }) => organizationPk),
    };
    for (const organizationPk of new Set([...organizations, ...byOrganization.turned.keys()])) {
      const change = {
        organizationPk,
        turned: byOrganization.turned.get(organizationPk) ?? [],
        resumed: byOrganization.resumed.get(organizationPk)?.map(({ pk }) => pk) ?? [],
      };
      if (await store.blindness.store(change, now)) wakeDispatcher();
    }
    judgeAt = next;
  }

  async function listResumed(now: number): Promise<{ pk: number; organizationPk: number }[]> {
    const resumed: { pk: number; organizationPk: number }[] = [];
    for await (const { blindSince, pk, organizationPk, ...one } of all(store.blindness.listBlind, {
      clock,
      now,
    }))
      if (blindSince !== null && hasResumed({ ...one, blindSince }, { since, liveSince }))
        resumed.push({ pk, organizationPk });
    return resumed;
  }

  /** @returns also the next time at which a monitor may turn blind: until then, the monitors are not read again */
  async function listTurned(now: number) {
    const turned = [];
    let next = now + SHORTEST_BLINDNESS;
    for await (const monitor of all(store.blindness.listProbed, { clock, now })) {
      const blindness = blindnessOf(monitor, { since, liveSince });
      if (blindness === null) continue;
      next = Math.min(next, Math.max(blindness.at, now + JUDGE_AGAIN));
      const { pk, organizationPk, lastResultPk } = monitor;
      if (blindness.at <= now) turned.push({ pk, organizationPk, lastResultPk, since: blindness.since });
    }
    return { turned, next };
  }

  const loop = createLoop({
    clock,
    every: WATCH_EVERY,
    task: watch,
    faults: createFaultLog(log, "monitors that are not checked could not be found"),
  });

  return {
    counts: () => counts,
    start() {
      watchedAt = clock.now();
      restart(watchedAt);
      loop.start();
    },
    stop: loop.stop,
  };
}

type List = (page: { after: number; limit: number; now: number }) => Promise<StoredProbedMonitor[]>;

async function* all(
  list: List,
  { clock, now }: { clock: Pick<Clock, "sleep">; now: number },
): AsyncGenerator<StoredProbedMonitor> {
  let after = 0;
  for (;;) {
    const slice = await list({ after, limit: SLICE, now });
    yield* slice;
    const last = slice.at(-1);
    if (!last || slice.length < SLICE) return;
    after = last.pk;
    // Other work of the process runs in between.
    await clock.sleep(0);
  }
}

/** Milliseconds between two counts. */
const COUNT_EVERY = 5000;

/** After a count, this many times as long as it took belongs to the checks: to count 100,000 takes some tenths of a second. */
const REST = 50;

/** Counts the monitors that wait for a check for longer than their interval (behavior 1.61). */
export interface OverdueWatch extends Pick<Loop, "start" | "stop"> {
  /** As of the last count. */
  count(): number;
}

export function createOverdueWatch({
  store,
  clock,
  log,
}: {
  store: Pick<Store, "overdue">;
  clock: Clock;
  log: Logger;
}): OverdueWatch {
  let overdue = 0;
  let restsUntil = Number.NEGATIVE_INFINITY;

  async function count(): Promise<void> {
    const [before, start] = [overdue, clock.monotonic()];
    if (start < restsUntil) return;
    overdue = await store.overdue.count(clock.now());
    const end = clock.monotonic();
    restsUntil = end + REST * (end - start);
    if (overdue > 0 && before === 0)
      log.warn({ monitors: overdue }, "monitors wait for a check for longer than their interval");
    if (overdue === 0 && before > 0)
      log.info("no monitor waits for a check for longer than its interval any more");
  }

  const loop = createLoop({
    clock,
    every: COUNT_EVERY,
    task: count,
    faults: createFaultLog(log, "overdue monitors could not be counted"),
  });

  return { ...loop, count: () => overdue };
}
