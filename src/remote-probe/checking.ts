import type { Work } from "../domain/locations/protocol.ts";
import type { Logger } from "../log.ts";
import type { ProbeThread } from "../probes/probe-thread.ts";
import { createScheduler } from "../runner/checks/scheduler.ts";
import { createFaultLog } from "../runner/fault-log.ts";
import { createHealth } from "../runner/health.ts";
import type { TimeSample } from "../runner/time-estimate.ts";
import type { ObservationBuffer } from "../store/buffer/observation-buffer.ts";
import type { ProbeStore, StoredWork } from "../store/buffer/probe-store.ts";
import { isCheckable, isRecheck } from "./answers.ts";
import type { Connection } from "./connection.ts";
import { createObservationRecorder } from "./observation-recorder.ts";
import { createRetryDelay } from "./retry-delay.ts";
import { createSavedState } from "./saved-state.ts";
import { createSender } from "./sender.ts";
import type { ServerLink } from "./server-link.ts";
import type { ServerTime } from "./server-time.ts";
import { createWorkList } from "./work-list.ts";

/** How long running checks, and then what is left to send, may take at the end; milliseconds (behavior 13.48). */
const STOP_TIMEOUT = 5000;

const SECOND = 1000;

/** The scheduler shares its work with no other node. */
const ALONE = { node: 1, place: 0, nodes: 1 };

/** The checks of a location, from the moment when the time of the server is known. */
export interface Checking {
  buffer: Pick<ObservationBuffer, "waiting" | "dropped">;
  /** Takes an answer of the server. @returns whether it has news */
  take(work: Work): boolean;
  /** Starts to send, after the server has accepted the key. */
  send(): void;
  /** Forgets all monitors, on the disk too: the key is not valid. */
  forget(): void;
  /** Whether due checks begin on time. */
  isAlive(): boolean;
  stop(): Promise<void>;
}

/** Arguments that the parts of a remote probe share. @property random from 0 to 1 */
export interface CheckingParts {
  link: ServerLink;
  store: ProbeStore;
  time: ServerTime;
  probes: Pick<ProbeThread, "run" | "cancel" | "network" | "ping">;
  connection: Connection;
  log: Logger;
  random: () => number;
}

/** Begins with the monitors of the last run, if there are any. */
export function startChecking({
  link,
  store,
  time,
  probes,
  connection,
  log,
  random,
}: CheckingParts): Checking {
  const { clock } = time;
  const disk = createFaultLog(log, "the disk takes nothing: observations are held in memory");
  const onFault = (error?: unknown) => (error === undefined ? disk.succeeded() : disk.failed(error));
  const stored = { work: store.work(), time: store.time() };
  const buffer = store.openBuffer({ now: clock.now(), onFault });
  const list = createWorkList(clock);
  const saved = createSavedState({ store, clock, time: time.stored, faults: disk });
  const retry = createRetryDelay(random);
  const addTime = (sample: TimeSample) => time.add(sample);
  const sender = createSender({
    link,
    buffer,
    stream: store.stream(),
    clock,
    connection,
    retry,
    addTime,
    log,
  });
  const recorder = createObservationRecorder({ buffer, work: list, wake: sender.wake });
  const scheduler = createScheduler({ store: list, clock, probes, recorder, claimant: () => ALONE, log });
  const health = createHealth({
    clock,
    probes,
    acceptsWrites: () => true,
    scannedAt: scheduler.scannedAt,
    log,
  });
  let location = stored.work?.location;
  let isSending = false;

  if (stored.work) list.set(stored.work.monitors, stored.time?.aliveAt);
  scheduler.start();
  health.start();
  const cancelTick = clock.every(SECOND, () => {
    buffer.tidy(clock.now());
    saved.tick();
  });

  function take(work: Work): boolean {
    if (location && location.id !== work.location.id) {
      log.warn(
        { location: work.location.name },
        "the key is of another location: what the previous one saw is deleted",
      );
      buffer.clear();
    }
    location = work.location;
    if (work.monitors) setMonitors(work, work.monitors);
    const hasRechecks = list.setRechecks(work.rechecks.filter(isRecheck));
    if (work.monitors || hasRechecks) scheduler.wake();
    return work.monitors !== undefined || hasRechecks;
  }

  function setMonitors({ location: { id, name }, revision }: Work, all: unknown[]): void {
    const monitors = all.filter(isCheckable);
    const others = all.length - monitors.length;
    if (others > 0)
      log.error({ monitors: others }, "this version can't check some monitors: update this probe");
    list.set(monitors);
    saved.setWork({ location: { id, name }, revision, monitors } satisfies StoredWork);
  }

  return {
    buffer,
    take,
    send() {
      if (!isSending) sender.start();
      isSending = true;
    },
    forget() {
      list.set([]);
      if (location) saved.setWork({ location, revision: 0, monitors: [] });
      scheduler.wake();
    },
    isAlive: () => health.report().probes === "ok",
    async stop() {
      health.stop();
      await scheduler.stop(STOP_TIMEOUT);
      if (isSending) await sender.stop(STOP_TIMEOUT);
      cancelTick();
      saved.flush();
    },
  };
}
