import { Type } from "@sinclair/typebox";
import { ALERT_TYPES } from "../../domain/alerts/alert-event.ts";
import { DELIVERY_STATUSES, type DeliveryRecord, summarizeOutcome } from "../../domain/alerts/delivery.ts";
import { iso, isoOrNull } from "../../domain/iso-time.ts";
import { StatusSchema } from "../../domain/monitors/status-schema.ts";
import { Timestamp } from "../../domain/schemas/format.ts";
import { PageQuery, pageSize } from "../../domain/schemas/pagination.ts";
import { closed, named, nullable, oneOf } from "../../domain/schemas/schema.ts";
import { testChannel } from "../../runner/deliveries/channel-test.ts";
import { allowed, resource } from "../auth/authentication.ts";
import { answering, idOf, pagedListing } from "../http/openapi.ts";
import type { Services } from "../http/services.ts";
import { AlertOutcomeBody, examples, MonitorSummary, outcomeBody } from "../results/results.ts";

const ChannelId = idOf("an alert channel");

const example = {
  id: "00000005r4Zk1q0TDgYxQ2WdAb",
  type: "monitor.status_changed",
  monitor: { id: "gwMk6bQBonMDcGzUMCvgWu", name: "Shop front", type: "HTTP" },
  resultId: "00000005r4",
  previousStatus: "up",
  newStatus: "down",
  location: null,
  maintenance: null,
  status: "delivered",
  attempts: 2,
  firstAttemptAt: "2026-11-21T10:00:00.110Z",
  lastAttemptAt: "2026-11-21T10:00:05.131Z",
  nextAttemptAt: null,
  deliveredAt: "2026-11-21T10:00:05.180Z",
  answer: "200",
  error: null,
  createdAt: "2026-11-21T10:00:00.102Z",
};
const DeliveryBody = Type.Object(
  {
    id: Type.String({ description: "Also the `webhook-id`, the same in every attempt." }),
    type: oneOf(ALERT_TYPES),
    monitor: nullable(MonitorSummary),
    resultId: nullable(Type.String()),
    previousStatus: nullable(StatusSchema),
    newStatus: nullable(StatusSchema),
    location: nullable(Type.Object({ id: Type.String(), name: Type.String() }, closed)),
    maintenance: nullable(Type.Object({ id: Type.String(), title: Type.String() }, closed)),
    status: oneOf(DELIVERY_STATUSES),
    attempts: Type.Integer(),
    firstAttemptAt: nullable(Timestamp),
    lastAttemptAt: nullable(Timestamp),
    nextAttemptAt: nullable(Timestamp),
    deliveredAt: nullable(Timestamp),
    answer: nullable(Type.String({ description: "The status code of the last answer of the receiver." })),
    error: nullable(Type.String()),
    createdAt: Timestamp,
  },
  named("Delivery", example),
);

/** Behavior 7.58, 13.63. */
export function deliveryRoutes({ store, clock, authenticator, delivery, testLimit }: Services) {
  return resource({ authenticator, store }, "/alerts/:id", "Alert channels")
    .post(
      "/test",
      async ({ caller, params }) => {
        const channel = await store.channels.find(caller.organizationId, params.id);
        const { id, name, language } = await store.organizations.findSettings(caller.organizationId);
        const tested = { ...channel, language: channel.language ?? language };
        const outcome = await testLimit.run(id, () =>
          testChannel(tested, {
            organization: { id, name },
            settings: delivery,
            clock,
            onGone: () => store.channels.disableGone(channel, clock.now()),
          }),
        );
        return { data: outcomeBody(summarizeOutcome([outcome])) };
      },
      {
        beforeHandle: allowed({ role: "admin" }),
        params: ChannelId,
        detail: answering({
          operationId: "testAlertChannel",
          summary: "Send a sample notification",
          description:
            "Sends one sample immediately, without retries, also to a disabled channel. An organization may run 10 tests of " +
            "channels and monitors at the same time.",
          answer: AlertOutcomeBody,
          example: examples.result.alertOutcome,
          errors: [403, 404],
        }),
      },
    )
    .get(
      "/deliveries",
      async ({ caller, params, query: { limit, cursor } }) => {
        const page = await store.deliveries.list(caller.organizationId, params.id, {
          limit: pageSize(limit),
          cursor,
        });
        return { data: page.items.map(deliveryBody), cursor: page.cursor };
      },
      {
        params: ChannelId,
        query: PageQuery,
        detail: pagedListing({
          operationId: "listDeliveries",
          summary: "List the notifications of a channel",
          description:
            "Most recent first, with the outcome of each. `monitor`, `resultId`, `previousStatus` and `newStatus` are those of " +
            "`monitor.status_changed`, and null for the other types; `location` is that of `location.…`.",
          answer: DeliveryBody,
          errors: [404],
        }),
      },
    );
}

function deliveryBody({
  firstAttemptAt,
  lastAttemptAt,
  nextAttemptAt,
  deliveredAt,
  createdAt,
  ...delivery
}: DeliveryRecord) {
  return {
    ...delivery,
    firstAttemptAt: isoOrNull(firstAttemptAt),
    lastAttemptAt: isoOrNull(lastAttemptAt),
    nextAttemptAt: isoOrNull(nextAttemptAt),
    deliveredAt: isoOrNull(deliveredAt),
    createdAt: iso(createdAt),
  };
}
