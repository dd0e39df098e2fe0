import { Type } from "@sinclair/typebox";
import {
  IncidentChanges,
  IncidentUpdateChanges,
  NewIncident,
  NewIncidentUpdate,
} from "../../domain/pages/incident-request.ts";
import { operationsOf, resource } from "../auth/authentication.ts";
import { idOf } from "../http/openapi.ts";
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
  const incident = operationsOf(
    { authenticator, bodies },
    {
      name: "Incident",
      one: "an incident",
      params: IncidentId,
      answer: IncidentBody,
      role: "admin",
    },
  );
  return resource({ authenticator, store }, "/pages/:id", "Incidents")
    .get(
      "/incidents",
      async ({ caller: { organizationId }, params }) => {
        const incidents = await store.incidents.list({ organizationId, pageId: params.id });
        return { data: incidents.map(incidentBody) };
      },
      {
        params: PageId,
        ...incident.list(
          "Lists all incidents that people wrote for a page, the latest first. Outages are not among them.",
          { summary: "List the incidents of a page", errors: [404] },
        ),
      },
    )
    .post(
      "/incidents",
      async ({ authored, caller, params, body, status }) => {
        const path = { organizationId: caller.organizationId, pageId: params.id };
        const created = await authored().incidents.create(path, body, clock.now());
        wakePageMails();
        return status(201, { data: incidentBody(created) });
      },
      {
        params: PageId,
        ...incident.create(
          NewIncident,
          "`updates` are in the order of time. The last one decides whether the incident is resolved. With `outageId`, the " +
            "incident begins with that outage, and the page shows it in its place.",
          { errors: [404] },
        ),
      },
    )
    .get(
      "/incidents/:incidentId",
      async ({ caller: { organizationId }, params }) => ({
        data: incidentBody(await store.incidents.find(pathOf(organizationId, params))),
      }),
      incident.read("An incident with all of its updates, the newest first."),
    )
    .patch(
      "/incidents/:incidentId",
      async ({ authored, caller, params, body }) => {
        const path = pathOf(caller.organizationId, params);
        return { data: incidentBody(await authored().incidents.update(path, body, clock.now())) };
      },
      incident.update(
        IncidentChanges,
        "Changes only the fields that are sent. To report progress, add an update instead.",
      ),
    )
    .delete(
      "/incidents/:incidentId",
      async ({ authored, caller, params }) => ({
        data: await authored().incidents.delete(pathOf(caller.organizationId, params), clock.now()),
      }),
      incident.delete("Deletes it with its updates. If it was an outage, the page shows that again."),
    )
    .post(
      "/incidents/:incidentId/updates",
      async ({ authored, caller, params, body, status }) => {
        const path = pathOf(caller.organizationId, params);
        const updated = await authored().incidents.addUpdate(path, body, clock.now());
        wakePageMails();
        return status(201, { data: incidentBody(updated) });
      },
      {
        params: IncidentId,
        ...incident.create(
          NewIncidentUpdate,
          "`resolved` resolves the incident, and any other status opens it again.",
          {
            operationId: "addIncidentUpdate",
            summary: "Add an update to an incident",
            example: examples.resolved,
            errors: [404],
          },
        ),
      },
    )
    .patch(
      "/incidents/:incidentId/updates/:updateId",
      async ({ authored, caller, params, body }) => {
        const { updateId } = params;
        const path = { ...pathOf(caller.organizationId, params), updateId };
        return { data: incidentBody(await authored().incidents.editUpdate(path, body, clock.now())) };
      },
      {
        ...incident.update(
          IncidentUpdateChanges,
          "Changes only the fields that are sent. The page says when it was edited, and nobody gets an e-mail. The latest " +
            "update decides whether the incident is resolved.",
          {
            operationId: "editIncidentUpdate",
            summary: "Edit an update of an incident",
            example: examples.edited,
          },
        ),
        params: UpdateId,
      },
    )
    .delete(
      "/incidents/:incidentId/updates/:updateId",
      async ({ authored, caller, params }) => {
        const { updateId } = params;
        const path = { ...pathOf(caller.organizationId, params), updateId };
        return { data: await authored().incidents.deleteUpdate(path, clock.now()) };
      },
      {
        ...incident.delete(
          "The update that is then the latest decides whether the incident is resolved. A 422 for the only update.",
          { operationId: "deleteIncidentUpdate", summary: "Delete an update of an incident", errors: [422] },
        ),
        params: UpdateId,
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
        ...incident.list(
          "Lists the latest 50 outages of its components that are longer than `minOutage`, the latest first. The page shows " +
            "those of its `days` as incidents, except if `incidentId` names an incident.",
          {
            operationId: "listPageOutages",
            summary: "List the outages of a page",
            answer: PageOutageBody,
            errors: [404],
          },
        ),
      },
    );
}

function pathOf(organizationId: string, { id, incidentId }: { id: string; incidentId: string }) {
  return { organizationId, pageId: id, incidentId };
}
