import { Type } from "@sinclair/typebox";
import { ChannelType } from "../../domain/alerts/channel.ts";
import { type AlertOutcome, DELIVERY_STATUSES } from "../../domain/alerts/delivery.ts";
import { iso, isoOrNull } from "../../domain/iso-time.ts";
import { MonitorType } from "../../domain/monitors/monitor.ts";
import { StatusSchema } from "../../domain/monitors/status-schema.ts";
import type { CheckResult, ResultEvent } from "../../domain/results/result.ts";
import { Timestamp } from "../../domain/schemas/format.ts";
import { closed, described, named, nullable, oneOf } from "../../domain/schemas/schema.ts";

const ChannelOutcomeBody = Type.Object(
  {
    channelId: Type.String(),
    type: ChannelType,
    status: oneOf(DELIVERY_STATUSES),
    attempts: Type.Integer(),
    error: nullable(Type.String()),
    deliveredAt: nullable(Timestamp),
    mutedBy: Type.Optional(
      Type.Object(
        { monitorId: Type.String(), outageId: Type.String() },
        { ...closed, description: "Only if it is muted: the outage that is the cause." },
      ),
    ),
  },
  named("ChannelOutcome"),
);

export const AlertOutcomeBody = Type.Object(
  { status: oneOf([...DELIVERY_STATUSES, "partial"]), channels: Type.Array(ChannelOutcomeBody) },
  named("AlertOutcome"),
);

const shared = {
  id: Type.String({ description: "Also the cursor for the page after this result." }),
  monitorId: Type.String(),
  status: StatusSchema,
  latencyMs: nullable(Type.Number()),
  detail: nullable(Type.Object({}, { additionalProperties: true })),
  alertTriggered: Type.Boolean(),
  alertOutcome: nullable(AlertOutcomeBody),
  createdAt: Timestamp,
};

/** Behavior 7.44. */
export const ResultBody = Type.Object(shared, named("CheckResult"));

export const MonitorSummary = Type.Object(
  { id: Type.String(), name: Type.String(), type: MonitorType },
  named("MonitorSummary"),
);
export const EventBody = Type.Object(
  {
    ...shared,
    monitor: MonitorSummary,
    previousStatus: Type.Optional(described(StatusSchema, "Only with `changes=true`.")),
  },
  named("Event"),
);

export function resultBody({
  id,
  monitorId,
  status,
  latencyMs,
  detail,
  alertOutcome,
  createdAt,
}: CheckResult) {
  return {
    id,
    monitorId,
    status,
    latencyMs,
    detail,
    alertTriggered: alertOutcome !== null,
    alertOutcome: alertOutcome && outcomeBody(alertOutcome),
    createdAt: iso(createdAt),
  };
}

export function eventBody({ monitor, previousStatus, ...result }: ResultEvent) {
  return { ...resultBody(result), monitor, ...(previousStatus && { previousStatus }) };
}

export function outcomeBody({ status, channels }: AlertOutcome) {
  return {
    status,
    channels: channels.map((channel) => ({ ...channel, deliveredAt: isoOrNull(channel.deliveredAt) })),
  };
}

const example = {
  id: "00000005r4",
  monitorId: "gwMk6bQBonMDcGzUMCvgWu",
  status: "down",
  latencyMs: null,
  detail: { reason: "reset", message: "the server reset the connection", address: "203.0.113.7" },
  alertTriggered: true,
  alertOutcome: {
    status: "delivered",
    channels: [
      {
        channelId: "rNj4BrzNPTECyp1AhuvTuk",
        type: "WEBHOOK",
        status: "delivered",
        attempts: 1,
        error: null,
        deliveredAt: "2026-11-21T10:00:00.131Z",
      },
    ],
  },
  createdAt: "2026-11-21T10:00:00.102Z",
};

export const examples = {
  result: example,
  event: { ...example, monitor: { id: example.monitorId, name: "Shop front", type: "HTTP" } },
};
