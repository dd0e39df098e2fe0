import { Type } from "@sinclair/typebox";
import { FACT_KINDS } from "../../domain/causes/causes.ts";
import { iso, isoOrNull } from "../../domain/iso-time.ts";
import { Timestamp } from "../../domain/schemas/format.ts";
import { PageQuery, pageSize } from "../../domain/schemas/pagination.ts";
import { described, named, nullable, oneOf, open } from "../../domain/schemas/schema.ts";
import type { CauseWithMonitors } from "../../store/store.ts";
import { resource } from "../auth/authentication.ts";
import { answering, idOf, pagedListing } from "../http/openapi.ts";
import type { Services } from "../http/services.ts";
import { MonitorSummary } from "../results/results.ts";

const shown = {
  id: Type.String(),
  kind: oneOf(FACT_KINDS),
  value: described(Type.String(), "As in the facts of its monitors."),
  title: described(Type.String(), "How many monitors, and what they share."),
};

export const causeExample = {
  id: "9dWd1ZaVb7sKx4cYh0v2Qm",
  kind: "address",
  value: "203.0.113.7",
  title: "14 monitors at 203.0.113.7",
};

/** The cause of an outage. */
export const ShownCauseBody = Type.Object(shown, named("ShownCause", causeExample));

const CauseBody = Type.Object(
  {
    ...shown,
    startedAt: described(Timestamp, "When the first of its monitors got worse."),
    endedAt: described(nullable(Timestamp), "When the last of its outages ended. `null` while it is open."),
    refutedAt: described(nullable(Timestamp), "When a healthy monitor showed that it is not the cause."),
    monitors: Type.Array(MonitorSummary, { description: "At most 100." }),
    monitorCount: Type.Integer({ minimum: 0 }),
  },
  named("Cause", {
    ...causeExample,
    startedAt: "2026-11-21T10:00:00.102Z",
    endedAt: null,
    refutedAt: null,
    monitors: [{ id: "gwMk6bQBonMDcGzUMCvgWu", name: "Shop front", type: "HTTP" }],
    monitorCount: 14,
  }),
);

function causeBody({ startedAt, endedAt, refutedAt, ...cause }: CauseWithMonitors) {
  return {
    ...cause,
    startedAt: iso(startedAt),
    endedAt: isoOrNull(endedAt),
    refutedAt: isoOrNull(refutedAt),
  };
}

const ListQuery = Type.Composite(
  [
    PageQuery,
    Type.Object({
      open: Type.Optional(
        described(oneOf(["true", "false"]), "Only causes that are open, or only those that have ended."),
      ),
    }),
  ],
  open,
);

/** Behavior 22.23. */
export function causeRoutes({ store, authenticator }: Services) {
  return resource({ authenticator, store }, "/causes", "Outages")
    .get(
      "",
      async ({ caller, query: { limit, cursor: after, open: isOpen } }) => {
        const page = { limit: pageSize(limit), cursor: after };
        const wanted = { ...page, isOpen: isOpen === undefined ? undefined : isOpen === "true" };
        const { items, cursor } = await store.causes.list(caller.organizationId, wanted);
        return { data: items.map(causeBody), cursor };
      },
      {
        query: ListQuery,
        detail: pagedListing({
          operationId: "listCauses",
          summary: "List common causes",
          description:
            "What at least three monitors share that failed within 90 seconds, without a healthy monitor that shares it too. The " +
            "latest first, in pages.",
          answer: CauseBody,
        }),
      },
    )
    .get(
      "/:id",
      async ({ caller, params }) => ({
        data: causeBody(await store.causes.find(caller.organizationId, params.id)),
      }),
      {
        params: idOf("a cause"),
        detail: answering({
          operationId: "getCause",
          summary: "Get a common cause",
          description: "What some monitors share that failed together, and which monitors these are.",
          answer: CauseBody,
          errors: [404],
        }),
      },
    );
}
