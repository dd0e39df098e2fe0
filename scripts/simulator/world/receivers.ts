import { type deliver, requestOf } from "../../../src/alerts/deliver.ts";
import { isTransition, type MaintenanceNotice, type Notice } from "../../../src/domain/alerts/alert-event.ts";
import type { ChannelConfig } from "../../../src/domain/alerts/channel.ts";
import type { DeliveryAttempt, Transition } from "../../../src/domain/alerts/delivery.ts";
import type { WebhookConfig } from "../../../src/domain/alerts/webhook-format.ts";
import type { Ledger, ReceiverPhase, SimChannel, SimIncident } from "../ledger.ts";
import type { Machine } from "./machine.ts";
import type { EventLoop } from "./virtual-time.ts";

type Outcome = Ledger["attempts"][number]["outcome"];

/** The timeout of an attempt; milliseconds (behavior 5.14). */
const TIMEOUT = 10_000;

const ANSWERS_AFTER = 80;
const SLOW_ANSWERS_AFTER = 4000;

const ORIGINS = { WEBHOOK: "http://receiver.test/", SLACK: "https://hooks.slack.com/services/" };

const ROUTING_KEY = "0123456789abcdef0123456789abcdef";

export function configOf({ name, type, format }: SimChannel): ChannelConfig {
  const url = ORIGINS[type] + encodeURIComponent(name);
  if (format === "alertmanager") return { url, format };
  if (format) return { url, format, options: { routingKey: ROUTING_KEY } };
  return type === "WEBHOOK" ? { url } : { webhookUrl: url };
}

/** The name of the channel with a config. */
function nameOf(config: object): string {
  const { url, webhookUrl = url } = config as { url?: string; webhookUrl?: string };
  return decodeURIComponent(webhookUrl?.split("/").at(-1) ?? "");
}

/** @returns what sends notifications to the receivers instead of the real `deliver`, for one life of the server */
export function deliverTo(
  channels: ReadonlyMap<string, SimChannel>,
  { machine, loop, ledger }: { machine: Machine; loop: EventLoop; ledger: Ledger },
): typeof deliver {
  return async ({ config }, notification) => {
    const { id, event, others = [] } = notification;
    const channel = nameOf(config);
    const startedAt = machine.time.now;
    const events = [event, ...others];
    const parts = events.flatMap((one, place): SimAttempt[] => {
      const part = { channel, startedAt, id: place === 0 ? id : "", digest: id };
      if (isTransition(one)) {
        const format = channels.get(channel)?.format;
        const incident =
          format && incidentsOf[format](config as WebhookConfig, { ...notification, now: machine.wall() });
        return [{ ...attemptAt(part, one, events.length > 1), ...(incident && { incident }) }];
      }
      if (isAboutMaintenance(one))
        ledger.notices.push({ channel, id, type: one.type, maintenance: one.maintenance.title, startedAt });
      return [];
    });
    ledger.attempts.push(...parts);
    const { outcome, tookMs, retryAfterMs } = answerOf(channels.get(channel), machine);
    const start = loop.monotonic();
    await new Promise<void>((resolve) => void loop.after(tookMs, resolve));
    const seen = loop.monotonic() - start > TIMEOUT ? "timeout" : outcome;
    for (const part of parts) Object.assign(part, { endedAt: machine.time.now, outcome: seen });
    return attemptOf(seen, retryAfterMs);
  };
}

type SimAttempt = Ledger["attempts"][number];
type Sent = Parameters<typeof requestOf>[1];

/** The change of an incident in the body that its receiver gets. */
const incidentsOf: {
  [Format in NonNullable<SimChannel["format"]>]: (config: WebhookConfig, sent: Sent) => SimIncident;
} = {
  pagerduty(config, sent) {
    const { body } = requestOf(config, sent, "http://stillup.test");
    const { dedup_key: key, event_action: action } = JSON.parse(String(body));
    return { key, action };
  },
  alertmanager(config, sent) {
    const { body } = requestOf(config, sent, "http://stillup.test");
    const [{ labels, endsAt }] = JSON.parse(String(body));
    const until = Date.parse(endsAt);
    const key = JSON.stringify(labels);
    return until <= sent.now ? { key, action: "resolve" } : { key, action: "trigger", until };
  },
};

/** Until the answer has arrived, it may be lost. */
function attemptAt(
  { digest, startedAt, ...part }: Pick<SimAttempt, "channel" | "startedAt" | "id"> & { digest: string },
  { monitor, previousStatus, status, changedAt, result, reminder }: Transition,
  isDigest: boolean,
): SimAttempt {
  return {
    ...part,
    ...{ monitor: monitor.name, previousStatus, status, resultId: result.id },
    sinceWall: changedAt ?? result.createdAt,
    ...(reminder && { reminder }),
    ...(isDigest && { digest }),
    startedAt,
    endedAt: startedAt,
    outcome: "lost",
  };
}

function isAboutMaintenance(notice: Notice): notice is MaintenanceNotice {
  return "maintenance" in notice;
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
