import { Type } from "@sinclair/typebox";
import { RELATIONS } from "../../domain/monitors/dependencies.ts";
import { StatusSchema } from "../../domain/monitors/status-schema.ts";
import { described, named, oneOf, open } from "../../domain/schemas/schema.ts";
import { resource } from "../auth/authentication.ts";
import { idOf, listing } from "../http/openapi.ts";
import type { Services } from "../http/services.ts";

const RelatedBody = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    status: StatusSchema,
    enabled: Type.Boolean(),
    dependsOn: Type.Array(Type.String(), { description: "The IDs of the monitors that it depends on." }),
    isNotified: Type.Boolean({ description: "Whether an enabled channel is bound to it." }),
  },
  named("RelatedMonitor"),
);

/** Behavior 7.50: what the page shows of the monitors around one. */
export function relatedMonitorRoutes({ store, authenticator }: Services) {
  return resource(authenticator, "/monitors/:id/related", "Monitors").get(
    "",
    async ({ caller, params: { id }, query: { relation } }) => ({
      data: await store.monitors.listRelated(caller.organizationId, { id, relation }),
    }),
    {
      params: idOf("a monitor"),
      query: Type.Object({ relation: described(oneOf(RELATIONS), "Which monitors are listed.") }, open),
      detail: listing({
        operationId: "listRelatedMonitors",
        summary: "List the dependencies or the dependents of a monitor",
        description:
          "Lists the monitor itself, then those that it depends on, or those that depend on it, directly or not: the " +
          "nearest first, at most 1,000.",
        answer: RelatedBody,
        example: {
          id: "gwMk6bQBonMDcGzUMCvgWu",
          name: "Shop front",
          status: "up",
          enabled: true,
          dependsOn: [],
          isNotified: true,
        },
        errors: [404, 422],
      }),
    },
  );
}
