import { Type } from "@sinclair/typebox";
import { closed, named } from "../../domain/schemas/schema.ts";
import { allowed, resource } from "../auth/authentication.ts";
import { idOf, operation } from "../http/openapi.ts";
import type { Services } from "../http/services.ts";

const RequestedCheck = Type.Object(
  { id: Type.String({ description: "Of the monitor." }) },
  named("RequestedCheck"),
);

/** Behavior 16.247. */
export function monitorCheckRoutes({ store, clock, authenticator, refreshChecks }: Services) {
  return resource(authenticator, "/monitors/:id/check", "Monitors").post(
    "",
    async ({ caller, params, status }) => {
      const data = await store.monitors.requestCheck(caller.organizationId, params.id, clock.now());
      await refreshChecks();
      return status(202, { data });
    },
    {
      params: idOf("a monitor"),
      beforeHandle: allowed({ role: "admin" }),
      detail: operation({
        operationId: "checkMonitor",
        summary: "Check a monitor now",
        description:
          "Checks a monitor at once, at all of its locations. The result is recorded as any other. If a check is due " +
          "already, no other one follows. A monitor that is paused, and a SCHEDULED monitor, is a 422.",
        answer: Type.Object({ data: RequestedCheck }, closed),
        example: { data: { id: "gwMk6bQBonMDcGzUMCvgWu" } },
        status: 202,
        errors: [403, 404, 422],
      }),
    },
  );
}
