import type { Detail, Observation, Phases } from "../domain/checks/observation.ts";
import type { Network } from "./connections/network.ts";
import { asProbeError, isShortage, ProbeError } from "./probe-error.ts";

/** Arguments of a probe, besides the config of the monitor. */
export interface ProbeInput {
  /** Milliseconds. */
  timeout: number;
  network: Network;
  /** Cancels the probe. */
  end?: AbortController;
}

/** The state of one running probe. Its address and phases are part of the detail, however the probe ends. */
export interface ProbeContext extends ProbeInput {
  /** Aborted at the timeout and when the probe ends: it closes everything that the probe opened. */
  signal: AbortSignal;
  /** The IP address of the connection, or the one that was tried last. */
  address?: string;
  /**
   * The lack of descriptors, memory or ports that prevented an attempt. If set, a failure says nothing about the
   * target.
   */
  shortage?: Error;
  /** The step in progress, for the message of a timeout. */
  waitingFor: "DNS answer" | "connection" | "TLS handshake" | "answer" | "end of the body" | "expected text";
  phases: Phases;
}

export type Reached = Exclude<Observation, { outcome: "failed" | "inconclusive" }>;

/** Runs a probe with its timeout and turns the result, or the error, into an Observation. Never throws. */
export async function observe(
  input: ProbeInput,
  probe: (context: ProbeContext) => Promise<Reached>,
): Promise<Observation> {
  const { timeout, end = new AbortController() } = input;
  const context: ProbeContext = { ...input, signal: end.signal, waitingFor: "answer", phases: {} };
  const timedOut = Promise.withResolvers<never>();
  const timer = setTimeout(() => timedOut.reject(timeoutError(timeout, context)), timeout);
  try {
    const seen = await Promise.race([probe(context), timedOut.promise]);
    return seen.outcome === "looked_up" ? seen : { ...seen, detail: { ...seen.detail, ...traceOf(context) } };
  } catch (error) {
    return failure(context.shortage ?? error, context);
  } finally {
    clearTimeout(timer);
    end.abort();
  }
}

/** Milliseconds since a time of `performance.now()`, rounded to microseconds. */
export function since(start: number): number {
  return Math.round((performance.now() - start) * 1000) / 1000;
}

function failure(error: unknown, context: ProbeContext): Observation {
  const probeError = asProbeError(error);
  if (!probeError) return inconclusive(error);
  const { reason, message, seen } = probeError;
  const { statusCode, ...evidence } = seen;
  const detail = { ...(statusCode !== undefined && { statusCode }), message, ...traceOf(context) };
  return { outcome: "failed", reason, ...evidence, detail };
}

function inconclusive(error: unknown): Observation {
  const message = String(error);
  return isShortage(error)
    ? { outcome: "inconclusive", message, isShortage: true }
    : { outcome: "inconclusive", message };
}

function timeoutError(timeout: number, { waitingFor }: ProbeContext): ProbeError {
  return new ProbeError("timeout", `no ${waitingFor} within ${timeout / 1000} s`);
}

function traceOf({ address, phases }: ProbeContext): Detail {
  return { ...(address && { address }), phases };
}
