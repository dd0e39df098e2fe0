import { type Static, Type } from "@sinclair/typebox";
import type { DiscoveryReport } from "../../domain/discovery/report.ts";
import { NO_DISCOVERY } from "../../domain/discovery/report.ts";
import { SOURCE_NAMES } from "../../domain/discovery/settings.ts";
import { isoOrNull } from "../../domain/iso-time.ts";
import { MonitorType } from "../../domain/monitors/monitor.ts";
import { Timestamp } from "../../domain/schemas/format.ts";
import { closed, described, named, nullable, oneOf, open } from "../../domain/schemas/schema.ts";
import { resource } from "../auth/authentication.ts";
import { answering } from "../http/openapi.ts";
import type { Services } from "../http/services.ts";

const SourceField = described(oneOf(SOURCE_NAMES), "Where it was found.");

const DraftBody = Type.Object(
  {
    name: Type.String(),
    type: MonitorType,
    config: Type.Object({}, { additionalProperties: true }),
  },
  { ...closed, description: "The fields of a new monitor." },
);

const DiscoveryBody = Type.Object(
  {
    sources: Type.Array(
      Type.Object(
        {
          source: SourceField,
          found: described(
            Type.Integer({ minimum: 0 }),
            "How many things run there, without those that say that they are not to be watched.",
          ),
          readAt: described(nullable(Timestamp), "When it was last read. `null` before."),
          unwatched: described(Type.Integer({ minimum: 0 }), "How many of them no monitor watches."),
        },
        closed,
      ),
    ),
    entries: Type.Array(
      Type.Object(
        {
          source: SourceField,
          ref: described(Type.String(), "The ref of the monitor, such as `docker/web`."),
          name: Type.String(),
          monitorId: described(nullable(Type.String()), "`null` if it is no monitor: see `faults`."),
          goneAt: described(nullable(Timestamp), "Since when the source lacks it. Its monitor is paused."),
          deleteAt: described(nullable(Timestamp), "When its monitor is deleted unless it comes back."),
        },
        closed,
      ),
      { description: "What is a monitor, or is to be one." },
    ),
    faults: Type.Array(
      Type.Object(
        {
          source: SourceField,
          entry: Type.Optional(
            described(Type.String(), "The ref or the name of what it concerns. Absent for the whole source."),
          ),
          message: described(Type.String(), "What is wrong. What it concerns stays as it is."),
        },
        closed,
      ),
    ),
    unwatched: Type.Array(
      Type.Object(
        {
          source: SourceField,
          name: Type.String(),
          draft: Type.Optional(
            described(nullable(DraftBody), "With `drafts=true`. `null` if nothing is known to check."),
          ),
        },
        closed,
      ),
      { description: "What runs and no monitor watches." },
    ),
  },
  named("Discovery", {
    sources: [{ source: "docker", found: 40, readAt: "2026-11-29T08:00:00.000Z", unwatched: 1 }],
    entries: [
      {
        source: "docker",
        ref: "docker/web",
        name: "Web",
        monitorId: "9dWd1ZaVb7sKx4cYh0v2Qm",
        goneAt: null,
        deleteAt: null,
      },
    ],
    faults: [{ source: "docker", entry: "docker/db", message: "config.port must be 1 to 65535" }],
    unwatched: [
      {
        source: "docker",
        name: "cache-1",
        draft: { name: "cache-1", type: "TCP", config: { host: "127.0.0.1", port: 6379, interval: 60 } },
      },
    ],
  }),
);

const DiscoveryQuery = Type.Object(
  {
    drafts: Type.Optional(
      described(oneOf(["true", "false"]), "Whether `unwatched` has the fields of a new monitor."),
    ),
  },
  open,
);

/** Behavior 28.80 to 28.83. */
export function discoveryRoutes(services: Services) {
  return resource(services, "/discovery", "Status").get(
    "",
    async ({ caller: { organizationId }, query: { drafts } }) => {
      const report = await services.discovery?.report(organizationId);
      return { data: discoveryBody(report ?? NO_DISCOVERY, drafts === "true") };
    },
    {
      query: DiscoveryQuery,
      detail: answering({
        operationId: "getDiscovery",
        summary: "Get what runs here",
        description:
          "Returns what the sources of `discover` found, as the node that answers has last read them: the monitors that they asked for, " +
          "their faults, and what runs and no monitor watches. Everything is empty without discovery, and for other organizations.",
        answer: DiscoveryBody,
        errors: [422],
      }),
    },
  );
}

function discoveryBody(
  { sources, entries, faults, unwatched }: DiscoveryReport,
  withDrafts: boolean,
): Static<typeof DiscoveryBody> {
  return {
    sources: sources.map(({ readAt, ...source }) => ({ ...source, readAt: isoOrNull(readAt) })),
    entries: entries.map(({ goneAt, deleteAt, ...entry }) => ({
      ...entry,
      goneAt: isoOrNull(goneAt),
      deleteAt: isoOrNull(deleteAt),
    })),
    faults,
    unwatched: unwatched.map(({ draft, ...thing }) => ({
      ...thing,
      ...(withDrafts && { draft: draft as Static<typeof DraftBody> | null }),
    })),
  };
}
