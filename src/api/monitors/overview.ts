import { type Static, Type } from "@sinclair/typebox";
import { NewAlertBinding } from "../../domain/alerts/alert-binding.ts";
import { iso, isoOrNull } from "../../domain/iso-time.ts";
import { MONITOR_KINDS } from "../../domain/monitors/kinds/kinds.ts";
import { MonitorConfigSchema, MonitorType, maskSecrets } from "../../domain/monitors/monitor.ts";
import { MonitorSettings } from "../../domain/monitors/monitor-update.ts";
import {
  countAttention,
  countStandings,
  STANDINGS,
  type Standing,
  type StandingCounts,
} from "../../domain/monitors/standing.ts";
import { StatusSchema } from "../../domain/monitors/status-schema.ts";
import { MAX_SKIPPED } from "../../domain/overview/overview-query.ts";
import { mostUsedFirst, SORTS } from "../../domain/overview/selection.ts";
import { bucketsOf, RangeSchema } from "../../domain/results/history.ts";
import { Name, PageSize, Ref, Timestamp } from "../../domain/schemas/format.ts";
import { pageSize } from "../../domain/schemas/pagination.ts";
import { closed, described, named, nullable, oneOf, open } from "../../domain/schemas/schema.ts";
import type { MonitorSnapshot, Store, StoredAttendance, WorstMonitors } from "../../store/store.ts";
import { resource } from "../auth/authentication.ts";
import { acceptsGzip, jsonText, sendJson } from "../http/json-stream.ts";
import { answering } from "../http/openapi.ts";
import type { Services } from "../http/services.ts";
import {
  BlindSince,
  blindSinceOf,
  CompactHistory,
  compactHistory,
  MonitorMaintenanceBody,
  windowBody,
} from "./monitor-body.ts";

const State = oneOf(STANDINGS);
const Digits = Type.String({ format: "digits" });

const OverviewQuery = Type.Object(
  {
    range: Type.Optional(described(RangeSchema, "The range of `history`. Default: no history.")),
    first: Type.Optional(
      described(
        PageSize,
        "The maximum number of monitors, at most 200. Sorted by state (down, warning, waiting, acknowledged, in maintenance, " +
          "healthy, paused), then by name. Default: all monitors, oldest first.",
      ),
    ),
    upTo: Type.Optional(
      described(PageSize, "If there are more monitors than this, `monitors` is empty. Not with `first`."),
    ),
    skip: Type.Optional(described(Digits, "With `first`: how many are left out before these.")),
    search: Type.Optional(
      Type.String({
        description: "With `first`: only monitors with this text in their name, target or tags.",
      }),
    ),
    type: Type.Optional(described(MonitorType, "With `first`: only monitors of this type.")),
    kind: Type.Optional(
      described(
        oneOf(MONITOR_KINDS),
        "With `first`: only monitors of this kind: of a type, except those with the protocols of a kind of their own, such as " +
          "`PING`, `MAIL` or `WEBSOCKET`.",
      ),
    ),
    status: Type.Optional(described(State, "With `first`: only monitors in this state.")),
    tag: Type.Optional(
      Type.String({
        description: "With `first`: only monitors with all of these tags, separated by commas.",
      }),
    ),
    anyTag: Type.Optional(
      Type.String({
        description: "With `first`: only monitors with one of these tags, separated by commas.",
      }),
    ),
    ids: Type.Optional(
      Type.String({ description: "With `first`: only the monitors with these IDs, separated by commas." }),
    ),
    channel: Type.Optional(
      Type.String({
        description: "With `first`: only the monitors that notify the channel with this ID. Not with `ids`.",
      }),
    ),
    sort: Type.Optional(
      described(oneOf(SORTS), "With `first`: the order. Default: `trouble`, as `first` says."),
    ),
  },
  open,
);

const Count = Type.Integer({ minimum: 0 });

const AcknowledgementBody = nullable(
  Type.Object(
    { at: Timestamp, by: Type.String(), note: nullable(Type.String()) },
    { ...closed, description: "Who has acknowledged the open outage of the monitor, and when." },
  ),
);

function acknowledgementBody(acknowledgement: ReturnType<StoredAttendance["acknowledgementOf"]>) {
  return acknowledgement && { ...acknowledgement, at: iso(acknowledgement.at) };
}

const SnapshotBody = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    type: MonitorType,
    config: Type.Object({}, { additionalProperties: true }),
    tags: Type.Array(Type.String()),
    dependsOn: Type.Array(Type.String(), { description: "The IDs of the monitors that it depends on." }),
    maintenance: MonitorMaintenanceBody,
    acknowledgement: AcknowledgementBody,
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

const example = {
  counts: { ...countStandings([]), healthy: 1 },
  monitors: [
    {
      id: "gwMk6bQBonMDcGzUMCvgWu",
      name: "Shop front",
      type: "HTTP",
      config: { url: "https://shop.example.com/", interval: 60 },
      tags: ["web"],
      dependsOn: [],
      maintenance: null,
      acknowledgement: null,
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
const OverviewBody = Type.Object(
  {
    counts: Type.Object(
      Object.fromEntries(STANDINGS.map((state) => [state, Count])) as Record<Standing, typeof Count>,
      {
        ...closed,
        description:
          "The number of monitors by state. `waiting` monitors have no result yet, `paused` monitors are not checked. A monitor " +
          "in maintenance counts as `maintenance`, and one in trouble whose outage is acknowledged as `acknowledged`, whatever " +
          "its status is.",
      },
    ),
    matching: Type.Optional(
      Type.Integer({ minimum: 0, description: "How many match the filters. Only with `first`." }),
    ),
    tags: Type.Optional(
      Type.Array(Type.Object({ tag: Type.String(), count: Count }, closed), {
        description:
          "The tags of all monitors, most used first, at most 1,000, with the number of their monitors. Only with `first`, or if " +
          "there are more monitors than `upTo`.",
      }),
    ),
    monitors: Type.Array(SnapshotBody),
    buckets: Type.Optional(Type.Array(Timestamp, { description: "The start of each bucket of `history`." })),
  },
  named("Overview", example),
);

/** Behavior 7.50: the data of the first page in one small response. */
export function overviewRoutes({ store, clock, authenticator, log }: Services) {
  return resource({ authenticator, store }, "/overview", "Status").get(
    "",
    async ({ caller: { organizationId }, query, request }) => {
      const { range, first, upTo } = query;
      const now = clock.now();
      const attendance = await store.outages.findAttendance(organizationId, now);
      const bodyOf = (snapshot: MonitorSnapshot) => snapshotBody(snapshot, attendance);
      const buckets = range && { buckets: bucketsOf(range, now).map(({ start }) => iso(start)) };
      const select = async (most: number) => {
        const selection = { ...selectionOf(query), range, now, most, attendance };
        if (query.channel !== undefined)
          selection.ids = new Set(await store.channels.listMonitorIds(organizationId, query.channel));
        return textOfFirst(await store.monitors.findWorst(organizationId, selection), { bodyOf, buckets });
      };
      const isTooMany = async () =>
        upTo !== undefined && (await countMonitors(store, organizationId)) > Number(upTo);
      const text =
        first !== undefined
          ? await select(pageSize(first))
          : (await isTooMany())
            ? await select(0)
            : textOfAll(store.monitors.listSnapshots(organizationId, { range, now }), { bodyOf, buckets });
      return sendJson<{ data: Overview }>(text, {
        log,
        gzip: acceptsGzip(request),
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
        errors: [422],
      }),
    },
  );
}

async function countMonitors(store: Store, organizationId: string): Promise<number> {
  const counts = await store.monitors.countStatuses(organizationId);
  return counts.reduce((sum, { count }) => sum + count, 0);
}

function selectionOf({ skip, ids, sort, ...query }: Static<typeof OverviewQuery>) {
  const { search = "", type = "", kind = "", status = "", tag, anyTag } = query;
  return {
    skip: Math.min(Number(skip ?? 0), MAX_SKIPPED),
    filters: { search, type, kind, state: status, tags: split(tag), anyTag: split(anyTag) } as const,
    ids: ids === undefined ? undefined : new Set(split(ids)),
    sort,
  };
}

function split(text = ""): string[] {
  return text.split(",").filter((part) => part !== "");
}

export interface Overview {
  counts: StandingCounts;
  matching?: number;
  tags?: { tag: string; count: number }[];
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
  let counts = countStandings([]);
  const countedBody = (snapshot: MonitorSnapshot) => {
    const body = bodyOf(snapshot);
    counts = countStandings([body], counts);
    return body;
  };
  const end = () => `],${JSON.stringify({ counts, ...buckets }).slice(1)}}`;
  return jsonText(['{"data":{"monitors":[', end], slices, countedBody);
}

function textOfFirst(
  { counts, matching, tags, standings }: WorstMonitors,
  { bodyOf, buckets }: Rest,
): string[] {
  const monitors = standings.map(bodyOf);
  const numbers = { counts, matching, tags: mostUsedFirst(tags).slice(0, MAX_TAGS) };
  return [JSON.stringify({ data: { ...numbers, monitors, ...buckets } })];
}

const MAX_TAGS = 1000;

function snapshotBody(
  { since, latest, past, ...monitor }: MonitorSnapshot,
  { maintenanceOf, acknowledgementOf }: StoredAttendance,
) {
  const { id, name, type, config, tags, dependsOn, status, enabled, detail, seenDown } = monitor;
  const body = {
    id,
    name,
    type,
    config: maskSecrets(config),
    tags,
    dependsOn,
    maintenance: windowBody(maintenanceOf(monitor)),
    acknowledgement: acknowledgementBody(acknowledgementOf(monitor)),
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

const examples = {
  create: [
    { name: "Shop front", type: "HTTP", config: { url: "https://shop.example.com/", interval: 60 } },
    {
      name: "Search",
      type: "HTTP",
      config: {
        url: "https://shop.example.com/api/search",
        interval: 60,
        method: "POST",
        headers: { "X-Api-Key": "5f2c81d09a" },
        body: '{"query":"socks"}',
        timeout: 5,
        expect: { status: [200], json: { "$.hits": { min: 1 } }, within: 2000 },
      },
    },
    {
      name: "Mail",
      type: "TCP",
      config: { host: "mail.example.com", port: 25, interval: 60, contains: "220 " },
    },
    { name: "Certificate of the shop", type: "TLS", config: { host: "shop.example.com", warnDays: 30 } },
    { name: "Name of the shop", type: "DNS", config: { hostname: "shop.example.com", recordType: "A" } },
    { name: "Nightly backup", type: "SCHEDULED", config: { cron: "30 2 * * *", timezone: "Europe/Berlin" } },
  ],
  change: [{ enabled: false }, { config: { url: "https://shop.example.com/health", interval: 300 } }],
};

const AlertChannelIds = Type.Array(Type.String(), {
  description: "The channels that are notified when the status changes.",
});

const AlertBindings = Type.Array(NewAlertBinding, {
  description: "In place of `alertChannelIds`: when and how often each channel is notified.",
});

const optional = {
  alertChannelIds: Type.Optional(AlertChannelIds),
  alertBindings: Type.Optional(AlertBindings),
  ...Type.Partial(MonitorSettings).properties,
  enabled: Type.Optional(Type.Boolean()),
  ref: Type.Optional(Ref),
};

export const NewMonitor = Type.Object(
  {
    name: Name,
    type: MonitorType,
    config: MonitorConfigSchema,
    ...optional,
  },
  { ...closed, examples: examples.create },
);

export const MonitorChanges = Type.Object(
  {
    name: Type.Optional(Name),
    config: Type.Optional(MonitorConfigSchema),
    ...optional,
  },
  { ...closed, examples: examples.change },
);

const AttentionBody = Type.Object({ down: Count, warning: Count }, named("Attention"));

/** Behavior 16.372: for the title and the icon of each view. */
export function attentionRoutes({ store, clock, authenticator }: Services) {
  return resource({ authenticator, store }, "/attention", "Status").get(
    "",
    async ({ caller: { organizationId } }) => {
      const now = clock.now();
      const calendar = await store.maintenances.findCalendar(organizationId);
      const unattended = await store.outages.listUnattended(organizationId);
      return { data: countAttention(unattended, (one) => calendar.windowOf(one, now)) };
    },
    {
      detail: answering({
        operationId: "getAttention",
        summary: "Count the monitors that need somebody",
        description:
          "The number of monitors in group down and warning whose outage is not acknowledged, without those in " +
          "maintenance. At most 1,000 are counted.",
        answer: AttentionBody,
        example: { down: 1, warning: 0 },
      }),
    },
  );
}
