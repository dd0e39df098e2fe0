import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { shownMaintenance } from "../../domain/maintenance/maintenance.ts";
import { MaintenanceChanges, NewMaintenance } from "../../domain/maintenance/request.ts";
import { allowed, authentication, bodyFor } from "../auth/authentication.ts";
import { DeletedBody, deletedExample } from "../http/deleted-body.ts";
import { dataOf, idOf, operation } from "../http/openapi.ts";
import type { Services } from "../http/services.ts";
import { examples, MaintenanceBody } from "./maintenance-body.ts";

const MaintenanceId = idOf("a maintenance");
const tag = "Maintenances";

/** Behavior 14.40 to 14.44. */
export function maintenanceRoutes({ store, clock, authenticator, bodies, alertReview }: Services) {
  const admin = { role: "admin" } as const;
  return new Elysia({ prefix: "/api/v1/maintenances", normalize: false })
    .use(authentication(authenticator))
    .get(
      "",
      async ({ caller }) => {
        const maintenances = await store.maintenances.list(caller.organizationId, clock.now());
        return { data: maintenances.map(shownMaintenance) };
      },
      {
        detail: operation({
          tag,
          operationId: "listMaintenances",
          summary: "List maintenances",
          description:
            "Lists all maintenances of the organization, oldest first, also those that have ended.",
          answer: dataOf(Type.Array(MaintenanceBody)),
          example: { data: [examples.maintenance] },
        }),
      },
    )
    .post(
      "",
      async ({ caller, body, request, status }) => {
        const { maintenances } = store.as(authenticator.authorOf(caller, request));
        const created = await maintenances.create(caller.organizationId, body, clock.now());
        await alertReview.run();
        return status(201, { data: shownMaintenance(created) });
      },
      {
        ...bodyFor({ authenticator, bodies }, NewMaintenance, admin),
        detail: operation({
          tag,
          operationId: "createMaintenance",
          summary: "Create a maintenance",
          description:
            "Either one window, with `startsAt` and `endsAt`, or one at each run of `cron`, with `duration`. `selector` names " +
            "monitors by ID, by tag, or all; a monitor is in it if any part names it. In a window checks go on, but they are " +
            "left out of the uptime, and changes of the status are not notified.",
          answer: dataOf(MaintenanceBody),
          example: { data: examples.maintenance },
          status: 201,
          errors: [403, 413, 422],
        }),
      },
    )
    .get(
      "/:id",
      async ({ caller, params }) => ({
        data: shownMaintenance(await store.maintenances.find(caller.organizationId, params.id, clock.now())),
      }),
      {
        params: MaintenanceId,
        detail: operation({
          tag,
          operationId: "getMaintenance",
          summary: "Get a maintenance",
          description: "`nextStartsAt` and `nextEndsAt` are of the open window, or else of the next one.",
          answer: dataOf(MaintenanceBody),
          example: { data: examples.maintenance },
          errors: [404],
        }),
      },
    )
    .patch(
      "/:id",
      async ({ caller, params, body, request }) => {
        const { maintenances } = store.as(authenticator.authorOf(caller, request));
        const updated = await maintenances.update(caller.organizationId, params.id, body, clock.now());
        await alertReview.run();
        return { data: shownMaintenance(updated) };
      },
      {
        params: MaintenanceId,
        ...bodyFor({ authenticator, bodies }, MaintenanceChanges, admin),
        detail: operation({
          tag,
          operationId: "updateMaintenance",
          summary: "Update a maintenance",
          description:
            "Changes only the fields that are sent. The fields of the other form replace the form, if they are complete. A " +
            "change after which the window is not open ends it; a monitor that is no longer in it leaves it.",
          answer: dataOf(MaintenanceBody),
          example: { data: examples.maintenance },
          errors: [403, 404, 413, 422],
        }),
      },
    )
    .delete(
      "/:id",
      async ({ caller, params, request }) => {
        const { maintenances } = store.as(authenticator.authorOf(caller, request));
        const data = await maintenances.delete(caller.organizationId, params.id, clock.now());
        await alertReview.run();
        return { data };
      },
      {
        params: MaintenanceId,
        beforeHandle: allowed(admin),
        detail: operation({
          tag,
          operationId: "deleteMaintenance",
          summary: "Delete a maintenance",
          description:
            "Ends its open window. Results that were made in its windows stay left out of the uptime.",
          answer: dataOf(DeletedBody),
          example: { data: deletedExample },
          errors: [403, 404],
        }),
      },
    )
    .post(
      "/:id/end",
      async ({ caller, params, request }) => {
        const { maintenances } = store.as(authenticator.authorOf(caller, request));
        const ended = await maintenances.end(caller.organizationId, params.id, clock.now());
        await alertReview.run();
        return { data: shownMaintenance(ended) };
      },
      {
        params: MaintenanceId,
        beforeHandle: allowed(admin),
        detail: operation({
          tag,
          operationId: "endMaintenance",
          summary: "End the open window",
          description: "With `cron`, later windows stay. If no window is open, this is a 422.",
          answer: dataOf(MaintenanceBody),
          example: { data: examples.single },
          errors: [403, 404, 422],
        }),
      },
    );
}
