import { Type } from "@sinclair/typebox";
import { MAINTENANCE_STATES } from "../../domain/maintenance/maintenance.ts";
import { Timestamp } from "../../domain/schemas/format.ts";
import { StoredRef } from "../../domain/schemas/ref.ts";
import { named, nullable, oneOf } from "../../domain/schemas/schema.ts";

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
    ref: StoredRef,
    state: oneOf(MAINTENANCE_STATES),
    nextStartsAt: nullable({ ...Timestamp, description: "Of the open window, or else of the next one." }),
    nextEndsAt: NullableTime,
    createdAt: Timestamp,
    updatedAt: Timestamp,
  },
  named("Maintenance"),
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
