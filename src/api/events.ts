import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { listEvents } from "../db/results.ts";
import { MonitorType } from "../domain/monitor.ts";
import { PageQuery, pageSize } from "../domain/page.ts";
import { described, open } from "../domain/schema.ts";
import { StatusSchema } from "../domain/status-schema.ts";
import { authentication } from "./authentication.ts";
import { describe } from "./operation.ts";
import { EventBody, eventBody, examples, pageOf } from "./result-body.ts";
import type { Services } from "./services.ts";

const EventsQuery = Type.Composite(
  [
    PageQuery,
    Type.Object({
      type: Type.Optional(described(MonitorType, "Only results of monitors of this type.")),
      status: Type.Optional(described(StatusSchema, "Only results with this status.")),
    }),
  ],
  open,
);

/** Interface 4.3. */
export function eventRoutes({ db, callers }: Services) {
  return new Elysia({ prefix: "/api/v1/events", normalize: false }).use(authentication(callers)).get(
    "",
    async ({ caller, query: { limit, cursor: after, type, status } }) => {
      const { items, cursor } = await listEvents(db, caller.organizationId, {
        type,
        status,
        limit: pageSize(limit),
        cursor: after,
      });
      return { data: items.map(eventBody), cursor };
    },
    {
      query: EventsQuery,
      detail: describe({
        tag: "Results",
        operationId: "listEvents",
        summary: "List the results of all monitors, most recent first",
        description: "Both filters together must match.",
        answer: pageOf(EventBody),
        example: { data: [examples.event], cursor: null },
        errors: [422],
      }),
    },
  );
}
