import type { deliver } from "../../../src/alerts/registry.ts";
import type { DeliveryAttempt } from "../../../src/domain/alerts/delivery.ts";
import { transitionOf } from "../../support/alerts/transitions.ts";
import type { Ledger, ReceiverPhase, SimChannel } from "../ledger.ts";
import type { Machine } from "./machine.ts";
import type { EventLoop } from "./virtual-time.ts";

type Outcome = Ledger["attempts"][number]["outcome"];

/** The timeout of an attempt; milliseconds (behavior 5.14). */
const TIMEOUT = 10_000;

const ANSWERS_AFTER = 80;
const SLOW_ANSWERS_AFTER = 4000;

const ORIGIN = "http://receiver.test/";

export function urlOf(channel: string): string {
  return ORIGIN + encodeURIComponent(channel);
}

/** @returns what sends notifications to the receivers instead of the real `deliver`, for one life of the server */
export function deliverTo(
  channels: ReadonlyMap<string, SimChannel>,
  { machine, loop, attempts }: { machine: Machine; loop: EventLoop; attempts: Ledger["attempts"] },
): typeof deliver {
  return async ({ config }, { id, event }) => {
    const channel = decodeURIComponent((config as { url: string }).url.slice(ORIGIN.length));
    const startedAt = machine.time.now;
    const { monitor, previousStatus, status, changedAt, result } = transitionOf({ event });
    // Until the answer has arrived, it may be lost.
    const attempt: Ledger["attempts"][number] = {
      channel,
      id,
      monitor: monitor.name,
      previousStatus,
      status,
      sinceWall: changedAt ?? result.createdAt,
      startedAt,
      endedAt: startedAt,
      outcome: "lost",
    };
    attempts.push(attempt);
    const { outcome, tookMs, retryAfterMs } = answerOf(channels.get(channel), machine);
    const start = loop.monotonic();
    await new Promise<void>((resolve) => void loop.after(tookMs, resolve));
    attempt.endedAt = machine.time.now;
    attempt.outcome = loop.monotonic() - start > TIMEOUT ? "timeout" : outcome;
    return attemptOf(attempt.outcome, retryAfterMs);
  };
}

interface Answer {
  outcome: Outcome;
  tookMs: number;
  retryAfterMs?: number | undefined;
}

function answerOf(channel: SimChannel | undefined, machine: Machine): Answer {
  if (machine.has("network-gone") || machine.has("no-descriptors"))
    return { outcome: "temporary", tookMs: 1 };
  if (machine.has("resolver-silent")) return { outcome: "timeout", tookMs: TIMEOUT };
  const { now } = machine.time;
  const phase = channel?.receiver.find(({ from, to }) => from <= now && now < to);
  return answers[phase?.answers ?? "ok"](phase);
}

const answers: { [A in ReceiverPhase["answers"]]: (phase: ReceiverPhase | undefined) => Answer } = {
  ok: () => ({ outcome: "delivered", tookMs: ANSWERS_AFTER }),
  slow: () => ({ outcome: "delivered", tookMs: SLOW_ANSWERS_AFTER }),
  hang: () => ({ outcome: "timeout", tookMs: TIMEOUT }),
  permanent: () => ({ outcome: "permanent", tookMs: ANSWERS_AFTER }),
  temporary: (phase) => ({ outcome: "temporary", tookMs: ANSWERS_AFTER, retryAfterMs: phase?.retryAfterMs }),
};

function attemptOf(outcome: Outcome, retryAfterMs: number | undefined): DeliveryAttempt {
  if (outcome === "delivered") return { outcome: "delivered", answer: "200" };
  const final = outcome === "permanent";
  const error = outcome === "timeout" ? "no answer within 10 s" : "the receiver answered with an error";
  return { outcome: "failed", error, final, ...(retryAfterMs !== undefined && { retryAfterMs }) };
}
