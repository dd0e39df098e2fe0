import { type Static, Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { FORECAST_WHY } from "../../domain/alerts/review/forecast.ts";
import { DAY } from "../../domain/duration.ts";
import { iso, parseTime } from "../../domain/iso-time.ts";
import { RELATIONS } from "../../domain/monitors/dependencies.ts";
import { StatusSchema, StatusSummary, summarize } from "../../domain/monitors/status-schema.ts";
import { REPORT_RANGES, type ReportRange } from "../../domain/results/range.ts";
import type { ReportWish } from "../../domain/results/report-plan.ts";
import { Time, Timestamp } from "../../domain/schemas/format.ts";
import { PageQuery, pageSize } from "../../domain/schemas/pagination.ts";
import { closed, described, named, oneOf, open, parameter } from "../../domain/schemas/schema.ts";
import { invalid } from "../../errors.ts";
import type { Forecast } from "../../store/alerts/review/forecasts.ts";
import type { Store } from "../../store/store.ts";
import { allowed, resource } from "../auth/authentication.ts";
import { monitorFactRoutes } from "../causes/facts.ts";
import { answering, idOf, listing, operation, pagedListing } from "../http/openapi.ts";
import type { Services } from "../http/services.ts";
import { EvidenceBody, evidenceBody } from "../outages/evidence-body.ts";
import { ReportBody, reportBody } from "./monitor-report-body.ts";

/** The routes below one monitor. They are one plugin, because the types of a longer chain in `server.ts` are too deep for `tsc`. */
export function oneMonitorRoutes(services: Services) {
  return new Elysia({ normalize: false })
    .use(monitorReportRoutes(services))
    .use(monitorCheckRoutes(services))
    .use(relatedMonitorRoutes(services))
    .use(monitorEvidenceRoutes(services))
    .use(monitorForecastRoutes(services))
    .use(monitorFactRoutes(services));
}

const RequestedCheck = Type.Object(
  { id: Type.String({ description: "Of the monitor." }) },
  named("RequestedCheck"),
);

/** Behavior 16.247. */
function monitorCheckRoutes({ store, clock, authenticator, refreshChecks }: Services) {
  return resource({ authenticator, store }, "/monitors/:id/check", "Monitors").post(
    "",
    async ({ caller, params, status }) => {
      const data = await store.monitors.requestCheck(caller.organizationId, params.id, clock.now());
      await refreshChecks();
      return status(202, { data });
    },
    {
      params: idOf("a monitor"),
      beforeHandle: allowed({ role: "admin" }),
      detail: operation({
        operationId: "checkMonitor",
        summary: "Check a monitor now",
        description:
          "Checks a monitor at once, at all of its locations. The result is recorded as any other. If a check is due " +
          "already, no other one follows. A monitor that is paused, and a SCHEDULED monitor, is a 422.",
        answer: Type.Object({ data: RequestedCheck }, closed),
        example: { data: { id: "gwMk6bQBonMDcGzUMCvgWu" } },
        status: 202,
        errors: [403, 404, 422],
      }),
    },
  );
}

const RelatedBody = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    status: StatusSchema,
    enabled: Type.Boolean(),
    dependsOn: Type.Array(Type.String(), { description: "The IDs of the monitors that it depends on." }),
    isNotified: Type.Boolean({ description: "Whether an enabled channel is bound to it." }),
  },
  named("RelatedMonitor"),
);

/** Behavior 7.50: what the page shows of the monitors around one. */
function relatedMonitorRoutes({ store, authenticator }: Services) {
  return resource({ authenticator, store }, "/monitors/:id/related", "Monitors").get(
    "",
    async ({ caller, params: { id }, query: { relation } }) => ({
      data: await store.monitors.listRelated(caller.organizationId, { id, relation }),
    }),
    {
      params: idOf("a monitor"),
      query: Type.Object({ relation: described(oneOf(RELATIONS), "Which monitors are listed.") }, open),
      detail: listing({
        operationId: "listRelatedMonitors",
        summary: "List the dependencies or the dependents of a monitor",
        description:
          "Lists the monitor itself, then those that it depends on, or those that depend on it, directly or not: the " +
          "nearest first, at most 1,000.",
        answer: RelatedBody,
        example: {
          id: "gwMk6bQBonMDcGzUMCvgWu",
          name: "Shop front",
          status: "up",
          enabled: true,
          dependsOn: [],
          isNotified: true,
        },
        errors: [404, 422],
      }),
    },
  );
}

const ForecastBody = Type.Object(
  {
    at: Timestamp,
    outageId: Type.Union([Type.String(), Type.Null()], {
      description: "Of the trouble that is under way. Null: as if the monitor failed at `at`.",
    }),
    receivers: Type.Array(
      Type.Object(
        {
          alertChannelId: Type.Optional(Type.String()),
          scheduleId: Type.Optional(Type.String({ description: "In place of `alertChannelId`." })),
          name: Type.String(),
          at: Type.Union([Timestamp, Type.Null()], {
            description:
              "When it is notified if the trouble lasts and nobody acknowledges it. Null: it is not.",
          }),
          why: Type.Union([oneOf(FORECAST_WHY), Type.Null()], {
            description:
              "What it waits for first, or why it is not notified: its `after` (`delay`) or `hours`, a `maintenance`, a monitor that is " +
              "down (`muted`), the monitor is `paused`, the outage is `acknowledged`, has `ended` or was `superseded`, the channel is " +
              "`disabled`, does not list the status (`notifyOn`) or is notified by another binding (`twice`), the schedule reaches " +
              "`nobody`; of trouble that is under way, the channel was `notified`, that `failed`, or it was `bound` later.",
          }),
          mutedBy: Type.Optional(
            Type.Object(
              { id: Type.String(), name: Type.String() },
              { description: "The monitor that is down." },
            ),
          ),
          person: Type.Optional(
            Type.Union([Type.String(), Type.Null()], {
              description: "Of a schedule, the name of whoever is on call at `at`. Null: nobody is.",
            }),
          ),
          channels: Type.Optional(
            Type.Array(Type.String(), {
              description: "Of a schedule, the names of the channels that are notified.",
            }),
          ),
          areDefaults: Type.Optional(
            Type.Boolean({
              description: "Whether they are the default channels, because the schedule reaches nobody.",
            }),
          ),
        },
        named("ForecastReceiver"),
      ),
    ),
  },
  named("NotificationForecast"),
);

/** Behavior 23.45. */
function monitorForecastRoutes({ store, clock, authenticator }: Services) {
  return resource({ authenticator, store }, "/monitors/:id/forecast", "Monitors").get(
    "",
    async ({ caller, params: { id } }) => {
      const now = clock.now();
      const forecast = await store.monitors.forecastAlerts(caller.organizationId, id, now);
      return { data: { ...forecastBody(forecast), at: iso(now) } };
    },
    {
      params: idOf("a monitor"),
      detail: answering({
        operationId: "forecastNotifications",
        summary: "Say who is notified if a monitor fails now",
        description:
          "Who would be notified if the monitor failed now and stayed so, and when: the first ones first. While it has trouble, who is " +
          "notified if that lasts. Reminders are left out.",
        answer: ForecastBody,
        example: {
          at: "2026-11-21T09:30:00.000Z",
          outageId: null,
          receivers: [
            {
              ...{ scheduleId: "rNj4BrzNPTECyp1AhuvTuk", name: "Operations", at: "2026-11-21T09:40:00.000Z" },
              ...{ why: "delay", person: "Ana", channels: ["Phone of Ana"], areDefaults: false },
            },
          ],
        },
        errors: [404],
      }),
    },
  );
}

function forecastBody({ outageId, receivers }: Forecast): Omit<Static<typeof ForecastBody>, "at"> {
  return {
    outageId,
    receivers: receivers.map(({ id, isSchedule, name, at, why, mutedBy, mutedByName, ...reached }) => ({
      ...(isSchedule ? { scheduleId: id } : { alertChannelId: id }),
      ...{ name, at: at === null ? null : iso(at), why },
      ...(mutedBy !== null && { mutedBy: { id: mutedBy, name: mutedByName ?? "" } }),
      ...(isSchedule && reached),
    })),
  };
}

const ReportQuery = Type.Object(
  {
    range: Type.Optional(
      described(oneOf(REPORT_RANGES), "The range of `history` and `latencies`. Default: 1d."),
    ),
    from: Type.Optional(
      parameter(Time, "Instead of a range: the start of `history` and `latencies`, ISO 8601 with an offset."),
    ),
    to: Type.Optional(
      parameter(Time, "With `from`: the end, not included, at most 92 days later. Default: now."),
    ),
  },
  open,
);

/** Behavior 7.43. */
function monitorReportRoutes({ store, clock, authenticator, baseUrl }: Services) {
  return resource({ authenticator, store }, "/monitors/:id/report", "Monitors").get(
    "",
    async ({ caller, params: { id }, query }) => {
      const now = clock.now();
      const wish = wishOf(query, now);
      const report = await store.monitors.findReport(caller.organizationId, { id, ...wish }, now);
      const checkinUrl = `${baseUrl()}/api/v1/monitors/${id}/checkin`;
      return { data: { ...reportBody(report, now), checkinUrl } };
    },
    {
      params: idOf("a monitor"),
      query: ReportQuery,
      detail: answering({
        operationId: "getMonitorReport",
        summary: "Get the report of a monitor",
        description:
          "The uptime by range, the latencies and history of one range or of the time from `from` to `to`, the latest " +
          "outages, and the rhythm of a SCHEDULED monitor.",
        answer: ReportBody,
        errors: [404, 422],
      }),
    },
  );
}

/** Behavior 22.8. */
function monitorEvidenceRoutes({ store, authenticator }: Services) {
  return resource({ authenticator, store }, "/monitors/:id/evidence", "Monitors").get(
    "",
    async ({
      caller: { organizationId, role },
      params: { id: monitorId },
      query: { limit, cursor: after },
    }) => {
      const page = { monitorId, limit: pageSize(limit), cursor: after };
      const { items, cursor } = await store.evidence.listOfMonitor(organizationId, page);
      return { data: items.map((one) => evidenceBody(one, role)), cursor };
    },
    {
      params: idOf("a monitor"),
      query: Type.Composite([PageQuery], open),
      detail: pagedListing({
        operationId: "listMonitorEvidence",
        summary: "List the evidence of a monitor",
        description:
          "What each location knew when a check failed, also of failures that were over before an outage began. The newest " +
          "first, in pages. Empty for a job.",
        answer: EvidenceBody,
        errors: [404],
      }),
    },
  );
}

/** The longest time of a report, in milliseconds. */
const LONGEST = 92 * DAY;

/** Behavior 16.231. @param now milliseconds since 1970 */
function wishOf(
  { range = "1d", from, to }: { range?: ReportRange; from?: string; to?: string },
  now: number,
): ReportWish {
  if (from === undefined && to === undefined) return { range };
  const since = parseTime(from ?? "");
  if (since === null) throw invalid("from is required with to");
  const until = to === undefined ? now + 1 : (parseTime(to) ?? 0);
  if (since >= until) throw invalid("to must be later than from");
  if (until - since > LONGEST) throw invalid("to must be at most 92 days later than from");
  if (since > now) throw invalid("from must be in the past");
  return { since, until: Math.min(until, now + 1) };
}

/** Behavior 7.48. */
export function statusRoutes({ store, authenticator }: Services) {
  const summaries = createSummaryCache(store);
  return resource({ authenticator, store }, "/status", "Status").get(
    "",
    async ({ caller }) => ({ data: await summaries.of(caller.organizationId) }),
    {
      detail: answering({
        operationId: "getStatus",
        summary: "Get the status summary",
        description:
          "The number of monitors by group. `overall` is `incident` if any is down, otherwise `degraded` if any has a " +
          "warning, otherwise `operational`.",
        answer: StatusSummary,
        example: { total: 12, healthy: 10, warning: 1, down: 1, overall: "incident" },
      }),
    },
  );
}

/** The status summaries of organizations, counted again only after a commit. */
function createSummaryCache(store: Store) {
  const cached = new Map<string, StatusSummary>();
  let version: number | undefined;
  return {
    async of(organizationId: string): Promise<StatusSummary> {
      const current = await store.changes.version();
      if (current !== version) cached.clear();
      version = current;
      const known = cached.get(organizationId);
      if (known) return known;
      const summary = summarize(await store.monitors.countStatuses(organizationId));
      // Another request may have found a later version meanwhile.
      if (version === current) cached.set(organizationId, summary);
      return summary;
    },
  };
}
