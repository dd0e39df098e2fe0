import { POLL_FOR } from "../../../src/domain/locations/protocol.ts";
import type { Logger } from "../../../src/log.ts";
import { createBlindnessWatch } from "../../../src/runner/checks/blindness-watch.ts";
import { createRunningChecks } from "../../../src/runner/checks/concurrency-limit.ts";
import { createRecorder, type Recorder } from "../../../src/runner/checks/recorder.ts";
import { createRetries, createScheduler } from "../../../src/runner/checks/scheduler.ts";
import { type AlertReview, createAlertReview } from "../../../src/runner/deliveries/alert-review.ts";
import { createDispatcher } from "../../../src/runner/deliveries/dispatcher.ts";
import { createHousekeeping } from "../../../src/runner/housekeeping.ts";
import { createLocationWatch } from "../../../src/runner/locations/location-watch.ts";
import { createRemoteProbes, type RemoteProbes } from "../../../src/runner/locations/remote-probes.ts";
import { createMaintenanceWatch } from "../../../src/runner/maintenance/maintenance-watch.ts";
import { createNode } from "../../../src/runner/node.ts";
import { createPublicPages, type PublicPages } from "../../../src/runner/pages/public-pages.ts";
import { createHeartbeats, createStorageHealth } from "../../../src/runner/runner.ts";
import type { Store } from "../../../src/store/store.ts";
import { alone } from "../../../test/support/store/alone.ts";
import type { Interruptions } from "../coverage/work.ts";
import type { Fault, Ledger, SimChannel, SimMonitor } from "../ledger.ts";
import { SENDING } from "../truth/faults.ts";
import type { SimulatedDatabase } from "./database.ts";
import { throughDisk } from "./disk.ts";
import type { Part } from "./due-times.ts";
import { DENSE_AFTER_KILL, type Machine } from "./machine.ts";
import { startProbes } from "./probes.ts";
import { deliverTo } from "./receivers.ts";
import { createServerClock } from "./server-clock.ts";
import { EventLoop } from "./virtual-time.ts";

/** If a process that is to die at a call of one method makes none, it goes on: idle ticks are left out again then; milliseconds. */
const DOOM_LAPSES_AFTER = DENSE_AFTER_KILL;

/** How long after its start an attempt breaks off; milliseconds. */
const DEATH_WHILE_SENDING = 40;

/** The timeout of a clean stop, as in `app.ts`. */
const STOP_TIMEOUT = 5000;

const MAX_CHECKS = 1000;

/**
 * The locations are checked less often than by the product, which saves most of the events; milliseconds. After more than 5 s
 * without a look, the product takes no location for silent.
 */
const WATCH_EVERY = 4000;
const HELD_LOOK_EVERY = POLL_FOR;

/** After the work of locations may have changed, a request that waits for it looks again; milliseconds. */
const HELD_LOOK_AFTER_CHANGE = 1000;

/** Nothing that is simulated reads the metrics. */
const metrics = { committed() {}, missed() {}, attempted() {}, refused() {} };

/** Shared by all lives of the server. */
export interface Surroundings {
  database: SimulatedDatabase;
  machine: Machine;
  log: Logger;
  targets: ReadonlyMap<string, SimMonitor>;
  channels: ReadonlyMap<string, SimChannel>;
  ledger: Ledger;
  interruptions: Interruptions;
  organizationId: string;
  retentionDays: number;
  everyTick: boolean;
  /** When windows begin and end, by time. */
  windowEdges: readonly number[];
}

/** @property changed called when it has written what decides when a part of any process has something to do */
export interface LifeContext {
  changed: (part: Part) => void;
  onDeath: () => void;
}

/** The parts that requests of operators use. */
export interface OperatedParts {
  store: Store;
  alertReview: AlertReview;
  publicPages: PublicPages;
  refreshChecks: () => Promise<void>;
  now: () => number;
}

/** At which call of its store a process dies. */
type Doom = Pick<Extract<Fault, { kind: "kill" }>, "step" | "call">;

/** A report of a job. @property status of a check-in */
export interface SimReport {
  kind: "checkin" | "start";
  status?: "ok" | "fail";
  rid?: string;
}

/** One life of the server process. */
export interface Server {
  /** Whether it takes check-ins. */
  isListening(): boolean;
  isAlive(): boolean;
  /** Sends a request of a remote probe. @throws `Gone` if the process does not live until it has answered */
  ask<Answer>(request: (probes: RemoteProbes) => Promise<Answer>): Promise<Answer>;
  /** Does what an operator or a reader asks for. @throws `Gone` if the process does not live until it has answered */
  operate<Answer>(request: (parts: OperatedParts) => Promise<Answer>): Promise<Answer>;
  /** Records the report of a job as soon as the main thread is free. */
  report(monitorId: string, report: SimReport): Promise<boolean>;
  start(): Promise<void>;
  /** A clean stop. */
  stop(): Promise<void>;
  /** See `Fault`. */
  killAt(doom: Doom, onDeath: () => void): void;
  /** Ends a life whose start failed. */
  abandon(): void;
  freeze(until: number): void;
  /** Lets the stall detector tick, because a fault is near that it has to see. */
  pulse(): void;
  /** An operator may have begun or ended a window. */
  lookAtWindows(): void;
  /** Plans all ticks again, because the wall clock or a fault changed. */
  refresh(): void;
  /** Plans the ticks of a part again, and wakes the requests that wait for other work. */
  refreshPart(part: Part): void;
  /** Frees what a dead process holds. To be called in a later event than its death. */
  close(): void;
}

/** The connection ended with the process. */
export class Gone extends Error {
  override readonly name = "Gone";
}

/** Connects the same parts as `createApp`, except for the API, the listener and the worker threads. */
export function createServer(around: Surroundings, { changed, onDeath }: LifeContext): Server {
  const { machine, log, ledger, database } = around;
  const { time } = machine;
  const main = new EventLoop(time);
  const opened = database.open();
  const { windowEdges } = around;
  const due = database.readDueTimes({
    nextWindow: () => nextEdge(windowEdges, machine.wall()),
    now: () => machine.wall(),
  });
  const {
    thread,
    loop: probeLoop,
    pulse,
  } = startProbes({
    machine,
    main,
    targets: around.targets,
    checks: ledger.checks,
    interruptions: around.interruptions,
  });
  let state: "starting" | "running" | "stopping" | "stopped" | "dead" = "starting";
  let doom: (Doom & { left: number }) | undefined;
  let onKilled = () => {};
  /** Requests that wait for other work of their location. */
  const sleepers = new Set<() => void>();

  const server = createServerClock({
    machine,
    loop: main,
    log,
    due,
    everyTick: around.everyTick,
  });
  const { store, flush } = throughDisk(opened, {
    machine,
    loop: main,
    due,
    isEmbedded: database.isEmbedded,
    interruptions: around.interruptions,
    isDead: () => state === "dead",
    isDoomed: () => doom !== undefined,
    isMakingUp: server.isMakingUp,
    countCall,
    die,
    changed,
  });
  const storage = createStorageHealth();
  const lacksDescriptors = () => machine.has("no-descriptors");
  // Not one of the parts whose idle ticks are left out.
  const seldom = {
    ...server.of("scheduler"),
    every: (ms: number, task: () => unknown) => repeat(main, Math.max(ms, WATCH_EVERY), task),
    sleep: (ms: number) =>
      new Promise<void>((resolve) => {
        const wake = () => void main.after(HELD_LOOK_AFTER_CHANGE, resolve);
        sleepers.add(wake);
        main.after(Math.max(ms, HELD_LOOK_EVERY), () => {
          sleepers.delete(wake);
          resolve();
        });
      }),
  };
  const node =
    ledger.scenario.nodes === undefined
      ? undefined
      : createNode({
          ...{ store, log, clock: seldom, name: "node", version: "1.2.3", checks: () => 0 },
          retentionDays: around.retentionDays,
        });
  const claimant = () => node?.claimant() ?? alone;
  const send = deliverTo(around.channels, { machine, loop: main, ledger });
  const dispatcher = createDispatcher({
    store,
    clock: server.of("dispatcher"),
    claimant,
    log,
    settings: {
      clock: server.of("dispatcher"),
      resolve: () => Promise.reject(new Error("not simulated")),
      baseUrl: () => "http://stillup.test",
    },
    metrics,
    deliver(...given) {
      // It has no answer by then.
      if (doom?.call === SENDING && countCall(SENDING)) main.after(DEATH_WHILE_SENDING, die);
      return send(...given);
    },
    max: 100,
    isShort: lacksDescriptors,
  });
  const clock = server.of("scheduler");
  const wakeAlerts = () => {
    dispatcher.wake();
    alertReview.wake();
  };
  const recorder: Recorder = createRecorder({
    store,
    clock,
    log,
    storage,
    metrics,
    wakeDispatcher: wakeAlerts,
  });
  const running = createRunningChecks(clock, MAX_CHECKS);
  const retries = createRetries(clock);
  due.ofChecks((slot) => {
    if (running.byMonitor.get(slot.pk)?.slot === slot.nextCheckAt) return Number.POSITIVE_INFINITY;
    return retries.waitsUntil(slot) + time.suspended + machine.wallOffset();
  });
  const planScans = () => server.refresh("scheduler");
  const scheduler = createScheduler({
    store,
    clock,
    probes: thread,
    recorder,
    claimant,
    log,
    running: observed(running, planScans, ["start", "end"]),
    retries: observed(retries, planScans, ["failed", "held", "succeeded"]),
  });
  const housekeeping = createHousekeeping({
    store,
    clock: server.of("housekeeping"),
    claimant,
    log,
    retentionDays: around.retentionDays,
  });
  const heartbeats = createHeartbeats({
    store,
    clock: server.of("heartbeats"),
    recorder,
    claimant,
    log,
    storage,
    metrics,
    isDeaf: lacksDescriptors,
  });
  const alertReview: AlertReview = createAlertReview({
    store,
    clock: server.of("review"),
    log,
    wakeDispatcher: dispatcher.wake,
    wakeScheduler: scheduler.wake,
  });
  const wakes = { wakeDispatcher: wakeAlerts, wakeScheduler: scheduler.wake };
  const maintenanceWatch = createMaintenanceWatch({
    store,
    clock: server.of("maintenances"),
    claimant,
    log,
    wakeDispatcher: dispatcher.wake,
    wakeReview: alertReview.wake,
  });
  const locationWatch = createLocationWatch({
    store,
    clock: seldom,
    claimant,
    log,
    ...wakes,
  });
  const blindnessWatch = createBlindnessWatch({
    store,
    clock: seldom,
    claimant,
    log,
    wakeDispatcher: dispatcher.wake,
  });
  const remoteProbes = createRemoteProbes({
    store,
    clock: seldom,
    log,
    storage,
    metrics,
    ...wakes,
    onUnnoted: locationWatch.distrust,
    findRegistration: () => undefined,
  });
  const publicPages = createPublicPages({ store, clock, log });
  /** Requests of remote probes, operators and readers. */
  const asked = new Set<(error: Error) => void>();
  time.add(main, probeLoop);

  function countCall(name: string): "before" | "after" | undefined {
    if (!doom || (doom.call !== undefined && doom.call !== name) || --doom.left > 0) return undefined;
    const { step } = doom;
    doom = undefined;
    return step % 2 === 1 ? "before" : "after";
  }

  function die(): void {
    if (state === "dead") return;
    state = "dead";
    detach();
    onDeath();
    onKilled();
  }

  function detach(): void {
    flush();
    time.remove([main, probeLoop]);
    server.stop();
    for (const reject of asked) reject(new Gone("the server has ended"));
    for (const attempt of ledger.attempts.slice(-100))
      if (attempt.outcome === "lost" && attempt.endedAt === attempt.startedAt) attempt.endedAt = time.now;
  }

  async function answer<Answer>(request: () => Promise<Answer>): Promise<Answer> {
    if (state !== "running") throw new Gone("nothing listens");
    const { promise, resolve, reject } = Promise.withResolvers<Answer>();
    asked.add(reject);
    main.after(0, () => void request().then(resolve, reject));
    return promise.finally(() => asked.delete(reject));
  }

  return {
    isListening: () => state === "running",
    isAlive: () => state !== "dead" && state !== "stopped",
    ask: (request) => answer(() => request(remoteProbes)),
    operate: (request) =>
      answer(() =>
        request({ store, alertReview, publicPages, refreshChecks: scheduler.refresh, now: clock.now }),
      ),
    report(monitorId, { kind, status, rid }) {
      const { promise, resolve } = Promise.withResolvers<boolean>();
      main.after(0, () => {
        const report = rid === undefined ? {} : { rid };
        const about = { monitorId, at: clock.now(), report };
        recorder
          .record(
            kind === "start"
              ? { kind, ...about }
              : { kind, ...about, status: status === "fail" ? "fail" : undefined },
          )
          .then((recorded) => resolve(recorded !== null && recorded !== "held"))
          .catch(() => resolve(false));
      });
      return promise;
    },
    async start() {
      await node?.start();
      const steadyAt = await store.housekeeping.lastSteady();
      await heartbeats.start();
      scheduler.start();
      dispatcher.start();
      alertReview.start();
      housekeeping.start(steadyAt);
      if (ledger.scenario.locations) locationWatch.start();
      const { calm, whole, maintenances } = ledger.scenario;
      if (calm || whole || maintenances) maintenanceWatch.start();
      if (ledger.scenario.blind) blindnessWatch.start();
      state = "running";
    },
    async stop() {
      state = "stopping";
      remoteProbes.stop();
      await Promise.all([scheduler.stop(STOP_TIMEOUT), dispatcher.stop(STOP_TIMEOUT)]);
      await Promise.all([
        heartbeats.stop(),
        housekeeping.stop(),
        locationWatch.stop(),
        alertReview.stop(),
        maintenanceWatch.stop(),
        blindnessWatch.stop(),
      ]);
      await recorder.flush();
      await node?.stop();
      state = "stopped";
      detach();
    },
    abandon() {
      state = "dead";
      detach();
    },
    killAt({ step, call }, then) {
      onKilled = then;
      const own = { step, call, left: call === undefined ? Math.max(1, step) : 1 };
      doom = own;
      if (call !== undefined)
        main.after(DOOM_LAPSES_AFTER, () => {
          if (doom === own) doom = undefined;
        });
    },
    freeze(until) {
      main.freeze(until);
      probeLoop.freeze(until);
    },
    pulse,
    lookAtWindows: server.lookAtWindows,
    refresh: server.refreshAll,
    refreshPart(part) {
      server.refresh(part);
      for (const wake of sleepers) wake();
      sleepers.clear();
    },
    close() {
      due.close();
      void opened.close();
    },
  };
}

/** The first edge that a tick a second ago may not have seen. */
function nextEdge(edges: readonly number[], now: number): number {
  let [low, high] = [0, edges.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((edges[middle] ?? 0) > now - 1000) high = middle;
    else low = middle + 1;
  }
  return edges[low] ?? Number.POSITIVE_INFINITY;
}

/** Runs a task again and again on an event loop, one run at a time. @returns stops it */
function repeat(loop: EventLoop, ms: number, task: () => unknown): () => void {
  let cancel = loop.after(ms, run);
  let isStopped = false;
  async function run(): Promise<void> {
    try {
      await task();
    } finally {
      if (!isStopped) cancel = loop.after(ms, run);
    }
  }
  return () => {
    isStopped = true;
    cancel();
  };
}

/** The same object, but some of its methods are followed by something. */
function observed<One extends object>(one: One, then: () => void, methods: readonly (keyof One)[]): One {
  const followed = methods.map((name) => {
    const method = one[name] as (...given: unknown[]) => unknown;
    return [
      name,
      (...given: unknown[]) => {
        const result = method(...given);
        then();
        return result;
      },
    ];
  });
  return { ...one, ...Object.fromEntries(followed) };
}
