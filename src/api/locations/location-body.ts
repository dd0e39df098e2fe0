import { Type } from "@sinclair/typebox";
import { iso, isoOrNull } from "../../domain/iso-time.ts";
import { LOCATION_STATES, type Location } from "../../domain/locations/location.ts";
import { isKeyShared } from "../../domain/locations/probe-stream.ts";
import { Timestamp } from "../../domain/schemas/format.ts";
import { described, named, nullable, oneOf } from "../../domain/schemas/schema.ts";
import type { LocationReport } from "../../store/store.ts";

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

export const LocationBody = Type.Object(shared, named("Location"));

export const CreatedLocationBody = Type.Object(
  {
    ...shared,
    key: Type.String({ description: "The key of its probe. Only this response contains it." }),
  },
  named("CreatedLocation"),
);

const Count = Type.Integer({ minimum: 0 });

export const LocationReportBody = Type.Object(
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
  named("LocationReport"),
);

export function locationBody({ id, name, createdAt, lastSeenAt, version, state }: Location) {
  return { id, name, createdAt: iso(createdAt), lastSeenAt: isoOrNull(lastSeenAt), version, state };
}

export function createdLocationBody(location: Location, key: string) {
  return { ...locationBody(location), key };
}

/** @param now milliseconds since 1970 */
export function locationReportBody(
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

const example = {
  id: "Xo7sfTNp21dPjM3kQwZcVb",
  name: "fra",
  createdAt: "2026-11-21T09:30:00.000Z",
  lastSeenAt: "2026-11-21T10:00:00.102Z",
  version: "0.4.0",
  state: "connected",
};

export const examples = {
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
