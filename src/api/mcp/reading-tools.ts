import { type Static, Type } from "@sinclair/typebox";
import { describeTarget, MONITOR_KINDS } from "../../domain/monitors/kinds/kinds.ts";
import { MonitorType } from "../../domain/monitors/monitor.ts";
import {
  type Attended,
  type Headline,
  headlineOf,
  STANDINGS,
  type StandingCounts,
  standingOf,
  totalOf,
} from "../../domain/monitors/standing.ts";
import { SORTS } from "../../domain/overview/selection.ts";
import { ReplayRequest } from "../../domain/replay/changes.ts";
import { Month } from "../../domain/schemas/format.ts";
import { closed, described, oneOf } from "../../domain/schemas/schema.ts";
import { invalid } from "../../errors.ts";
import type { Services } from "../http/services.ts";
import type { Overview } from "../monitors/overview.ts";
import { type ApiClient, ApiFault } from "./api-client.ts";
import { firstOf, MAX_ITEMS, reading, type Tool, withoutNulls } from "./tool.ts";

/** The tools that only read: each one reads what routes of the API answer, and leaves out what an agent seldom needs. */
export function readingTools({ clock }: Pick<Services, "clock">): Tool[] {
  return [status, listMonitors, why, report(() => clock.now()), testTarget, replay];
}

interface OutageItem {
  id: string;
  monitor: { id: string; name: string; type: string };
  detail?: { message?: string } | null;
  why: { layer: string; summary: string } | null;
  cause: { id: string; title: string } | null;
  [field: string]: unknown;
}

interface CauseItem {
  id: string;
  monitors: object[];
  monitorCount: number;
  [field: string]: unknown;
}

const Cursor = (of: string) =>
  Type.Optional(Type.String({ description: `The \`cursor\` of the previous answer, for more ${of}.` }));

const status = reading({
  name: "status",
  title: "Current status",
  description:
    "How all monitors are now: a headline, how many are in each state, the open outages with their causes, and faults of discovery. " +
    "Begin with it.",
  schema: Type.Object({ cursor: Cursor("outages") }, closed),
  async read({ cursor }, { api }) {
    const [overview, outages, causes, discovery] = await Promise.all([
      api.get<{ data: Overview }>("/overview", { first: 1 }),
      api.get<{ data: OutageItem[]; cursor: string | null }>("/outages/report", {
        ...{ open: "true", limit: MAX_ITEMS, cursor },
      }),
      api.get<{ data: CauseItem[] }>("/causes", { open: "true", limit: MAX_ITEMS }),
      readDiscovery(api),
    ]);
    const { counts } = overview.data;
    return {
      headline: HEADLINES[headlineOf(counts).headline](counts),
      counts: { all: totalOf(counts), ...counts },
      openOutages: outages.data.map(shownOutage),
      cursor: outages.cursor,
      commonCauses: causes.data.map(({ monitors: _, ...cause }) => withoutNulls(cause)),
      ...(discovery && { discovery }),
    };
  },
});

const HEADLINES: Record<Headline, (counts: StandingCounts) => string> = {
  down: ({ down }) => (down === 1 ? "1 monitor is down" : `${down} monitors are down`),
  warning: ({ warning }) =>
    warning === 1 ? "1 monitor has a warning" : `${warning} monitors have a warning`,
  allHealthy: () => "All monitors are healthy",
  someHealthy: ({ healthy }) => `${healthy} ${healthy === 1 ? "monitor is" : "monitors are"} healthy`,
  waiting: () => "The monitors wait for their first results",
  attended: () => "Nothing needs anybody: all trouble is acknowledged, or in maintenance",
  allPaused: (counts) => (totalOf(counts) === 0 ? "There are no monitors" : "All monitors are paused"),
};

interface Discovery {
  sources: { source: string; unwatched: number }[];
  faults: object[];
}

/** @returns undefined if nothing is discovered */
async function readDiscovery(api: ApiClient): Promise<object | undefined> {
  try {
    const { sources, faults } = (await api.get<{ data: Discovery }>("/discovery")).data;
    if (sources.length === 0 && faults.length === 0) return undefined;
    const { items, more } = firstOf(faults);
    return {
      unwatched: sources.reduce((sum, { unwatched }) => sum + unwatched, 0),
      faults: items,
      moreFaults: more,
    };
  } catch (error) {
    if (error instanceof ApiFault && error.status === 404) return undefined;
    throw error;
  }
}

/** The cause of an outage is named by ID and title: `why` has the rest. */
function shownOutage({ id, monitor, detail, why: reason, ...outage }: OutageItem): object {
  return withoutNulls({
    ...{ outageId: id, monitor },
    ...outage,
    why: reason?.summary,
    message: detail?.message,
  });
}

type Listed = Overview["monitors"][number];

const listMonitors = reading({
  name: "list_monitors",
  title: "List monitors",
  description:
    "Monitors with their target, state and latest result: those in trouble first, at most 50 at a time. If several filters are given, " +
    "a monitor matches all.",
  schema: Type.Object(
    {
      search: Type.Optional(Type.String({ description: "A text in the name, the target or the tags." })),
      type: Type.Optional(MonitorType),
      kind: Type.Optional(
        described(oneOf(MONITOR_KINDS), "Such as `PING` or `MAIL`, which are protocols of a type."),
      ),
      status: Type.Optional(described(oneOf(STANDINGS), "The state of the monitor.")),
      tag: Type.Optional(Type.String({ description: "All of these tags, separated by commas." })),
      anyTag: Type.Optional(Type.String({ description: "One of these tags, separated by commas." })),
      ids: Type.Optional(Type.String({ description: "The IDs of monitors, separated by commas." })),
      channel: Type.Optional(
        Type.String({ description: "The ID of a channel that the monitor notifies. Not with `ids`." }),
      ),
      sort: Type.Optional(described(oneOf(SORTS), "Default: `trouble`.")),
      limit: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 200, description: `How many at most. Default: ${MAX_ITEMS}.` }),
      ),
      cursor: Type.Optional(
        Type.String({
          format: "digits",
          description: "The `cursor` of the previous answer, for more monitors.",
        }),
      ),
    },
    closed,
  ),
  async read({ limit = MAX_ITEMS, cursor, ...filters }, { api }) {
    const skip = Number(cursor ?? 0);
    const { data } = await api.get<{ data: Overview }>("/overview", { ...filters, first: limit, skip });
    const { matching = 0, monitors } = data;
    const end = skip + monitors.length;
    return {
      matching,
      monitors: monitors.map(shownMonitor),
      cursor: monitors.length > 0 && end < matching ? String(end) : null,
    };
  },
});

function shownMonitor(monitor: Listed): object {
  const { id, name, type, config, tags, dependsOn, status: current, since, blindSince, latest } = monitor;
  const { maintenance, acknowledgement, detail } = monitor;
  const { message, reason } = (detail ?? {}) as { message?: string; reason?: string };
  return withoutNulls({
    ...{ monitorId: id, name, type, target: describeTarget(type, config as Record<string, unknown>), config },
    ...(tags.length > 0 && { tags }),
    ...(dependsOn.length > 0 && { dependsOn }),
    ...{ state: standingOf(monitor as Attended), status: current, since, blindSince, latest },
    ...{ maintenance, acknowledgement, reason, message },
  });
}

const why = reading({
  name: "why",
  title: "Why a monitor failed",
  description:
    "One outage: what the checks saw, the evidence that was gathered at the failure, the layer that failed, and what fell with it. " +
    "With `monitorId`, its open outage or else its latest one.",
  schema: Type.Object(
    {
      monitorId: Type.Optional(Type.String({ description: "The ID of a monitor. Not with `outageId`." })),
      outageId: Type.Optional(Type.String({ description: "The ID of an outage. Not with `monitorId`." })),
    },
    closed,
  ),
  async read(given, { api }) {
    const found = await findOutage(api, given);
    if (found.outage === null) return found;
    const { outage } = found;
    const path = `/outages/${outage.id}`;
    const [seen, evidence, cause] = await Promise.all([
      api.get<{ data: { checks: object[] } }>(`${path}/report`),
      api.get<{ data: object[] }>(`${path}/evidence`),
      outage.cause && api.get<{ data: CauseItem }>(`/causes/${outage.cause.id}`),
    ]);
    const { checks: _, ...checks } = seen.data;
    const { items, more } = firstOf(evidence.data);
    return {
      outage: { ...(shownOutage({ ...outage, cause: null }) as object) },
      layer: outage.why?.layer ?? null,
      ...withoutNulls(checks),
      evidence: items.slice(0, MAX_EVIDENCE).map(withoutNulls),
      moreEvidence: more + Math.max(0, items.length - MAX_EVIDENCE),
      cause: cause && shownCause(cause.data),
    };
  },
});

/** Each location has evidence of each change, with up to some KiB. */
const MAX_EVIDENCE = 5;

async function findOutage(
  api: ApiClient,
  { monitorId, outageId }: { monitorId?: string; outageId?: string },
): Promise<{ outage: OutageItem } | { monitor: object; outage: null }> {
  if ((monitorId === undefined) === (outageId === undefined))
    throw invalid("either monitorId or outageId is required, and not both");
  if (outageId !== undefined) {
    const { data } = await api.get<{ data: OutageItem }>(`/outages/${encodeURIComponent(outageId)}`);
    return { outage: data };
  }
  const path = `/monitors/${encodeURIComponent(String(monitorId))}`;
  const { data: monitor } = await api.get<{ data: Record<string, unknown> }>(path);
  const { data } = await api.get<{ data: OutageItem[] }>("/outages", { monitorId, limit: 1 });
  const [outage] = data;
  if (outage) return { outage };
  const { id, name, type, status: current, enabled } = monitor;
  return { monitor: { monitorId: id, name, type, status: current, enabled }, outage: null };
}

function shownCause({ monitors, monitorCount, ...cause }: CauseItem): object {
  const { items } = firstOf(monitors);
  return { ...withoutNulls(cause), monitorCount, monitors: items, moreMonitors: monitorCount - items.length };
}

interface MonthlyReport {
  monitors: { id: string; downMs: number; outages: number; [field: string]: unknown }[];
  total: object;
}

const report = (now: () => number) =>
  reading({
    name: "report",
    title: "Report of a month",
    description:
      "Uptime, downtime, outages and mean time to recovery of a month, in total and for the 50 monitors with the longest downtime.",
    schema: Type.Object(
      {
        month: Type.Optional(
          described(Month, "A month in UTC, for example 2026-10. Default: the current one."),
        ),
        tag: Type.Optional(Type.String({ description: "Only monitors with this tag." })),
      },
      closed,
    ),
    async read({ month = new Date(now()).toISOString().slice(0, 7), tag }, { api }) {
      const { data } = await api.get<{ data: MonthlyReport }>("/reports/monthly", { month, tag });
      const { items, more } = firstOf(
        data.monitors.sort((a, b) => b.downMs - a.downMs || b.outages - a.outages),
      );
      const monitors = items.map(({ id, ...figures }) => ({ monitorId: id, ...figures }));
      return { month, total: data.total, monitors, moreMonitors: more };
    },
  });

const testTarget = reading({
  name: "test_target",
  title: "Check a target once",
  description:
    "Runs one check of a target and records nothing: before a monitor is created or changed. Its answer has what the target sent.",
  isOpenWorld: true,
  schema: Type.Object(
    {
      type: MonitorType,
      config: Type.Object(
        {},
        {
          additionalProperties: true,
          description:
            'The config of a monitor of this type, such as `{ "url": "https://example.com/", "interval": 60 }` of HTTP or ' +
            '`{ "host": "db.example.com", "port": 5432, "interval": 60 }` of TCP.',
        },
      ),
      monitorId: Type.Optional(
        Type.String({ description: "The monitor whose stored secrets replace each `•••` in `config`." }),
      ),
    },
    closed,
  ),
  read: async (given, { api }) => (await api.post<{ data: object }>("/probe", given)).data,
});

const replay = reading({
  name: "replay",
  title: "Replay alerting",
  description:
    "What would have happened in the last days with other settings of alerting, from the results that exist: outages, notifications, and " +
    "what would have been missed. It changes nothing.",
  schema: ReplayRequest,
  read: async (given: Static<typeof ReplayRequest>, { api }) =>
    (await api.post<{ data: object }>("/replay", given)).data,
});
