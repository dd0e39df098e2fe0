import { Type } from "@sinclair/typebox";
import { MonitorType } from "../../domain/monitors/monitor.ts";
import { StatusSchema } from "../../domain/monitors/status-schema.ts";
import { Tag } from "../../domain/monitors/tags.ts";
import { PageQuery, pageSize } from "../../domain/schemas/pagination.ts";
import { described, oneOf, open, parameter } from "../../domain/schemas/schema.ts";
import { resource } from "../auth/authentication.ts";
import { idOf, pagedListing } from "../http/openapi.ts";
import type { Services } from "../http/services.ts";
import { EventBody, eventBody, examples, ResultBody, resultBody } from "./result-body.ts";
import { resultFilterOf, resultParameters } from "./result-query.ts";

const ResultsQuery = Type.Composite([PageQuery, Type.Object(resultParameters)], open);

/** Behavior 7.46. */
export function resultRoutes({ store, authenticator }: Services) {
  return resource(authenticator, "/monitors/:id/results", "Results").get(
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
        example: examples.result,
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
  return resource(authenticator, "/events", "Results").get(
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
        example: examples.event,
      }),
    },
  );
}
