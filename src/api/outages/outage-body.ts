import { Type } from "@sinclair/typebox";
import { STORED_CHANNEL_TYPES } from "../../domain/alerts/channel.ts";
import { WITHDRAWN_WHY } from "../../domain/alerts/delivery.ts";
import { iso, isoOrNull } from "../../domain/iso-time.ts";
import { StatusSchema } from "../../domain/monitors/status-schema.ts";
import { downPart, type Outage, type OutageReport } from "../../domain/outages/outage.ts";
import { TIMELINE_KINDS, type TimelineItem } from "../../domain/outages/timeline.ts";
import { Timestamp } from "../../domain/schemas/format.ts";
import { closed, described, named, nullable, oneOf } from "../../domain/schemas/schema.ts";
import { causeExample, ShownCauseBody } from "../causes/causes.ts";
import { MonitorSummary } from "../results/results.ts";
import { WhyBody } from "./evidence-body.ts";

const outageFields = {
  id: Type.String(),
  monitor: MonitorSummary,
  status: described(StatusSchema, "The worst one so far."),
  reason: described(nullable(Type.String()), "Of the first result."),
  startedAt: Timestamp,
  endedAt: described(nullable(Timestamp), "`null` while it continues."),
  acknowledgedAt: nullable(Timestamp),
  acknowledgedBy: described(nullable(Type.String()), "The name of the API key."),
  note: nullable(Type.String()),
  maintenanceId: described(
    nullable(Type.String()),
    "Of the maintenance in whose window it began, which may be deleted.",
  ),
  downSince: described(nullable(Timestamp), "When the monitor was first down. `null` if it never was."),
  downSeconds: Type.Integer({ minimum: 0, description: "How long the monitor has been down, in all." }),
  why: described(nullable(WhyBody), "From its evidence. `null` if the layer is not known, and for a job."),
  cause: described(
    nullable(ShownCauseBody),
    "What it has in common with other failures. `null` if nothing is known.",
  ),
};

const example = {
  id: "4cYh0v2Q9mVbT7sKxWd1Za",
  monitor: { id: "gwMk6bQBonMDcGzUMCvgWu", name: "Shop front", type: "HTTP" },
  status: "down",
  reason: "timeout",
  startedAt: "2026-11-21T10:00:00.102Z",
  endedAt: null,
  acknowledgedAt: "2026-11-21T10:03:11.480Z",
  acknowledgedBy: "Ada",
  note: "The provider is on it",
  maintenanceId: null,
  downSince: "2026-11-21T10:00:00.102Z",
  downSeconds: 412,
  why: { layer: "network", summary: "No answer from 203.0.113.7; the path ends after 198.51.100.1 (hop 6)" },
  cause: causeExample,
};
const detail = { reason: "timeout", message: "no answer within 10 s" };
export const examples = {
  outage: example,
  withDetail: { ...example, detail },
  report: {
    detail,
    lastGood: { at: "2026-11-21T09:59:30.080Z", status: "up", latencyMs: 41.5, detail: { statusCode: 200 } },
    lastFailing: { at: "2026-11-21T10:06:30.102Z", status: "down", latencyMs: null, detail },
    checks: [
      { at: "2026-11-21T09:59:30.080Z", status: "up", latencyMs: 41.5 },
      { at: "2026-11-21T10:00:00.102Z", status: "down", latencyMs: null },
    ],
  },
  timeline: [
    { at: "2026-11-21T10:00:00.102Z", kind: "seen", status: "down" },
    {
      at: "2026-11-21T10:00:00.310Z",
      kind: "notified",
      status: "down",
      channel: { id: "rNj4BrzNPTECyp1AhuvTuk", name: "On call", type: "WEBHOOK" },
    },
    {
      at: "2026-11-21T10:03:11.480Z",
      kind: "acknowledged",
      by: "Ada",
      note: "The provider is on it",
    },
  ],
  acknowledge: [{ note: "The provider is on it" }, {}],
};
/** Behavior 14.53. */
export const OutageBody = Type.Object(outageFields, named("Outage", examples.outage));

const DetailBody = nullable(Type.Object({}, { additionalProperties: true }));

/** Behavior 16.210. */
export const OutageWithDetailBody = Type.Object(
  {
    ...outageFields,
    detail: described(DetailBody, "Of the first result. Only its reason after that result was deleted."),
  },
  named("OutageWithDetail", examples.withDetail),
);

const check = { at: Timestamp, status: StatusSchema, latencyMs: nullable(Type.Number()) };

const SeenBody = Type.Object({ ...check, detail: DetailBody }, named("SeenByCheck"));

/** Behavior 16.211. */
export const OutageReportBody = Type.Object(
  {
    detail: described(DetailBody, "Of the first result. Only its reason after that result was deleted."),
    lastGood: described(
      nullable(SeenBody),
      "The latest healthy check before the outage. `null` if there is none any more.",
    ),
    lastFailing: described(
      nullable(SeenBody),
      "The latest check of the outage that saw trouble. `null` if there is none any more.",
    ),
    checks: Type.Array(Type.Object(check, closed), {
      description:
        "The checks of 60 intervals before the outage, of its first 60 and of 60 after it, oldest first, at most 200 each. Empty " +
        "for a type without latencies.",
    }),
  },
  named("OutageReport", examples.report),
);

/** @param now milliseconds since 1970 */
export function outageBody<Found extends Omit<Outage, "why" | "cause">>(
  { downs, startedAt, endedAt, acknowledgedAt, ...outage }: Found,
  now: number,
) {
  const down = downPart(downs, { to: endedAt ?? now });
  return {
    ...outage,
    startedAt: iso(startedAt),
    endedAt: isoOrNull(endedAt),
    acknowledgedAt: isoOrNull(acknowledgedAt),
    downSince: down && iso(down.since),
    downSeconds: Math.round((down?.ms ?? 0) / 1000),
  };
}

export function outageReportBody({ detail, lastGood, lastFailing, checks }: OutageReport) {
  return {
    detail,
    lastGood: lastGood && { ...lastGood, at: iso(lastGood.at) },
    lastFailing: lastFailing && { ...lastFailing, at: iso(lastFailing.at) },
    checks: checks.map((one) => ({ ...one, at: iso(one.at) })),
  };
}

const Cause = Type.Object(
  { monitor: Type.Object({ id: Type.String(), name: Type.String() }, closed), outageId: Type.String() },
  named("OutageCause"),
);

/** Behavior 14.56. */
export const TimelineItemBody = Type.Object(
  {
    at: Timestamp,
    kind: oneOf(TIMELINE_KINDS),
    status: Type.Optional(described(StatusSchema, "What a check saw, or what a notification reports.")),
    channel: Type.Optional(
      Type.Object(
        {
          id: Type.String(),
          name: described(nullable(Type.String()), "`null` if the channel is deleted."),
          type: oneOf(STORED_CHANNEL_TYPES),
        },
        { ...closed, description: "The channel of a notification." },
      ),
    ),
    by: Type.Optional(Type.String({ description: "Who acknowledged it: the name of the API key." })),
    note: Type.Optional(Type.String()),
    cause: Type.Optional(
      described(
        nullable(Cause),
        "Of `muted`: the outage that is the cause. `null` if its monitor is deleted.",
      ),
    ),
    why: Type.Optional(described(oneOf(WITHDRAWN_WHY), "Of `withdrawn`.")),
    error: Type.Optional(Type.String({ description: "Of `failed`." })),
  },
  named("TimelineItem"),
);

export function timelineItemBody({ at, ...item }: TimelineItem) {
  return { at: iso(at), ...item };
}
