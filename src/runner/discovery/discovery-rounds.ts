import type { Cancel, Clock } from "../../clock.ts";
import type { Change } from "../../domain/configuration/plan.ts";
import { type EntryFault, type Reading, type Source, SourceFault } from "../../domain/discovery/found.ts";
import {
  type DiscoveryFault,
  type DiscoveryPlan,
  deleteAtOf,
  planDiscovery,
  seenGone,
  sourceOf,
} from "../../domain/discovery/plan-discovery.ts";
import type { SourceName } from "../../domain/discovery/settings.ts";
import { AppError } from "../../errors.ts";
import type { Logger } from "../../log.ts";
import type { Claimant, Store } from "../../store/store.ts";
import { createFaultLog, createLoop, createWorkClaim } from "../loop.ts";

/** Milliseconds between two reads of a source that reports no events. */
const READ_EVERY = 30_000;

/** Milliseconds from the end of a round to the next one: events in between share it. */
const PAUSE = 500;

/** How long the claim of the node that applies lasts, and between two extensions of it, in milliseconds. */
const LEASE = 20_000;
const KEEP_EVERY = 10_000;

/**
 * Applies what sources found, in one transaction (behavior 28.14).
 *
 * @returns the changes, and the faults of the entries that were left out @throws AppError for faults that are of no entry
 */
export type ApplyFound = (
  organizationId: string,
  document: { defaults: object; monitors: Record<string, object> },
  options: { missing: DiscoveryPlan["missing"]; isDryRun: boolean },
) => Promise<{ changes: Change[]; faults: EntryFault[] }>;

type GoneMonitor = Parameters<typeof deleteAtOf>[0];

/** For how long nothing is applied while nothing has changed, in milliseconds: a plan reads all monitors of the organization. */
const SAME_FOR = 600_000;

/** The last read of a source, and its faults. */
interface SourceState {
  /** The last read that succeeded, and when, in milliseconds since 1970. */
  reading: Reading | null;
  readAt: number | null;
  faults: DiscoveryFault[];
}

/** Reads sources, and applies what they found (behavior 28.70). */
export interface DiscoveryRounds {
  start(): void;
  /** Reads all sources. */
  wake(): void;
  /** Undefined until it is known. */
  organizationId(): string | undefined;
  sources(): ReadonlyMap<SourceName, SourceState>;
  faults(): DiscoveryFault[];
  deleteAt(monitor: GoneMonitor): number | null;
  stop(): Promise<void>;
}

/** @param grace milliseconds @param defaults as in the configuration file */
export function createDiscoveryRounds({
  sources,
  grace,
  defaults,
  store,
  clock,
  claimant,
  findOrganization,
  apply,
  wake,
  log,
}: {
  sources: readonly Source[];
  grace: number;
  defaults: object;
  store: Pick<Store, "claims" | "discovery" | "audit">;
  clock: Clock;
  claimant: () => Claimant;
  /** The ID of the organization that gets the monitors. @throws AppError if it is not clear which */
  findOrganization: () => Promise<string>;
  apply: ApplyFound;
  /** Called after changes. */
  wake: () => void;
  log: Logger;
}): DiscoveryRounds {
  const states = new Map(
    sources.map(({ name }): [SourceName, SourceState] => [name, { reading: null, readAt: null, faults: [] }]),
  );
  const claim = createWorkClaim("discovery", { store, clock, claimant, lease: LEASE });
  const ending = new AbortController();
  const faults = createFaultLog(log, "what discovery found could not be applied");
  const loop = createLoop({ clock, task: round, pause: () => PAUSE, faults });
  const keeper = createLoop({ clock, task: keepClaim, every: KEEP_EVERY, faults });
  const cancels: Cancel[] = [];
  /** The sources to read in the next round. */
  const due = new Set<SourceName>();
  const logged = new Map<string, DiscoveryFault>();
  let organizationId: string | undefined;
  let seen: ReadonlyMap<string, number> = new Map();
  let isApplying = false;
  /** The last apply that changed nothing and had no faults. @property state all that it depended on */
  let settled = { state: "", at: Number.NEGATIVE_INFINITY };
  let cancelNext: Cancel | undefined;

  function ask(names: Iterable<SourceName>): void {
    for (const name of names) due.add(name);
    loop.wake();
  }

  const askAll = () => ask(states.keys());

  async function round(): Promise<void> {
    const asked = sources.filter(({ name }) => due.has(name));
    due.clear();
    if (asked.length === 0) return;
    // Before the read, so that a source that stalls is shown meanwhile. A fault is reported after it.
    await knowOrganization().catch(() => {});
    // Before the read too, so that what is applied is never older than what another node applied.
    isApplying = await claim.take();
    const readings = await readAll(asked);
    if (ending.signal.aborted) return;
    await follow(
      asked.map(({ name }) => name),
      readings,
    );
    reportFaults();
  }

  async function knowOrganization(): Promise<string> {
    organizationId ??= await findOrganization();
    return organizationId;
  }

  /** At the same time: a source has 10 seconds. */
  async function readAll(asked: readonly Source[]): Promise<Map<SourceName, Reading>> {
    const readings = await Promise.all(
      asked.map(async (source) => [source.name, await read(source)] as const),
    );
    return new Map(readings.flatMap(([name, reading]) => (reading ? [[name, reading] as const] : [])));
  }

  /** @returns null if it can't be read */
  async function read(source: Source): Promise<Reading | null> {
    const { name } = source;
    const before = states.get(name);
    try {
      const reading = await source.read(ending.signal);
      states.set(name, { reading, readAt: clock.now(), faults: before?.faults ?? [] });
      return reading;
    } catch (error) {
      if (ending.signal.aborted) return null;
      if (!(error instanceof SourceFault))
        log.error({ err: error, source: name }, "a source could not be read");
      const message = error instanceof SourceFault ? error.message : "it could not be read: see the log";
      states.set(name, { reading: null, readAt: null, ...before, faults: [{ source: name, message }] });
      return null;
    }
  }

  async function follow(asked: SourceName[], readings: Map<SourceName, Reading>): Promise<void> {
    let id: string;
    try {
      id = await knowOrganization();
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      for (const name of readings.keys()) setFaults(name, [{ source: name, message: error.message }]);
      return;
    }
    const stored = await store.discovery.list(id);
    const times = { now: clock.now(), monotonic: clock.monotonic() };
    seen = seenGone({ asked, readings, stored, grace, seen, ...times });
    const plan = planDiscovery({ readings, stored, grace, seen, ...times });
    const isHere = isApplying && (await claim.take());
    const newest = await newestEdit(store, id);
    const state = JSON.stringify([newest, isHere, plan.monitors, plan.missing, stored]);
    const isSame = state === settled.state && times.monotonic - settled.at < SAME_FOR;
    const { changes, faults } = isSame ? NOTHING : await save(id, plan, isHere);
    if (!isSame && changes.length + faults.length === 0) settled = { state, at: times.monotonic };
    const found = [...plan.faults, ...faults];
    for (const name of readings.keys())
      setFaults(
        name,
        found.filter(({ source }) => source === name),
      );
    // A node that does not delete would read again and again until another one has.
    planNext(isHere ? await store.discovery.list(id) : []);
  }

  /** @param isHere whether this node applies: others only judge the entries, for their report */
  async function save(
    id: string,
    { monitors, missing }: Pick<DiscoveryPlan, "monitors" | "missing">,
    isHere: boolean,
  ): Promise<{ changes: readonly Change[]; faults: readonly DiscoveryFault[] }> {
    try {
      const { changes, faults } = await apply(id, { defaults, monitors }, { missing, isDryRun: !isHere });
      if (isHere && changes.length > 0) {
        log.info(byAction(changes, missing.gone), "applied what discovery found");
        wake();
      }
      const named = faults.map((fault) => ({ source: sourceOf(fault.entry ?? "") ?? "docker", ...fault }));
      return { changes, faults: named };
    } catch (error) {
      const refs = Object.keys(monitors);
      const isOurs = error instanceof AppError && error.kind !== "unavailable";
      if (!isOurs || refs.length === 0) throw error;
      // A fault of no entry, such as a missing subscription: what is gone is paused all the same.
      const { changes } = await save(id, { monitors: {}, missing }, isHere);
      const sources = new Set(refs.flatMap((ref) => sourceOf(ref) ?? []));
      return { changes, faults: [...sources].map((source) => ({ source, message: error.message })) };
    }
  }

  function setFaults(name: SourceName, faults: DiscoveryFault[]): void {
    const state = states.get(name);
    if (state) states.set(name, { ...state, faults });
  }

  function allFaults(): DiscoveryFault[] {
    return [...states.values()].flatMap(({ faults }) => faults);
  }

  /** Each fault once, and its end (behavior 28.78). */
  function reportFaults(): void {
    const current = new Map(allFaults().map((fault) => [JSON.stringify(fault), fault]));
    for (const [key, fault] of current)
      if (!logged.has(key)) log.warn({ ...fault }, "discovery has a fault: what it concerns stays as it is");
    for (const [key, { source, entry }] of logged)
      if (!current.has(key)) log.info({ source, ...(entry && { entry }) }, "a fault of discovery has ended");
    logged.clear();
    for (const [key, fault] of current) logged.set(key, fault);
  }

  function deleteAt(monitor: GoneMonitor): number | null {
    return deleteAtOf(monitor, { now: clock.now(), monotonic: clock.monotonic(), grace, seen });
  }

  /** The next read is at the earliest deletion, if that is before the next regular one. */
  function planNext(stored: readonly GoneMonitor[]): void {
    cancelNext?.();
    cancelNext = undefined;
    const times = stored.flatMap((monitor) => {
      const source = sourceOf(monitor.ref);
      const at = seen.has(monitor.ref) ? deleteAt(monitor) : null;
      return at !== null && source && states.has(source) ? [{ at, source }] : [];
    });
    const first = Math.min(...times.map(({ at }) => at));
    const delay = first - clock.now();
    if (delay >= READ_EVERY) return;
    const named = times.filter(({ at }) => at === first).map(({ source }) => source);
    cancelNext = clock.after(Math.max(0, delay), () => ask(named));
  }

  /** Keeps the claim, or takes it after its node has ended. */
  async function keepClaim(): Promise<void> {
    const before = isApplying;
    isApplying = await claim.take();
    if (isApplying && !before) askAll();
  }

  return {
    start() {
      cancels.push(clock.every(READ_EVERY, askAll));
      cancels.push(...sources.map((source) => source.watch(() => ask([source.name])).stop));
      keeper.start();
      askAll();
    },
    wake: askAll,
    organizationId: () => organizationId,
    sources: () => states,
    faults: allFaults,
    deleteAt,
    async stop() {
      ending.abort();
      for (const cancel of cancels) cancel();
      cancelNext?.();
      await Promise.all([loop.stop(), keeper.stop()]);
    },
  };
}

const NOTHING = { changes: [], faults: [] };

/** The newest entry of the audit log: each edit of an organization has one. */
export async function newestEdit({ audit }: Pick<Store, "audit">, organizationId: string): Promise<string> {
  const { items } = await audit.list(organizationId, { limit: 1 });
  return items[0]?.id ?? "";
}

/** The refs of changes by what was done. @param gone the refs whose monitors were only paused */
function byAction(changes: readonly Change[], gone: readonly string[]): Record<string, string[]> {
  const groups = Map.groupBy(changes, ({ action, ref }) => (gone.includes(ref) ? "pause" : action));
  return Object.fromEntries(
    [...groups].map(([action, some]) => [action, shortened(some.map(({ ref }) => ref))]),
  );
}

/** How many refs of a kind one line of the log has. */
const MAX_LOGGED = 20;

function shortened(refs: readonly string[]): string[] {
  const more = refs.length - MAX_LOGGED;
  return more > 0 ? [...refs.slice(0, MAX_LOGGED), `and ${more} more`] : [...refs];
}
