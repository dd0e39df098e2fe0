import { Type } from "@sinclair/typebox";
import { iso, isoOrNull } from "../../domain/iso-time.ts";
import {
  countDisplayStates,
  DISPLAY_STATES,
  type DisplayState,
} from "../../domain/monitors/display-state.ts";
import { MonitorType } from "../../domain/monitors/monitor.ts";
import { maskSecrets } from "../../domain/monitors/secrets.ts";
import { StatusSchema } from "../../domain/monitors/status-schema.ts";
import { accepts } from "../../domain/network/accept-encoding.ts";
import { bucketsOf, RangeSchema } from "../../domain/results/history.ts";
import { PageSize, Timestamp } from "../../domain/schemas/format.ts";
import { pageSize } from "../../domain/schemas/pagination.ts";
import { closed, described, named, nullable, open } from "../../domain/schemas/schema.ts";
import type { MonitorSnapshot, Store } from "../../store/store.ts";
import { resource } from "../auth/authentication.ts";
import { jsonText, sendJson } from "../http/json-stream.ts";
import { answering } from "../http/openapi.ts";
import type { Services } from "../http/services.ts";
import {
  BlindSince,
  blindSinceOf,
  CompactHistory,
  compactHistory,
  MonitorMaintenanceBody,
  monitorMaintenanceBody,
  type PresentWindows,
} from "./monitor-fields.ts";

const OverviewQuery = Type.Object(
  {
    range: Type.Optional(described(RangeSchema, "The range of `history`. Default: no history.")),
    first: Type.Optional(
      described(
        PageSize,
        "The maximum number of monitors, at most 200. Sorted by group (down, warning, waiting, healthy, paused), then " +
          "by name. Default: all monitors, oldest first.",
      ),
    ),
  },
  open,
);

const Count = Type.Integer({ minimum: 0 });

const SnapshotBody = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    type: MonitorType,
    config: Type.Object({}, { additionalProperties: true }),
    tags: Type.Array(Type.String()),
    dependsOn: Type.Array(Type.String(), { description: "The IDs of the monitors that it depends on." }),
    maintenance: MonitorMaintenanceBody,
    status: StatusSchema,
    enabled: Type.Boolean(),
    since: nullable(Timestamp),
    blindSince: BlindSince,
    latest: nullable(
      Type.Object({ status: StatusSchema, latencyMs: nullable(Type.Number()), createdAt: Timestamp }, closed),
    ),
    detail: nullable(
      Type.Object(
        {},
        {
          additionalProperties: true,
          description: "The detail of the latest result, if the monitor is in trouble.",
        },
      ),
    ),
    seenDown: nullable(
      Type.Object(
        { by: Count, of: Count },
        {
          ...closed,
          description:
            "How many of the locations see trouble, if the status of the monitor does not show it.",
        },
      ),
    ),
    uptime: Type.Optional(
      nullable(Type.String({ description: "Over the trailing 90 days. `null` without results." })),
    ),
    history: Type.Optional(CompactHistory),
  },
  named("MonitorSnapshot"),
);

const OverviewBody = Type.Object(
  {
    counts: Type.Object(
      Object.fromEntries(DISPLAY_STATES.map((state) => [state, Count])) as Record<DisplayState, typeof Count>,
      {
        ...closed,
        description:
          "The number of monitors by state. `waiting` monitors have no result yet, `paused` ones are not checked.",
      },
    ),
    monitors: Type.Array(SnapshotBody),
    buckets: Type.Optional(Type.Array(Timestamp, { description: "The start of each bucket of `history`." })),
  },
  named("Overview"),
);

const example = {
  counts: { down: 0, warning: 0, waiting: 0, healthy: 1, paused: 0 },
  monitors: [
    {
      id: "gwMk6bQBonMDcGzUMCvgWu",
      name: "Shop front",
      type: "HTTP",
      config: { url: "https://shop.example.com/", interval: 60 },
      tags: ["web"],
      dependsOn: [],
      maintenance: null,
      status: "up",
      enabled: true,
      since: "2026-11-21T09:30:00.000Z",
      blindSince: null,
      latest: { status: "up", latencyMs: 41.5, createdAt: "2026-11-21T10:00:00.000Z" },
      detail: null,
      seenDown: null,
    },
  ],
};

/** Behavior 7.50: the data of the first page in one small response. */
export function overviewRoutes({ store, clock, authenticator, log }: Services) {
  return resource(authenticator, "/overview", "Status").get(
    "",
    async ({ caller: { organizationId }, query: { range, first }, request }) => {
      const now = clock.now();
      const windows = { calendar: await store.maintenances.findCalendar(organizationId), now };
      const bodyOf = (snapshot: MonitorSnapshot) => snapshotBody(snapshot, windows);
      const buckets = range && { buckets: bucketsOf(range, now).map(({ start }) => iso(start)) };
      const text =
        first === undefined
          ? textOfAll(store.monitors.listSnapshots(organizationId, { range, now }), { bodyOf, buckets })
          : textOfFirst(
              await store.monitors.findWorst(organizationId, { range, now, most: pageSize(first) }),
              { bodyOf, buckets },
            );
      return sendJson<{ data: Overview }>(text, {
        log,
        gzip: accepts(request.headers.get("accept-encoding"), "gzip"),
      });
    },
    {
      query: OverviewQuery,
      detail: answering({
        operationId: "getOverview",
        summary: "Get an overview of all monitors",
        description:
          "Returns the current state of the monitors, and with `range` also their uptime and history.",
        answer: OverviewBody,
        example,
        errors: [422],
      }),
    },
  );
}

export interface Overview {
  counts: Record<DisplayState, number>;
  monitors: ReturnType<typeof snapshotBody>[];
  buckets?: string[];
}

/** The rest of the response, and the form of its monitors. */
interface Rest {
  bodyOf: (snapshot: MonitorSnapshot) => ReturnType<typeof snapshotBody>;
  buckets: object | undefined;
}

/** The counts are at the end, because they are computed from the monitors that were sent. */
function textOfAll(
  slices: AsyncGenerator<MonitorSnapshot[]>,
  { bodyOf, buckets }: Rest,
): AsyncGenerator<string> {
  let counts = countDisplayStates([]);
  const countedBody = (snapshot: MonitorSnapshot) => {
    counts = countDisplayStates([snapshot], counts);
    return bodyOf(snapshot);
  };
  const end = () => `],${JSON.stringify({ counts, ...buckets }).slice(1)}}`;
  return jsonText(['{"data":{"monitors":[', end], slices, countedBody);
}

function textOfFirst(
  { counts, standings }: Awaited<ReturnType<Store["monitors"]["findWorst"]>>,
  { bodyOf, buckets }: Rest,
) {
  return [JSON.stringify({ data: { counts, monitors: standings.map(bodyOf), ...buckets } })];
}

function snapshotBody({ since, latest, past, ...monitor }: MonitorSnapshot, windows: PresentWindows) {
  const { id, name, type, config, tags, dependsOn, status, enabled, detail, seenDown } = monitor;
  const body = {
    id,
    name,
    type,
    config: maskSecrets(config),
    tags,
    dependsOn,
    maintenance: monitorMaintenanceBody(monitor, windows),
    status,
    enabled,
    since: isoOrNull(since),
    blindSince: blindSinceOf(monitor),
    detail,
    seenDown,
  };
  return {
    ...body,
    latest: latest && { ...latest, createdAt: iso(latest.createdAt) },
    ...(past && {
      uptime: past.uptime,
      history: compactHistory(type, past.history),
    }),
  };
}
