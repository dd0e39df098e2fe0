import { Type } from "@sinclair/typebox";
import {
  IncidentChanges,
  IncidentUpdateChanges,
  NewIncident,
  NewIncidentUpdate,
} from "../../domain/pages/incident-request.ts";
import { allowed, bodyFor, resource } from "../auth/authentication.ts";
import { answering, change, creation, deletion, idOf, listing } from "../http/openapi.ts";
import type { Services } from "../http/services.ts";
import { examples, IncidentBody, incidentBody, PageOutageBody, pageOutageBody } from "./incident-body.ts";

const PageId = idOf("a public page");
const IncidentId = Type.Object({
  ...PageId.properties,
  incidentId: Type.String({ description: "The ID of an incident of the page." }),
});

const UpdateId = Type.Object({
  ...IncidentId.properties,
  updateId: Type.String({ description: "The ID of an update of the incident." }),
});

/** Behavior 15.10 to 15.15, 17.40 to 17.42. */
export function incidentRoutes({ store, clock, authenticator, bodies, wakePageMails }: Services) {
  const admin = { role: "admin" } as const;
  return resource(authenticator, "/pages/:id", "Incidents")
    .get(
      "/incidents",
      async ({ caller: { organizationId }, params }) => {
        const incidents = await store.incidents.list({ organizationId, pageId: params.id });
        return { data: incidents.map(incidentBody) };
      },
      {
        params: PageId,
        detail: listing({
          operationId: "listIncidents",
          summary: "List the incidents of a page",
          description:
            "Lists all incidents that people wrote for a page, the latest first. Outages are not among them.",
          answer: IncidentBody,
          example: examples.incident,
          errors: [404],
        }),
      },
    )
    .post(
      "/incidents",
      async ({ caller, params, body, request, status }) => {
        const { incidents } = store.as(authenticator.authorOf(caller, request));
        const path = { organizationId: caller.organizationId, pageId: params.id };
        const created = await incidents.create(path, body, clock.now());
        wakePageMails();
        return status(201, { data: incidentBody(created) });
      },
      {
        params: PageId,
        ...bodyFor({ authenticator, bodies }, NewIncident, admin),
        detail: creation({
          operationId: "createIncident",
          summary: "Create an incident",
          description:
            "`updates` are in the order of time. The last one decides whether the incident is resolved. With `outageId`, the " +
            "incident begins with that outage, and the page shows it in its place.",
          answer: IncidentBody,
          example: examples.incident,
          errors: [404],
        }),
      },
    )
    .get(
      "/incidents/:incidentId",
      async ({ caller: { organizationId }, params }) => ({
        data: incidentBody(await store.incidents.find(pathOf(organizationId, params))),
      }),
      {
        params: IncidentId,
        detail: answering({
          operationId: "getIncident",
          summary: "Get an incident",
          description: "An incident with all of its updates, the newest first.",
          answer: IncidentBody,
          example: examples.incident,
          errors: [404],
        }),
      },
    )
    .patch(
      "/incidents/:incidentId",
      async ({ caller, params, body, request }) => {
        const { incidents } = store.as(authenticator.authorOf(caller, request));
        const path = pathOf(caller.organizationId, params);
        return { data: incidentBody(await incidents.update(path, body, clock.now())) };
      },
      {
        params: IncidentId,
        ...bodyFor({ authenticator, bodies }, IncidentChanges, admin),
        detail: change({
          operationId: "updateIncident",
          summary: "Update an incident",
          description: "Changes only the fields that are sent. To report progress, add an update instead.",
          answer: IncidentBody,
          example: examples.incident,
        }),
      },
    )
    .delete(
      "/incidents/:incidentId",
      async ({ caller, params, request }) => {
        const { incidents } = store.as(authenticator.authorOf(caller, request));
        return { data: await incidents.delete(pathOf(caller.organizationId, params), clock.now()) };
      },
      {
        params: IncidentId,
        beforeHandle: allowed(admin),
        detail: deletion({
          operationId: "deleteIncident",
          summary: "Delete an incident",
          description: "Deletes it with its updates. If it was an outage, the page shows that again.",
        }),
      },
    )
    .post(
      "/incidents/:incidentId/updates",
      async ({ caller, params, body, request, status }) => {
        const { incidents } = store.as(authenticator.authorOf(caller, request));
        const path = pathOf(caller.organizationId, params);
        const updated = await incidents.addUpdate(path, body, clock.now());
        wakePageMails();
        return status(201, { data: incidentBody(updated) });
      },
      {
        params: IncidentId,
        ...bodyFor({ authenticator, bodies }, NewIncidentUpdate, admin),
        detail: creation({
          operationId: "addIncidentUpdate",
          summary: "Add an update to an incident",
          description: "`resolved` resolves the incident, and any other status opens it again.",
          answer: IncidentBody,
          example: examples.resolved,
          errors: [404],
        }),
      },
    )
    .patch(
      "/incidents/:incidentId/updates/:updateId",
      async ({ caller, params, body, request }) => {
        const { incidents } = store.as(authenticator.authorOf(caller, request));
        const { updateId } = params;
        const path = { ...pathOf(caller.organizationId, params), updateId };
        return { data: incidentBody(await incidents.editUpdate(path, body, clock.now())) };
      },
      {
        params: UpdateId,
        ...bodyFor({ authenticator, bodies }, IncidentUpdateChanges, admin),
        detail: change({
          operationId: "editIncidentUpdate",
          summary: "Edit an update of an incident",
          description:
            "Changes only the fields that are sent. The page says when it was edited, and nobody gets an e-mail. The latest " +
            "update decides whether the incident is resolved.",
          answer: IncidentBody,
          example: examples.edited,
        }),
      },
    )
    .delete(
      "/incidents/:incidentId/updates/:updateId",
      async ({ caller, params, request }) => {
        const { incidents } = store.as(authenticator.authorOf(caller, request));
        const { updateId } = params;
        const path = { ...pathOf(caller.organizationId, params), updateId };
        return { data: await incidents.deleteUpdate(path, clock.now()) };
      },
      {
        params: UpdateId,
        beforeHandle: allowed(admin),
        detail: deletion({
          operationId: "deleteIncidentUpdate",
          summary: "Delete an update of an incident",
          description:
            "The update that is then the latest decides whether the incident is resolved. A 422 for the only update.",
          errors: [422],
        }),
      },
    )
    .get(
      "/outages",
      async ({ caller: { organizationId }, params }) => {
        const outages = await store.pages.listOutages({ organizationId, pageId: params.id }, clock.now());
        return { data: outages.map(pageOutageBody) };
      },
      {
        params: PageId,
        detail: listing({
          operationId: "listPageOutages",
          summary: "List the outages of a page",
          description:
            "Lists the latest 50 outages of its components that are longer than `minOutage`, the latest first. The page shows " +
            "those of its `days` as incidents, except if `incidentId` names an incident.",
          answer: PageOutageBody,
          example: examples.outage,
          errors: [404],
        }),
      },
    );
}

function pathOf(organizationId: string, { id, incidentId }: { id: string; incidentId: string }) {
  return { organizationId, pageId: id, incidentId };
}
