import { Type } from "@sinclair/typebox";
import { iso, isoOrNull } from "../../domain/iso-time.ts";
import { LOCATION_STATES, type Location } from "../../domain/locations/location.ts";
import { isKeyShared } from "../../domain/locations/protocol.ts";
import { Name, Timestamp } from "../../domain/schemas/format.ts";
import { closed, described, named, nullable, oneOf } from "../../domain/schemas/schema.ts";
import { createProbeKey } from "../../store/ids.ts";
import type { LocationReport } from "../../store/store.ts";
import { operationsOf, resource } from "../auth/authentication.ts";
import { idOf } from "../http/openapi.ts";
import type { Services } from "../http/services.ts";

export const LocationState = Type.Unsafe<Location["state"]>({
  ...oneOf(LOCATION_STATES),
  description: "`new` until the first request of its probe, `silent` without a request for 60 s.",
});

const shared = {
  id: Type.String(),
  name: Type.String(),
  createdAt: Timestamp,
  lastSeenAt: described(nullable(Timestamp), "When its probe last sent a request."),
  version: described(nullable(Type.String()), "Of its probe."),
  state: LocationState,
};

const example = {
  id: "Xo7sfTNp21dPjM3kQwZcVb",
  name: "fra",
  createdAt: "2026-11-21T09:30:00.000Z",
  lastSeenAt: "2026-11-21T10:00:00.102Z",
  version: "0.4.0",
  state: "connected",
};
const examples = {
  location: example,
  created: {
    ...example,
    lastSeenAt: null,
    version: null,
    state: "new",
    key: "stillup_probe_8Gq2ZxT1oPdWn5Kc0vRbYhLmEaUiJsFt3X7Q9wDzG4N",
  },
  report: {
    id: example.id,
    name: example.name,
    state: "connected",
    isAtFault: false,
    lastSeenAt: example.lastSeenAt,
    version: example.version,
    lagMs: 64,
    waiting: 0,
    dropped: 0,
    monitors: 12,
  },
};
const LocationBody = Type.Object(shared, named("Location", examples.location));

const CreatedLocationBody = Type.Object(
  {
    ...shared,
    key: Type.String({ description: "The key of its probe. Only this response contains it." }),
  },
  named("CreatedLocation", examples.created),
);

const Count = Type.Integer({ minimum: 0 });

const LocationReportBody = Type.Object(
  {
    id: shared.id,
    name: shared.name,
    state: shared.state,
    isAtFault: Type.Boolean({
      description:
        "Whether its own network is at fault: all of its checks fail, and other locations see most of the same targets " +
        "healthy.",
    }),
    lastSeenAt: shared.lastSeenAt,
    version: shared.version,
    lagMs: nullable(
      Type.Number({ description: "How old the oldest observation of the latest batch was when it arrived." }),
    ),
    waiting: described(Count, "How many observations its probe has not sent yet."),
    dropped: described(Count, "How many observations its probe could not keep until it could send them."),
    monitors: described(Count, "How many monitors are checked from it."),
    ping: Type.Optional(
      described(
        Type.Literal("closed"),
        "There if the machine of its probe does not let it ping, so that monitors of the protocol `icmp` can't be checked from it.",
      ),
    ),
    keySharedAt: Type.Optional(
      described(
        Timestamp,
        "When results last showed that several probes use its key. Absent unless that was in the last 10 minutes.",
      ),
    ),
  },
  named("LocationReport", examples.report),
);

function locationBody({ id, name, createdAt, lastSeenAt, version, state }: Location) {
  return { id, name, createdAt: iso(createdAt), lastSeenAt: isoOrNull(lastSeenAt), version, state };
}

function createdLocationBody(location: Location, key: string) {
  return { ...locationBody(location), key };
}

/** @param now milliseconds since 1970 */
function locationReportBody(
  { lastSeenAt, streamReturnedAt, pingAccess, ...report }: LocationReport,
  now: number,
) {
  const { id, name, state, isAtFault, version, lagMs, waiting, dropped, monitors } = report;
  const figures = { lagMs, waiting, dropped, monitors };
  const isShared = streamReturnedAt !== null && isKeyShared({ streamReturnedAt }, now);
  const shared = isShared ? { keySharedAt: iso(streamReturnedAt) } : {};
  const ping = pingAccess === "closed" ? { ping: "closed" as const } : {};
  const seen = { lastSeenAt: isoOrNull(lastSeenAt), version };
  return { id, name, state, isAtFault, ...seen, ...figures, ...ping, ...shared };
}

const LocationId = idOf("a location");

const NewLocation = Type.Object({ name: Name }, { ...closed, examples: [{ name: "fra" }] });
const LocationChanges = Type.Partial(NewLocation, { ...closed, examples: [{ name: "Frankfurt" }] });

/** Behavior 13.30. */
export function locationRoutes({ store, clock, authenticator, bodies }: Services) {
  const location = operationsOf(
    { authenticator, bodies },
    {
      name: "Location",
      one: "a location",
      params: LocationId,
      answer: LocationBody,
      role: "owner",
    },
  );
  return resource({ authenticator, store }, "/locations", "Locations")
    .get(
      "",
      async ({ caller }) => ({ data: (await store.locations.list(caller.organizationId)).map(locationBody) }),
      location.list(
        "Lists all locations of the organization, oldest first. The server itself is the location `here`, which is not " +
          "listed. Every role may do this.",
      ),
    )
    .get(
      "/report",
      async ({ caller }) => {
        const reports = await store.locations.listReports(caller.organizationId);
        return { data: reports.map((report) => locationReportBody(report, clock.now())) };
      },
      location.list(
        "How far the probe of each location is behind, whether its network is at fault, and whether several probes use its " +
          "key. Every role may do this.",
        {
          operationId: "listLocationReports",
          summary: "List the reports of all locations",
          answer: LocationReportBody,
        },
      ),
    )
    .get(
      "/:id",
      async ({ caller, params }) => ({
        data: locationBody(await store.locations.find(caller.organizationId, params.id)),
      }),
      location.read("Every role may do this."),
    )
    .post(
      "",
      async ({ authored, caller, body: { name }, status }) => {
        const { organizationId } = caller;
        const key = createProbeKey();
        const location = await authored().locations.create(
          { organizationId, name: name.trim(), key },
          clock.now(),
        );
        return status(201, { data: createdLocationBody(location, key) });
      },
      location.create(
        NewLocation,
        "Only this response contains the key of its probe, which is good for the two routes of probes and nothing else.",
        { answer: CreatedLocationBody },
      ),
    )
    .patch(
      "/:id",
      async ({ authored, caller, params, body: { name } }) => {
        const changes = { name: name?.trim() };
        const location = await authored().locations.update(caller.organizationId, params.id, changes);
        authenticator.forget();
        return { data: locationBody(location) };
      },
      location.update(LocationChanges, "The key cannot be changed: create another location instead.", {
        summary: "Rename a location",
      }),
    )
    .delete(
      "/:id",
      async ({ authored, caller, params }) => {
        const data = await authored().locations.delete(caller.organizationId, params.id);
        authenticator.forget();
        return { data };
      },
      location.delete(
        "Requests of its probe get 401 immediately. While monitors are checked from the location, this is a 422 that names " +
          "them.",
        { errors: [422] },
      ),
    );
}
