import { Type } from "@sinclair/typebox";
import { iso, isoOrNull } from "../../domain/iso-time.ts";
import { StatusSchema } from "../../domain/monitors/status-schema.ts";
import {
  IMPACTS,
  INCIDENT_STATUSES,
  type Incident,
  type IncidentUpdate,
} from "../../domain/pages/incident.ts";
import { Timestamp } from "../../domain/schemas/format.ts";
import { described, named, nullable, oneOf } from "../../domain/schemas/schema.ts";
import type { PageOutage } from "../../store/store.ts";

const IncidentUpdateBody = Type.Object(
  {
    id: Type.String(),
    status: oneOf(INCIDENT_STATUSES),
    body: Type.String({ description: "Markdown." }),
    createdAt: Timestamp,
    editedAt: described(nullable(Timestamp), "When people last changed it; `null` if nobody did."),
  },
  named("IncidentUpdate"),
);

const investigating = {
  id: "Ty6RkXw0NbZ4VqLs8GmHcJ",
  status: "investigating",
  body: "Card payments **fail** since 10:00 UTC.",
  createdAt: "2026-11-21T10:04:00.102Z",
  editedAt: null as string | null,
};
const example = {
  id: "Pn2VsKd8YtXq0ZbLw5GmRc",
  title: "Payments fail",
  impact: "major",
  componentIds: ["U7eKxN3oGd5ZqYbT1mWvRs"],
  startedAt: "2026-11-21T10:00:00.102Z",
  resolvedAt: null,
  updates: [investigating],
};
export const examples = {
  incident: example,
  resolved: {
    ...example,
    resolvedAt: "2026-11-21T10:31:07.480Z",
    updates: [
      {
        id: "Mh3QvTz9LcXs1WbKp7NdYr",
        status: "resolved",
        body: "All payments work again.",
        createdAt: "2026-11-21T10:31:07.480Z",
        editedAt: null,
      },
      investigating,
    ],
  },
  edited: {
    ...example,
    updates: [
      { ...investigating, body: "**Some** card payments fail.", editedAt: "2026-11-21T10:06:30.015Z" },
    ],
  },
  outage: {
    id: "4cYh0v2Q9mVbT7sKxWd1Za",
    componentIds: ["U7eKxN3oGd5ZqYbT1mWvRs"],
    status: "down",
    isDown: true,
    startedAt: "2026-11-21T10:00:00.102Z",
    endedAt: null,
    incidentId: null,
  },
};
/** Behavior 15.10. */
export const IncidentBody = Type.Object(
  {
    id: Type.String(),
    title: Type.String(),
    impact: oneOf(IMPACTS),
    componentIds: Type.Array(Type.String(), { description: "Components of its page." }),
    startedAt: Timestamp,
    resolvedAt: described(nullable(Timestamp), "`null` while it is open."),
    updates: Type.Array(IncidentUpdateBody, { description: "The newest first." }),
  },
  named("Incident", examples.incident),
);

export function incidentBody({ startedAt, resolvedAt, updates, ...incident }: Incident) {
  return {
    ...incident,
    startedAt: iso(startedAt),
    resolvedAt: isoOrNull(resolvedAt),
    updates: updates.map(updateBody),
  };
}

function updateBody({ createdAt, editedAt, ...update }: IncidentUpdate) {
  return { ...update, createdAt: iso(createdAt), editedAt: isoOrNull(editedAt) };
}

/** Behavior 15.15. */
export const PageOutageBody = Type.Object(
  {
    id: Type.String({ description: "Of the outage." }),
    componentIds: Type.Array(Type.String(), { description: "The components that show its monitor." }),
    status: described(StatusSchema, "The worst one so far."),
    isDown: Type.Boolean({
      description:
        "Whether the page names it down: it was down for longer than `minOutage`. Otherwise it is degraded.",
    }),
    startedAt: Timestamp,
    endedAt: described(nullable(Timestamp), "`null` while it continues."),
    incidentId: described(
      nullable(Type.String()),
      "Of the incident that the page shows in its place; `null` without one.",
    ),
  },
  named("PageOutage", examples.outage),
);

export function pageOutageBody({ startedAt, endedAt, ...outage }: PageOutage) {
  return { ...outage, startedAt: iso(startedAt), endedAt: isoOrNull(endedAt) };
}
