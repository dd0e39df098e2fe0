import { Type } from "@sinclair/typebox";
import { MAINTENANCE_STATES, shownMaintenance } from "../../domain/maintenance/maintenance.ts";
import { MaintenanceChanges, NewMaintenance } from "../../domain/maintenance/request.ts";
import { StoredRef, Timestamp } from "../../domain/schemas/format.ts";
import { named, nullable, oneOf } from "../../domain/schemas/schema.ts";
import { allowed, operationsOf, resource } from "../auth/authentication.ts";
import { answering, idOf } from "../http/openapi.ts";
import type { Services } from "../http/services.ts";

const MaintenanceId = idOf("a maintenance");

/** Behavior 14.40 to 14.44. */
export function maintenanceRoutes({ store, clock, authenticator, bodies, alertReview }: Services) {
  const admin = { role: "admin" } as const;
  const maintenance = operationsOf(
    { authenticator, bodies },
    {
      name: "Maintenance",
      one: "a maintenance",
      params: MaintenanceId,
      answer: MaintenanceBody,
      role: "admin",
    },
  );
  return resource({ authenticator, store }, "/maintenances", "Maintenances")
    .get(
      "",
      async ({ caller }) => {
        const maintenances = await store.maintenances.list(caller.organizationId, clock.now());
        return { data: maintenances.map(shownMaintenance) };
      },
      maintenance.list(
        "Lists all maintenances of the organization, oldest first, also those that have ended.",
      ),
    )
    .post(
      "",
      async ({ authored, caller, body, status }) => {
        const created = await authored().maintenances.create(caller.organizationId, body, clock.now());
        await alertReview.run();
        return status(201, { data: shownMaintenance(created) });
      },
      maintenance.create(
        NewMaintenance,
        "Either one window, with `startsAt` and `endsAt`, or one at each run of `cron`, with `duration`. `selector` names " +
          "monitors by ID, by tag, or all; a monitor is in it if any part names it. In a window checks go on, but they are " +
          "left out of the uptime, and changes of the status are not notified.",
      ),
    )
    .get(
      "/:id",
      async ({ caller, params }) => ({
        data: shownMaintenance(await store.maintenances.find(caller.organizationId, params.id, clock.now())),
      }),
      maintenance.read("`nextStartsAt` and `nextEndsAt` are of the open window, or else of the next one."),
    )
    .patch(
      "/:id",
      async ({ authored, caller, params, body }) => {
        const updated = await authored().maintenances.update(
          caller.organizationId,
          params.id,
          body,
          clock.now(),
        );
        await alertReview.run();
        return { data: shownMaintenance(updated) };
      },
      maintenance.update(
        MaintenanceChanges,
        "Changes only the fields that are sent. The fields of the other form replace the form, if they are complete. A " +
          "change after which the window is not open ends it; a monitor that is no longer in it leaves it.",
      ),
    )
    .delete(
      "/:id",
      async ({ authored, caller, params }) => {
        const data = await authored().maintenances.delete(caller.organizationId, params.id, clock.now());
        await alertReview.run();
        return { data };
      },
      maintenance.delete(
        "Ends its open window. Results that were made in its windows stay left out of the uptime.",
      ),
    )
    .post(
      "/:id/end",
      async ({ authored, caller, params }) => {
        const ended = await authored().maintenances.end(caller.organizationId, params.id, clock.now());
        await alertReview.run();
        return { data: shownMaintenance(ended) };
      },
      {
        params: MaintenanceId,
        beforeHandle: allowed(admin),
        detail: answering({
          operationId: "endMaintenance",
          summary: "End the open window",
          description: "With `cron`, later windows stay. If no window is open, this is a 422.",
          answer: MaintenanceBody,
          example: examples.single,
          errors: [403, 404, 422],
        }),
      },
    );
}

const NullableTime = nullable(Timestamp);

/** Arrays may be empty here: what they named may be deleted. */
const SelectorBody = Type.Object(
  {
    monitorIds: Type.Optional(Type.Array(Type.String())),
    tags: Type.Optional(Type.Array(Type.String())),
    all: Type.Optional(Type.Literal(true)),
  },
  named("MaintenanceSelector"),
);

const example = {
  id: "Zc2pGqYt8KXbW4m1rVnD5s",
  title: "Nightly restart",
  message: null,
  selector: { tags: ["web"] },
  startsAt: null,
  endsAt: null,
  cron: "30 2 * * *",
  timezone: "Europe/Berlin",
  duration: 1800,
  until: null,
  notifyChannelIds: ["rNj4BrzNPTECyp1AhuvTuk"],
  notifySubscribers: false,
  ref: null,
  state: "scheduled",
  nextStartsAt: "2026-11-22T01:30:00.000Z",
  nextEndsAt: "2026-11-22T02:00:00.000Z",
  createdAt: "2026-11-21T09:30:00.000Z",
  updatedAt: "2026-11-21T09:30:00.000Z",
};
export const examples = {
  maintenance: example,
  single: {
    ...example,
    title: "Move to another rack",
    startsAt: "2026-11-21T09:00:00.000Z",
    endsAt: "2026-11-21T09:42:10.000Z",
    cron: null,
    timezone: null,
    duration: null,
    state: "ended",
    nextStartsAt: null,
    nextEndsAt: null,
  },
};
/** Behavior 14.40. */
export const MaintenanceBody = Type.Object(
  {
    id: Type.String(),
    title: Type.String(),
    message: nullable(Type.String()),
    selector: SelectorBody,
    startsAt: NullableTime,
    endsAt: NullableTime,
    cron: nullable(Type.String()),
    timezone: nullable(Type.String()),
    duration: nullable(Type.Integer({ description: "Seconds." })),
    until: NullableTime,
    notifyChannelIds: Type.Array(Type.String()),
    notifySubscribers: Type.Boolean(),
    ref: StoredRef,
    state: oneOf(MAINTENANCE_STATES),
    nextStartsAt: nullable({ ...Timestamp, description: "Of the open window, or else of the next one." }),
    nextEndsAt: NullableTime,
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  named("Maintenance", examples.maintenance),
);
