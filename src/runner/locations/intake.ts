import type { Clock } from "../../clock.ts";
import { parseEvidence } from "../../domain/locations/evidence-schema.ts";
import {
  type BatchAnswer,
  FRESH_FOR,
  KEPT_FOR,
  MAX_SKEW,
  type ObservationBatch,
  type Observed,
  type SentObservation,
  type WorkItem,
} from "../../domain/locations/protocol.ts";
import type { Recorded, Recording } from "../../domain/monitors/recording-plan.ts";
import { StorageFault, tooMany, unauthorized } from "../../errors.ts";
import type { Logger } from "../../log.ts";
import type { ProbeCaller, Store } from "../../store/store.ts";
import type { FindRegistration } from "../checks/run-check.ts";
import type { Metrics } from "../metrics/metrics.ts";
import type { StorageHealth } from "../runner.ts";
import { costOf, createObservationLimit, type Load } from "./observation-limit.ts";

/** Records what the probes of locations saw. */
export interface Intake {
  /**
   * @returns after it is on the disk
   * @throws AppError `too_many`, then nothing is recorded; `unauthorized` if the location was deleted; `unavailable`
   * @throws StorageFault
   */
  record(probe: Probe, batch: ObservationBatch): Promise<BatchAnswer>;
}

/** Behavior 13.73. */
const KEY_IS_SHARED =
  "several probes use the key of one location: create a location for each probe, and give each probe its own key";

type Probe = Pick<ProbeCaller, "pk" | "name">;

/** An observation before it is in the database. */
type Sorted = Observed | "ignored" | "refused";

export function createIntake({
  store,
  clock,
  log,
  storage,
  metrics,
  wakeDispatcher,
  wakeScheduler,
  findRegistration,
}: {
  store: Pick<Store, "locations" | "recording">;
  clock: Pick<Clock, "now" | "monotonic" | "sleep">;
  log: Pick<Logger, "warn">;
  /** Gets the outcome of each commit. */
  storage: StorageHealth;
  metrics: Pick<Metrics, "committed" | "refused">;
  /** Called after a commit with a transition that channels may be notified of. */
  wakeDispatcher: () => void;
  /** Called after a commit that made a check of this server due earlier. */
  wakeScheduler: () => void;
  findRegistration: FindRegistration;
}): Intake {
  const limit = createObservationLimit(clock);
  const workloads = createWorkloads(store);
  const pace = createBacklogPace(clock);

  function charge(location: number, load: Load, { rate }: Workload): void {
    const wait = limit.take(location, load, rate);
    if (wait === 0) return;
    metrics.refused("observations");
    throw tooMany("observations of this location", wait);
  }

  /** @returns for each observation what was recorded, and how many of them were sent before */
  async function write({ pk, name }: Probe, stream: string, observations: Observed[]) {
    const start = clock.monotonic();
    const receivedAt = clock.now();
    const batch = { location: pk, stream, observations, receivedAt };
    const written = await store.recording.recordObservations(batch);
    if (written.isNewlyShared) log.warn({ location: name }, KEY_IS_SHARED);
    metrics.committed(observations.map(recordingOf), {
      recorded: written.recorded,
      seconds: (clock.monotonic() - start) / 1000,
    });
    await store.recording.syncResults();
    return written;
  }

  function writeInTurn(probe: Probe, stream: string, observations: Observed[]) {
    const isBacklog = observations.every(({ at }) => at < clock.now() - FRESH_FOR);
    const task = () => write(probe, stream, observations);
    return isBacklog ? pace.run(task) : task();
  }

  async function writeOrGiveBack(probe: Probe, batch: ObservationBatch, observations: Observed[]) {
    try {
      const written = await writeInTurn(probe, batch.stream, observations);
      storage.report(true);
      return written;
    } catch (error) {
      if (error instanceof StorageFault) storage.report(false);
      limit.giveBack(probe.pk, loadOf(batch));
      throw error;
    }
  }

  /** Few monitors ask for a registration: the others wait for nothing. */
  async function addRegistrations(observations: Observed[], { monitors }: Workload): Promise<void> {
    for (const observed of observations) {
      const { registered } = monitors.get(observed.monitorId) ?? {};
      if (registered) observed.registration = await findRegistration(registered);
    }
  }

  return {
    async record(probe, batch) {
      const workload = await workloads.find(probe.pk);
      charge(probe.pk, loadOf(batch), workload);
      const sorted = batch.observations.map((observation) => sort(observation, workload, clock.now()));
      const observations = sorted.filter((one) => typeof one === "object").sort(inOrder);
      await addRegistrations(observations, workload);
      const { recorded, repeated } = await writeOrGiveBack(probe, batch, observations);
      if (recorded.some((one) => one?.notable)) wakeDispatcher();
      if (recorded.some((one) => one?.asksHere)) wakeScheduler();
      const looks = recorded.flatMap((one) => one?.look ?? []);
      const answer = { now: clock.now(), repeated, ...counts(sorted, recorded, repeated) };
      return looks.length > 0 ? { ...answer, looks } : answer;
    },
  };
}

function loadOf({ observations }: ObservationBatch): Load {
  return { count: observations.length, cost: costOf(observations) };
}

/** Behavior 13.35. A probe sees only its own monitors, so that it learns nothing of the others from its answer. */
function sort(observation: SentObservation, { monitors }: Workload, now: number): Sorted {
  const { monitorId, revision, at, startAt } = observation;
  if (at < now - KEPT_FOR || at > now + MAX_SKEW || startAt > at) return "refused";
  const monitor = monitors.get(monitorId);
  if (monitor?.revision !== revision) return "ignored";
  const evidence = parseEvidence(monitor.type, observation.evidence);
  return evidence === null ? "refused" : { ...observation, evidence };
}

/** In the order of time, because an older observation of a monitor after a newer one would be late. */
function inOrder(a: Observed, b: Observed): number {
  return a.at - b.at || a.sequence - b.sequence;
}

function recordingOf({ monitorId, revision, evidence, at }: Observed): Recording {
  return { kind: "check", monitorId, revision, evidence, at };
}

function counts(sorted: Sorted[], recorded: (Recorded | null)[], repeated: number) {
  const refused = sorted.filter((one) => one === "refused").length;
  const accepted = recorded.filter((one) => one !== null).length;
  return { recorded: accepted, refused, ignored: sorted.length - refused - accepted - repeated };
}

/**
 * Runs tasks one at a time and for at most a part of the time, so that the backlogs of locations do not delay checks and
 * requests. Who waits for a task is slowed down by that.
 */
interface BacklogPace {
  run<Result>(task: () => Promise<Result>): Promise<Result>;
}

/** How many times as long as a task the pause after it is. */
const PAUSE = 3;

export function createBacklogPace(clock: Pick<Clock, "monotonic" | "sleep">): BacklogPace {
  let pausesEnd: Promise<unknown> = Promise.resolve();

  async function pauseAfter(task: Promise<unknown>): Promise<void> {
    const start = clock.monotonic();
    await task.catch(() => {});
    await clock.sleep(PAUSE * (clock.monotonic() - start));
  }

  return {
    async run(task) {
      const previous = pausesEnd;
      const { promise, resolve } = Promise.withResolvers<unknown>();
      pausesEnd = promise;
      await previous;
      const running = task();
      void pauseAfter(running).then(resolve);
      return running;
    },
  };
}

/** The monitors of a location, as its observations are judged by them. */
interface Workload {
  revision: number;
  /** By ID. */
  monitors: ReadonlyMap<string, WorkedMonitor>;
  /** How many observations they give per second. */
  rate: number;
}

/** @property registered the config, if it asks for the registration of its domain */
interface WorkedMonitor extends Pick<WorkItem, "type" | "revision"> {
  registered?: WorkItem["config"];
}

/** The workload of each location, from memory as long as it does not change. */
interface Workloads {
  /** @throws AppError `unauthorized` if the location was deleted */
  find(location: number): Promise<Workload>;
}

function createWorkloads({ locations }: Pick<Store, "locations">): Workloads {
  const known = new Map<number, Workload>();

  async function read(location: number): Promise<Workload> {
    const work = await locations.findWork(location);
    if (!work) throw unauthorized();
    const workload = workloadOf(work);
    known.set(location, workload);
    return workload;
  }

  return {
    async find(location) {
      const marker = await locations.findMarker(location);
      const workload = known.get(location);
      if (workload && workload.revision === marker?.revision) return workload;
      known.delete(location);
      return read(location);
    },
  };
}

function workloadOf({ revision, monitors }: { revision: number; monitors: WorkItem[] }): Workload {
  return {
    revision,
    monitors: new Map(monitors.map((item) => [item.monitorId, workedMonitor(item)])),
    rate: monitors.reduce((sum, { config }) => sum + 1 / config.interval, 0),
  };
}

function workedMonitor({ type, revision, config }: WorkItem): WorkedMonitor {
  return { type, revision, ...("registration" in config && { registered: config }) };
}
