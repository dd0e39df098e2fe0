import { Type } from "@sinclair/typebox";
import { Tag } from "../../domain/monitors/tags.ts";
import { Time } from "../../domain/schemas/format.ts";
import { PageQuery, pageSize } from "../../domain/schemas/pagination.ts";
import { closed, described, oneOf, open, parameter } from "../../domain/schemas/schema.ts";
import { allowed, bodyFor, resource } from "../auth/authentication.ts";
import { answering, change, idOf, pagedListing } from "../http/openapi.ts";
import type { Services } from "../http/services.ts";
import { stretchOf } from "../results/results.ts";
import { EvidenceBody, evidenceBody, evidenceExample } from "./evidence-body.ts";
import {
  examples,
  OutageBody,
  OutageReportBody,
  OutageWithDetailBody,
  outageBody,
  outageReportBody,
  TimelineItemBody,
  timelineItemBody,
} from "./outage-body.ts";

const OutageId = idOf("an outage");

/** The query parameters that choose outages by their time and their monitors, as properties of an object. */
export const outageParameters = {
  from: Type.Optional(parameter(Time, "Only outages that lasted after this time, ISO 8601 with an offset.")),
  to: Type.Optional(parameter(Time, "Only outages that began before this time.")),
  tag: Type.Optional(parameter(Tag, "Only of monitors that have this tag now.")),
  search: Type.Optional(
    Type.String({
      maxLength: 200,
      description: "Only of monitors that have this text in their name, target or a tag, ignoring case.",
    }),
  ),
};

const ListQuery = Type.Composite(
  [
    PageQuery,
    Type.Object({
      monitorId: Type.Optional(Type.String({ description: "Only outages of this monitor." })),
      open: Type.Optional(
        described(oneOf(["true", "false"]), "Only outages that continue, or only those that have ended."),
      ),
      ...outageParameters,
    }),
  ],
  open,
);

const Acknowledgement = Type.Object(
  { note: Type.Optional(Type.String({ format: "note", description: "Up to 500 characters." })) },
  { ...closed, examples: examples.acknowledge },
);

function requestOf({
  limit,
  cursor,
  monitorId,
  open: isOpen,
  tag,
  search,
  ...query
}: (typeof ListQuery)["static"]) {
  return {
    ...{ monitorId, tag, search, limit: pageSize(limit), cursor },
    ...stretchOf(query),
    isOpen: isOpen === undefined ? undefined : isOpen === "true",
  };
}

/** Behavior 14.53 to 14.56, 16.210, 16.211, 19.81. */
export function outageRoutes({ store, clock, authenticator, bodies, alertReview }: Services) {
  const acknowledging = { role: "admin", ofPeople: "viewer" } as const;
  return resource({ authenticator, store }, "/outages", "Outages")
    .get(
      "",
      async ({ caller, query }) => {
        const { items, cursor } = await store.outages.list(caller.organizationId, requestOf(query));
        return { data: items.map((one) => outageBody(one, clock.now())), cursor };
      },
      {
        query: ListQuery,
        detail: pagedListing({
          operationId: "listOutages",
          summary: "List outages",
          description: "The latest first, in pages. If several filters are set, an outage must match all.",
          answer: OutageBody,
        }),
      },
    )
    .get(
      "/report",
      async ({ caller, query }) => {
        const found = await store.outages.listWithDetails(caller.organizationId, requestOf(query));
        return { data: found.items.map((one) => outageBody(one, clock.now())), cursor: found.cursor };
      },
      {
        query: ListQuery,
        detail: pagedListing({
          operationId: "listOutageReports",
          summary: "List outages with their causes",
          description: "Like the list of outages. Each also has the detail of its first result.",
          answer: OutageWithDetailBody,
        }),
      },
    )
    .get(
      "/:id",
      async ({ caller, params }) => ({
        data: outageBody(await store.outages.find(caller.organizationId, params.id), clock.now()),
      }),
      {
        params: OutageId,
        detail: answering({
          operationId: "getOutage",
          summary: "Get an outage",
          description: "Returns the outage. A GET never acknowledges it.",
          answer: OutageBody,
          errors: [404],
        }),
      },
    )
    .get(
      "/:id/report",
      async ({ caller, params }) => ({
        data: outageReportBody(await store.outages.findReport(caller.organizationId, params.id)),
      }),
      {
        params: OutageId,
        detail: answering({
          operationId: "getOutageReport",
          summary: "Get what the checks of an outage saw",
          description:
            "The cause, the last good and the last failing check, and the latencies around the outage.",
          answer: OutageReportBody,
          errors: [404],
        }),
      },
    )
    .get(
      "/:id/evidence",
      async ({ caller: { organizationId, role }, params }) => ({
        data: (await store.evidence.listOfOutage(organizationId, params.id)).map((one) =>
          evidenceBody(one, role),
        ),
      }),
      {
        params: OutageId,
        detail: answering({
          operationId: "getOutageEvidence",
          summary: "Get the evidence of an outage",
          description:
            "What each location knew when its check failed, and how it differs from its last good check. The oldest first. Empty " +
            "for a job.",
          answer: Type.Array(EvidenceBody),
          example: [evidenceExample],
          errors: [404],
        }),
      },
    )
    .get(
      "/:id/timeline",
      async ({ caller, params }) => ({
        data: (await store.outages.findTimeline(caller.organizationId, params.id)).map(timelineItemBody),
      }),
      {
        params: OutageId,
        detail: answering({
          operationId: "getOutageTimeline",
          summary: "Get the timeline of an outage",
          description:
            "What happened, oldest first: what the checks saw, the acknowledgement, and each notification that was decided.",
          answer: Type.Array(TimelineItemBody),
          example: examples.timeline,
          errors: [404],
        }),
      },
    )
    .post(
      "/:id/acknowledge",
      async ({ authored, caller, params, body }) => {
        const given = { by: caller.actor.name, note: body.note || null };
        const outage = await authored().outages.acknowledge(
          caller.organizationId,
          params.id,
          given,
          clock.now(),
        );
        await alertReview.run();
        return { data: outageBody(outage, clock.now()) };
      },
      {
        params: OutageId,
        ...bodyFor({ authenticator, bodies }, Acknowledgement, { ...acknowledging, isOptional: true }),
        detail: change({
          operationId: "acknowledgeOutage",
          summary: "Acknowledge an outage",
          description:
            "Ends its reminders, and withdraws the notifications that wait for their `after`. Again: replaces the note. It " +
            "ends if the monitor goes from warning to down. A person of any role may do this.",
          answer: OutageBody,
        }),
      },
    )
    .delete(
      "/:id/acknowledge",
      async ({ authored, caller, params }) => {
        const outage = await authored().outages.unacknowledge(caller.organizationId, params.id, clock.now());
        await alertReview.run();
        return { data: outageBody(outage, clock.now()) };
      },
      {
        params: OutageId,
        beforeHandle: allowed(acknowledging),
        detail: answering({
          operationId: "unacknowledgeOutage",
          summary: "Take the acknowledgement of an outage back",
          description: "Clears the note, and sends what the acknowledgement had withdrawn.",
          answer: OutageBody,
          example: { ...examples.outage, acknowledgedAt: null, acknowledgedBy: null, note: null },
          errors: [403, 404, 422],
        }),
      },
    );
}
