import type { Clock } from "../clock.ts";
import { type Evidence, hasFailure } from "../domain/checks/observation.ts";
import type { EvidenceLook } from "../domain/evidence/asked-look.ts";
import type { Work } from "../domain/locations/protocol.ts";
import type { Logger } from "../log.ts";
import type { ProbeThread } from "../probes/probe-thread.ts";
import type { CheckRecorder } from "../runner/checks/run-check.ts";
import { createScheduler } from "../runner/checks/scheduler.ts";
import { createRemoteClock, type RemoteClock, type TimeSample } from "../runner/database-clock.ts";
import { createHealth } from "../runner/health.ts";
import { createFaultLog, type FaultLog } from "../runner/loop.ts";
import type { ObservationBuffer } from "../store/buffer/observation-buffer.ts";
import type { ProbeStore, StoredTime, StoredWork } from "../store/buffer/probe-store.ts";
import { isCheckable, isRecheck, type ServerLink } from "./http-link.ts";
import type { Connection } from "./remote-probe.ts";
import { createRetryDelay, createSender } from "./sender.ts";
import { createWorkList, type WorkList } from "./work-list.ts";

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
  probes: Pick<ProbeThread, "run" | "cancel" | "network" | "ping" | "look">;
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
    onLooks,
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

  /** A look that fails, or whose answer does not arrive, leaves the evidence as it is. */
  function onLooks(looks: EvidenceLook[]): void {
    for (const { evidenceId, ...asked } of looks)
      probes
        .look(asked)
        .then((looked) => link.sendLook({ evidenceId, ...looked }))
        .catch((error) => log.debug({ err: error }, "a look could not be made or sent"));
  }

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

/** Puts what checks saw into the buffer. @param wake called after each, with whether the server needs it at once */
function createObservationRecorder({
  buffer,
  work,
  wake,
}: {
  buffer: Pick<ObservationBuffer, "add">;
  work: Pick<WorkList, "ended">;
  wake: (isUrgent: boolean) => void;
}): CheckRecorder {
  /** By monitor. */
  const last = new Map<string, string>();
  /** How many checks in a row have failed alike, by monitor. */
  const alike = new Map<string, number>();

  /** Facts that no evidence can need any more would only fill the disk while the server is away (behavior 22.19). */
  function bounded(monitorId: string, evidence: Evidence): Evidence {
    const isFirst = last.get(monitorId) !== gistOf(evidence) || !hasFailure(evidence);
    const count = isFirst ? 1 : (alike.get(monitorId) ?? 0) + 1;
    alike.set(monitorId, count);
    return count > CHECKS_WITH_FACTS ? withoutFacts(evidence) : evidence;
  }

  /** Whether a check failed, or saw something else than the one before (behavior 13.44). */
  function isNews(monitorId: string, evidence: Evidence): boolean {
    const seen = gistOf(evidence);
    const isOther = last.get(monitorId) !== seen;
    last.set(monitorId, seen);
    return isOther || hasFailure(evidence);
  }

  return {
    async record({ monitorId, revision, evidence, at, startAt = at }) {
      const next = work.ended({ monitorId, revision, at, startAt });
      if (!next) {
        last.delete(monitorId);
        alike.delete(monitorId);
        return null;
      }
      const observed = { monitorId, revision, at, startAt: Math.floor(Math.min(startAt, at)) };
      buffer.add({ ...observed, evidence: bounded(monitorId, evidence) });
      wake(isNews(monitorId, evidence) || next.wasRecheck);
      return next;
    },
    holdsClaims: () => false,
  };
}

/** More than a change to another status can need. */
const CHECKS_WITH_FACTS = 12;

function withoutFacts(evidence: Evidence): Evidence {
  if (evidence.outcome === "failed") {
    const { facts: _, ...others } = evidence;
    return others;
  }
  if (evidence.outcome !== "by_address") return evidence;
  const addresses = evidence.addresses.map((one) => {
    return { ...one, evidence: withoutFacts(one.evidence) as typeof one.evidence };
  });
  return { ...evidence, addresses };
}

/** An observation without its measurements. */
function gistOf(evidence: Evidence): string {
  switch (evidence.outcome) {
    case "reached":
      return `reached ${evidence.slowBy !== undefined} ${evidence.contents?.map(({ digest }) => digest).join()}`;
    case "certified":
      return evidence.certificate.fingerprint;
    case "looked_up":
      return String(Bun.hash(JSON.stringify(evidence.answer)));
    case "failed":
      return evidence.reason;
    case "by_address":
      return evidence.addresses.map((one) => `${one.address} ${gistOf(one.evidence)}`).join();
  }
}

/** A work list can change many times in a row, and is written as a whole; milliseconds. */
const WORK_EVERY = 5000;

const TIME_EVERY = 10_000;

/** Saves what the probe needs after a restart while the server is away. */
interface SavedState {
  /** Saves it now or soon. */
  setWork(work: StoredWork): void;
  /** Saves what is due. To be called every second. */
  tick(): void;
  /** Saves everything that is not saved yet. */
  flush(): void;
}

function createSavedState({
  store,
  clock,
  time,
  faults,
}: {
  store: Pick<ProbeStore, "saveWork" | "saveTime">;
  clock: Pick<Clock, "monotonic">;
  time: () => StoredTime;
  faults: FaultLog;
}): SavedState {
  let unsaved: StoredWork | undefined;
  let workAt = Number.NEGATIVE_INFINITY;
  let timeAt = Number.NEGATIVE_INFINITY;

  function save({ isForced = false } = {}): void {
    const now = clock.monotonic();
    try {
      if (unsaved && (isForced || now >= workAt + WORK_EVERY)) {
        workAt = now;
        store.saveWork(unsaved);
        unsaved = undefined;
      }
      if (isForced || now >= timeAt + TIME_EVERY) {
        timeAt = now;
        store.saveTime(time());
      }
      faults.succeeded();
    } catch (error) {
      faults.failed(error);
    }
  }

  return {
    setWork(work) {
      unsaved = work;
      save();
    },
    tick: () => save(),
    flush: () => save({ isForced: true }),
  };
}

/** The time of the server, which is also known while the server is away. */
interface ServerTime extends RemoteClock {
  /** Assumes that the clock of this machine differs from the clock of the server as it did before the start. */
  assume(stored: StoredTime): void;
  /** The value for `assume` after the next start. */
  stored(): StoredTime;
}

/** @param wall the clock of this machine, in milliseconds since 1970 */
export function createServerTime({
  system,
  wall,
  log,
}: {
  system: Pick<Clock, "monotonic" | "sleep" | "after">;
  wall: () => number;
  log: Logger;
}): ServerTime {
  const remote = createRemoteClock({ system, log, owner: "server" });
  return {
    ...remote,
    assume({ shift }) {
      const reading = system.monotonic();
      remote.add({ before: reading, remote: Math.floor(wall() + shift), after: reading });
    },
    stored() {
      const aliveAt = remote.clock.now();
      return { shift: aliveAt - wall(), aliveAt };
    },
  };
}
