import type { Detail, Observation, Phases } from "../domain/checks/observation.ts";
import type { Network } from "./network.ts";
import { asProbeError, isShortage, ProbeError } from "./probe-error.ts";

/** What a probe is given. */
export interface ProbeContext {
  /** Milliseconds. */
  timeout: number;
  network: Network;
  /** Ends the probe early, for whoever no longer wants to know. */
  end?: AbortController;
}

/** What a probe works with, and leaves for the detail of its result however it ends. */
export interface ProbeInput extends ProbeContext {
  /** Aborted when the time is up and when the probe has ended: whatever the probe opened closes with it. */
  signal: AbortSignal;
  /** The IP address that was connected to, or tried last. */
  address?: string;
  /** What kept an address from being tried, if it was a lack of ours: then a failure says nothing of the target. */
  shortage?: Error;
  /** What is missing when the time is up now. */
  waitingFor: "DNS answer" | "connection" | "TLS handshake" | "answer";
  phases: Phases;
}

export type Reached = Exclude<Observation, { outcome: "failed" | "inconclusive" }>;

/** Runs a probe to its Observation, within its time; no exception leaves it. */
export async function observe(
  conditions: ProbeContext,
  probe: (attempt: ProbeInput) => Promise<Reached>,
): Promise<Observation> {
  const { timeout, end = new AbortController() } = conditions;
  const attempt: ProbeInput = { ...conditions, signal: end.signal, waitingFor: "answer", phases: {} };
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(timeoutError(timeout, attempt)), timeout);
  try {
    const seen = await Promise.race([probe(attempt), late.promise]);
    return seen.outcome === "looked_up" ? seen : { ...seen, detail: { ...seen.detail, ...traceOf(attempt) } };
  } catch (error) {
    return failure(attempt.shortage ?? error, attempt);
  } finally {
    clearTimeout(timer);
    end.abort();
  }
}

/** Milliseconds since a moment of `performance.now()`, in whole microseconds. */
export function since(start: number): number {
  return Math.round((performance.now() - start) * 1000) / 1000;
}

function failure(error: unknown, attempt: ProbeInput): Observation {
  const probeError = asProbeError(error);
  if (!probeError) return inconclusive(error);
  const { reason, message } = probeError;
  return { outcome: "failed", reason, detail: { message, ...traceOf(attempt) } };
}

function inconclusive(error: unknown): Observation {
  const message = String(error);
  return isShortage(error)
    ? { outcome: "inconclusive", message, isShortage: true }
    : { outcome: "inconclusive", message };
}

function timeoutError(timeout: number, { waitingFor }: ProbeInput): ProbeError {
  return new ProbeError("timeout", `no ${waitingFor} within ${timeout / 1000} s`);
}

function traceOf({ address, phases }: ProbeInput): Detail {
  return { ...(address && { address }), phases };
}
