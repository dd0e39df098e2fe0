import { type Cancel, type Clock, JUMP_TOLERANCE } from "../../clock.ts";
import { nextCheckAt } from "../../domain/checks/check-slot.ts";
import { judgeCheck } from "../../domain/checks/judge.ts";
import type { Evidence, OwnReason } from "../../domain/checks/observation.ts";
import type { MonitorConfig, ProbedType } from "../../domain/monitors/monitor.ts";
import type { Recorded, Recording } from "../../domain/monitors/recording-plan.ts";
import { groupOf, type Status, type StatusGroup } from "../../domain/monitors/status.ts";
import type { KnownRegistration } from "../../domain/registration/registration.ts";
import type { Check, ProbeThread } from "../../probes/probe-thread.ts";
import type { RunningCheck, RunningChecks } from "./concurrency-limit.ts";
import type { Retries } from "./scheduler.ts";

export type CheckRecording = Extract<Recording, { kind: "check" }>;

/** Where a check puts what it saw: see `Recorder`. */
export interface CheckRecorder {
  record(recording: CheckRecording, urgency: Urgency): Promise<Pick<Recorded, "nextCheckAt"> | "held" | null>;
  holdsClaims(): boolean;
}

/** Finds the registration that a config asks for; undefined at once if it asks for none. */
export type FindRegistration = (config: object) => Promise<KnownRegistration | undefined> | undefined;

interface Parts {
  clock: Pick<Clock, "now">;
  probes: Pick<ProbeThread, "run">;
  recorder: Pick<CheckRecorder, "record">;
  running: RunningChecks;
  retries: Pick<Retries, "held" | "succeeded">;
  /** Called when the check holds fewer sockets. */
  onSettled: () => void;
  findRegistration: FindRegistration;
}

/** The network of this machine was offline during a check (behavior 13.50). */
export class OfflineError extends Error {
  override readonly name = "OfflineError";
}

/** Something between this machine and a target failed, such as a proxy (behavior 26.30). */
export class AccessFault extends Error {
  override readonly name = "AccessFault";

  constructor(
    readonly reason: OwnReason,
    message: string,
  ) {
    super(message);
  }
}

/**
 * Runs a check and records its result.
 *
 * @returns milliseconds until the next check is due; null if the monitor was changed or deleted meanwhile; undefined if the
 *   check was cancelled
 * @throws OfflineError, AccessFault or, because of another fault of this machine that kept it from a result, any other error
 */
export async function runCheck(
  current: RunningCheck,
  { clock, probes, recorder, running, retries, onSettled, findRegistration }: Parts,
): Promise<number | null | undefined> {
  let endedAt = Number.POSITIVE_INFINITY;
  const observation = await probes.run(current.check, {
    onSockets(sockets) {
      if (!running.has(current)) return;
      running.settle(current, sockets);
      onSettled();
    },
    onEnd(at, sockets) {
      endedAt = at;
      current.sockets = sockets;
      current.hasEnded = true;
    },
  });
  if (!running.has(current)) return undefined;
  if (observation.outcome === "inconclusive") {
    if (observation.isOffline) throw new OfflineError(observation.message);
    if (observation.reason) throw new AccessFault(observation.reason, observation.message);
    if (observation.isShortage) running.shrink(current);
    throw new Error(observation.message);
  }
  const { type, pk, id, config } = current.monitor;
  const finding = type === "TLS" ? findRegistration(config) : undefined;
  const registration = finding && (await finding);
  if (!running.has(current)) return undefined;
  // Another check may have its sockets while the result waits for a commit.
  running.finish(current);
  onSettled();
  // The process may have been suspended since the end of the check, or the clock set back (behavior 1.52).
  const at = endOf(current.check, Math.min(clock.now(), endedAt));
  const dueIn = nextCheckAt(id, config.interval, current.check.startAt) - at;
  const seen = { evidence: observation, at, ...(registration && { registration }) };
  const isTransition = mayChangeStatus(current.monitor, seen);
  const recorded = await recorder.record(recordingOf(current, seen), {
    isTransition,
    dueIn,
  });
  if (recorded === "held") {
    retries.held({ pk, nextCheckAt: current.slot }, dueIn);
    return dueIn;
  }
  retries.succeeded(pk);
  return recorded && (recorded.nextCheckAt ?? Number.POSITIVE_INFINITY) - at;
}

/**
 * The clocks of the threads may differ by some milliseconds. A check that ended before its slot would be repeated in it.
 *
 * @param at when it ended, in milliseconds since 1970
 */
function endOf({ startAt }: Check, at: number): number {
  const isTooEarly = at < startAt && at > startAt - JUMP_TOLERANCE;
  return isTooEarly ? Math.ceil(startAt) : at;
}

function recordingOf(
  { monitor: { id, claim, revision }, slot, check: { startAt } }: RunningCheck,
  seen: Pick<CheckRecording, "evidence" | "at" | "registration">,
): CheckRecording {
  return { kind: "check", monitorId: id, claim, revision, ...seen, dueAt: slot, startAt };
}

interface Seen {
  evidence: Evidence;
  at: number;
  registration?: KnownRegistration | undefined;
}

/**
 * Whether a check may be a transition that channels are notified of, because its evidence is of another group than the
 * status of its monitor. A guess: the latency baseline, the memory and the suspicion of the monitor are not known here.
 */
export function mayChangeStatus(
  monitor: { type: ProbedType; config: MonitorConfig<ProbedType>; status: Status },
  { evidence, at, registration }: Seen,
): boolean {
  // The first result notifies no channel if it is healthy (behavior 5.2).
  const group = monitor.status === "unknown" ? "healthy" : groupOf[monitor.status];
  if (evidence.outcome === "reached") return group === "down";
  return group !== groupOfEvidence(monitor, { evidence, at, registration });
}

function groupOfEvidence(
  { type, config }: { type: ProbedType; config: MonitorConfig<ProbedType> },
  { evidence, at, registration }: Seen,
): StatusGroup {
  if (evidence.outcome === "failed") return "down";
  return groupOf[judgeCheck({ type, config, memory: null, registration }, evidence, at).status];
}

/**
 * How long a recording waits for others to commit with, in milliseconds. Each commit has costs of its own, and waits
 * for the disk. A job waits for the response to its check-in, and channels for a transition; nobody waits for any
 * other result.
 */
const SHORTEST_WAIT = 1;
const MAX_TRANSITION_WAIT = 50;
const MAX_WAIT = 200;

/** The result of a check whose monitor is due again soon: the scheduler knows the next slot only after the commit. */
const WAIT_OF_SOON = 50;

/** It is due soon if the longest wait and the next scan for what is due may take as long; milliseconds. */
const SOON = 700;

/** How long results wait if a transaction takes long: many of them in one then cost less. */
const WAIT_PER_WRITE = 10;

/** So many do not wait for others to commit with. */
const GROUP_SIZE = 500;

/** How many commit together at most, after a slow transaction: PostgreSQL takes about a second for them. */
const MAX_GROUP = 5000;

/**
 * @property isTransition whether a check may be a transition
 * @property dueIn milliseconds until the next check of the monitor. Default: nothing depends on it
 */
export interface Urgency {
  isTransition?: boolean;
  dueIn?: number;
}

/** A recording whose caller waits for its outcome. */
export interface Waiting {
  recording: Recording;
  resolve(recorded: Recorded | "held" | null): void;
  reject(error: unknown): void;
}

type Write = (recordings: Recording[]) => Promise<(Recorded | null)[]>;

/** A queue of recordings that commit in groups, in their order: one transaction at a time. */
export interface RecordingLane {
  add(waiting: Waiting, urgency: Urgency): void;
  /** Runs a transaction, for which the next group waits. */
  write: Write;
  /** How many wait for the next commit. */
  waiting(): number;
  /** Commits what is waiting, and waits for running commits. */
  flush(): Promise<void>;
}

/** @param commit writes a group with the `write` of this lane, waits for the disk, and resolves its recordings; has no error */
export function createRecordingLane({
  clock,
  save,
  commit,
}: {
  clock: Pick<Clock, "monotonic" | "after">;
  save: Write;
  commit: (group: Waiting[], write: Write) => Promise<void>;
}): RecordingLane {
  const queue: Waiting[] = [];
  let cancelFlush: Cancel | undefined;
  /** When the next commit is due; milliseconds of the monotonic clock. */
  let flushAt = Number.POSITIVE_INFINITY;
  /** How long the last transaction took, in milliseconds. */
  let writeTook = 0;
  /** Transactions that run. The next group waits for them and grows meanwhile, so that the database sets the pace. */
  const writing = new Set<Promise<unknown>>();
  /** Whether a group waits for a transaction to end. */
  let isDue = false;
  /** Commits that wait for the disk. */
  const running = new Set<Promise<void>>();

  async function flush(): Promise<void> {
    cancelFlush?.();
    cancelFlush = undefined;
    flushAt = Number.POSITIVE_INFINITY;
    isDue = writing.size > 0;
    if (isDue || queue.length === 0) return;
    const group = queue.splice(0, MAX_GROUP);
    isDue = queue.length > 0;
    const committed = commit(group, write);
    running.add(committed);
    await committed;
    running.delete(committed);
  }

  function flushWithin(delay: number): void {
    const latest = clock.monotonic() + delay;
    if (latest >= flushAt) return;
    flushAt = latest;
    cancelFlush?.();
    cancelFlush = clock.after(delay, () => {
      cancelFlush = undefined;
      void flush();
    });
  }

  async function write(recordings: Recording[]): Promise<(Recorded | null)[]> {
    const start = clock.monotonic();
    const transaction = save(recordings);
    writing.add(transaction);
    try {
      const recorded = await transaction;
      writeTook = clock.monotonic() - start;
      return recorded;
    } finally {
      writing.delete(transaction);
      if (isDue) void flush();
    }
  }

  /** Many transitions at once, as in an outage, commit in groups that grow with the time that the disk takes. */
  function waitOf({ kind }: Recording, { isTransition, dueIn = Number.POSITIVE_INFINITY }: Urgency): number {
    if (kind !== "check") return SHORTEST_WAIT;
    if (isTransition) return Math.min(MAX_TRANSITION_WAIT, Math.max(SHORTEST_WAIT, writeTook));
    if (dueIn > SOON) return MAX_WAIT;
    return Math.min(MAX_WAIT, Math.max(WAIT_OF_SOON, WAIT_PER_WRITE * writeTook));
  }

  return {
    add(waiting, urgency) {
      queue.push(waiting);
      if (queue.length >= GROUP_SIZE) void flush();
      else flushWithin(waitOf(waiting.recording, urgency));
    },
    write,
    waiting: () => queue.length,
    async flush() {
      while (queue.length > 0 || running.size > 0) {
        await flush();
        await Promise.allSettled([...running, ...writing]);
      }
    },
  };
}
