import { type Clock, JUMP_TOLERANCE } from "../../clock.ts";
import { nextCheckAt } from "../../domain/checks/check-slot.ts";
import type { Recorded, Recording } from "../../domain/monitors/recording-plan.ts";
import type { KnownRegistration } from "../../domain/registration/registration.ts";
import type { Check } from "../../probes/probe-messages.ts";
import type { ProbeThread } from "../../probes/probe-thread.ts";
import type { Urgency } from "./recording-lane.ts";
import type { Retries } from "./retries.ts";
import type { RunningCheck, RunningChecks } from "./running-checks.ts";
import { mayChangeStatus } from "./status-change.ts";

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

/**
 * Runs a check and records its result.
 *
 * @returns milliseconds until the next check is due; null if the monitor was changed or deleted meanwhile; undefined if the
 *   check was cancelled
 * @throws OfflineError or, because of another fault of this machine that kept it from a result, any other error
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
    if (observation.isShortage) running.shrink(current);
    throw new Error(observation.message);
  }
  const finding = findRegistration(current.monitor.config);
  const registration = finding && (await finding);
  if (!running.has(current)) return undefined;
  // Another check may have its sockets while the result waits for a commit.
  running.finish(current);
  onSettled();
  // The process may have been suspended since the end of the check, or the clock set back (behavior 1.52).
  const at = endOf(current.check, Math.min(clock.now(), endedAt));
  const { pk, id, config } = current.monitor;
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
