import { Type } from "@sinclair/typebox";
import { STORED_CHANNEL_TYPES } from "../../domain/alerts/channel.ts";
import { type AlertOutcome, DELIVERY_STATUSES } from "../../domain/alerts/delivery.ts";
import { iso, isoOrNull, parseTime } from "../../domain/iso-time.ts";
import { MonitorType } from "../../domain/monitors/monitor.ts";
import { StatusSchema } from "../../domain/monitors/status-schema.ts";
import { Tag } from "../../domain/monitors/tags.ts";
import type { CheckResult, ResultEvent } from "../../domain/results/history.ts";
import { Time, Timestamp } from "../../domain/schemas/format.ts";
import { PageQuery, pageSize } from "../../domain/schemas/pagination.ts";
import { closed, described, named, nullable, oneOf, open, parameter } from "../../domain/schemas/schema.ts";
import { invalid } from "../../errors.ts";
import { resource } from "../auth/authentication.ts";
import { idOf, pagedListing } from "../http/openapi.ts";
import type { Services } from "../http/services.ts";

/** The query parameters of a stretch of time, as properties of an object. */
export const stretchParameters = {
  from: Type.Optional(parameter(Time, "The start, ISO 8601 with an offset. Default: all that is stored.")),
  to: Type.Optional(parameter(Time, "The end, not included. Default: now.")),
};

/** The query parameters that choose results (behavior 16.200, 16.201). */
export const resultParameters = {
  ...stretchParameters,
  problems: Type.Optional(
    described(oneOf(["true", "false"]), "Whether only results with a status of group warning or down."),
  ),
};

interface Query {
  from?: string;
  to?: string;
}

/**
 * The stretch of time of a query, in milliseconds since 1970.
 *
 * @throws AppError `invalid` for one that ends before it begins
 */
export function stretchOf({ from, to }: Query): { from: number | undefined; to: number | undefined } {
  const stretch = { from: parseTime(from ?? "") ?? undefined, to: parseTime(to ?? "") ?? undefined };
  if (stretch.from !== undefined && stretch.to !== undefined && stretch.from >= stretch.to)
    throw invalid("to must be later than from");
  return stretch;
}

/** The results that a query chooses. @throws AppError `invalid` like `stretchOf` */
export function resultFilterOf({ problems, ...query }: Query & { problems?: "true" | "false" }) {
  return { ...stretchOf(query), problems: problems === "true" };
}

const ResultsQuery = Type.Composite([PageQuery, Type.Object(resultParameters)], open);

/** Behavior 7.46. */
export function resultRoutes({ store, authenticator }: Services) {
  return resource({ authenticator, store }, "/monitors/:id/results", "Results").get(
    "",
    async ({ caller, params, query: { limit, cursor: after, ...query } }) => {
      const page = {
        ...{ monitorId: params.id, limit: pageSize(limit), cursor: after },
        ...resultFilterOf(query),
      };
      const { items, cursor } = await store.results.list(caller.organizationId, page);
      return { data: items.map(resultBody), cursor };
    },
    {
      params: idOf("a monitor"),
      query: ResultsQuery,
      detail: pagedListing({
        operationId: "listResults",
        summary: "List the results of a monitor",
        description: "Most recent first, in pages. If several filters are set, a result must match all.",
        answer: ResultBody,
        errors: [404],
      }),
    },
  );
}

const EventsQuery = Type.Composite(
  [
    ResultsQuery,
    Type.Object({
      type: Type.Optional(described(MonitorType, "Only results of monitors of this type.")),
      status: Type.Optional(described(StatusSchema, "Only results with this status.")),
      tag: Type.Optional(parameter(Tag, "Only results of monitors that have this tag now.")),
      changes: Type.Optional(
        described(oneOf(["true", "false"]), "Whether only results that changed the status of their monitor."),
      ),
    }),
  ],
  open,
);

/** Behavior 7.47. */
export function eventRoutes({ store, authenticator }: Services) {
  return resource({ authenticator, store }, "/events", "Results").get(
    "",
    async ({ caller, query: { limit, cursor: after, type, status, tag, changes, ...query } }) => {
      const { items, cursor } = await store.results.listEvents(caller.organizationId, {
        type,
        status,
        tag,
        changes: changes === "true",
        ...resultFilterOf(query),
        limit: pageSize(limit),
        cursor: after,
      });
      return { data: items.map(eventBody), cursor };
    },
    {
      query: EventsQuery,
      detail: pagedListing({
        operationId: "listEvents",
        summary: "List the results of all monitors",
        description: "Most recent first, in pages. If several filters are set, a result must match all.",
        answer: EventBody,
      }),
    },
  );
}

const ChannelOutcomeBody = Type.Object(
  {
    channelId: Type.String({ description: "Of a schedule, while it is not decided whom it notifies." }),
    type: oneOf(STORED_CHANNEL_TYPES),
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
/** Behavior 7.44. */
const ResultBody = Type.Object(shared, named("CheckResult", examples.result));

export const MonitorSummary = Type.Object(
  { id: Type.String(), name: Type.String(), type: MonitorType },
  named("MonitorSummary"),
);
const EventBody = Type.Object(
  {
    ...shared,
    monitor: MonitorSummary,
    previousStatus: Type.Optional(described(StatusSchema, "Only with `changes=true`.")),
  },
  named("Event", examples.event),
);

function resultBody({ id, monitorId, status, latencyMs, detail, alertOutcome, createdAt }: CheckResult) {
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

function eventBody({ monitor, previousStatus, ...result }: ResultEvent) {
  return { ...resultBody(result), monitor, ...(previousStatus && { previousStatus }) };
}

export function outcomeBody({ status, channels }: AlertOutcome) {
  return {
    status,
    channels: channels.map((channel) => ({ ...channel, deliveredAt: isoOrNull(channel.deliveredAt) })),
  };
}
