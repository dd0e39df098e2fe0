import { Type } from "@sinclair/typebox";
import { Name } from "../../domain/schemas/format.ts";
import { closed } from "../../domain/schemas/schema.ts";
import { createProbeKey } from "../../store/ids.ts";
import { allowed, bodyFor, resource } from "../auth/authentication.ts";
import { answering, change, creation, deletion, idOf, listing } from "../http/openapi.ts";
import type { Services } from "../http/services.ts";
import {
  CreatedLocationBody,
  createdLocationBody,
  examples,
  LocationBody,
  LocationReportBody,
  locationBody,
  locationReportBody,
} from "./location-body.ts";

const LocationId = idOf("a location");

const NewLocation = Type.Object({ name: Name }, { ...closed, examples: [{ name: "fra" }] });
const LocationChanges = Type.Partial(NewLocation, { ...closed, examples: [{ name: "Frankfurt" }] });

/** Behavior 13.30. */
export function locationRoutes({ store, clock, authenticator, bodies }: Services) {
  const owner = { role: "owner" } as const;
  return resource(authenticator, "/locations", "Locations")
    .get(
      "",
      async ({ caller }) => ({ data: (await store.locations.list(caller.organizationId)).map(locationBody) }),
      {
        detail: listing({
          operationId: "listLocations",
          summary: "List locations",
          description:
            "Lists all locations of the organization, oldest first. The server itself is the location `here`, which is not " +
            "listed. Every role may do this.",
          answer: LocationBody,
          example: examples.location,
        }),
      },
    )
    .get(
      "/report",
      async ({ caller }) => {
        const reports = await store.locations.listReports(caller.organizationId);
        return { data: reports.map((report) => locationReportBody(report, clock.now())) };
      },
      {
        detail: listing({
          operationId: "listLocationReports",
          summary: "List the reports of all locations",
          description:
            "How far the probe of each location is behind, whether its network is at fault, and whether several probes use its " +
            "key. Every role may do this.",
          answer: LocationReportBody,
          example: examples.report,
        }),
      },
    )
    .get(
      "/:id",
      async ({ caller, params }) => ({
        data: locationBody(await store.locations.find(caller.organizationId, params.id)),
      }),
      {
        params: LocationId,
        detail: answering({
          operationId: "getLocation",
          summary: "Get a location",
          description: "Every role may do this.",
          answer: LocationBody,
          example: examples.location,
          errors: [404],
        }),
      },
    )
    .post(
      "",
      async ({ caller, body: { name }, request, status }) => {
        const { organizationId } = caller;
        const key = createProbeKey();
        const { locations } = store.as(authenticator.authorOf(caller, request));
        const location = await locations.create({ organizationId, name: name.trim(), key }, clock.now());
        return status(201, { data: createdLocationBody(location, key) });
      },
      {
        ...bodyFor({ authenticator, bodies }, NewLocation, owner),
        detail: creation({
          operationId: "createLocation",
          summary: "Create a location",
          description:
            "Only this response contains the key of its probe, which is good for the two routes of probes and nothing else.",
          answer: CreatedLocationBody,
          example: examples.created,
        }),
      },
    )
    .patch(
      "/:id",
      async ({ caller, params, body: { name }, request }) => {
        const changes = { name: name?.trim() };
        const { locations } = store.as(authenticator.authorOf(caller, request));
        const location = await locations.update(caller.organizationId, params.id, changes);
        authenticator.forget();
        return { data: locationBody(location) };
      },
      {
        params: LocationId,
        ...bodyFor({ authenticator, bodies }, LocationChanges, owner),
        detail: change({
          operationId: "updateLocation",
          summary: "Rename a location",
          description: "The key cannot be changed: create another location instead.",
          answer: LocationBody,
          example: examples.location,
        }),
      },
    )
    .delete(
      "/:id",
      async ({ caller, params, request }) => {
        const { locations } = store.as(authenticator.authorOf(caller, request));
        const data = await locations.delete(caller.organizationId, params.id);
        authenticator.forget();
        return { data };
      },
      {
        params: LocationId,
        beforeHandle: allowed(owner),
        detail: deletion({
          operationId: "deleteLocation",
          summary: "Delete a location",
          description:
            "Requests of its probe get 401 immediately. While monitors are checked from the location, this is a 422 that names " +
            "them.",
          errors: [422],
        }),
      },
    );
}
