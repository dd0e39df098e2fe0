import { Type } from "@sinclair/typebox";
import { TLS_ADVICE, tlsDetail } from "../../domain/checks/observation.ts";
import { iso, isoOrNull } from "../../domain/iso-time.ts";
import type { LatestObservation } from "../../domain/locations/place.ts";
import { StatusSchema } from "../../domain/monitors/status-schema.ts";
import { Timestamp } from "../../domain/schemas/format.ts";
import { closed, described, named, nullable, oneOf } from "../../domain/schemas/schema.ts";
import type { MonitorReport } from "../../store/store.ts";
import { LocationState } from "../locations/locations.ts";
import { CompactHistory, compactHistory } from "./monitor-body.ts";

const Percentage = nullable(Type.String());

const Suspicion = Type.Object(
  {
    status: StatusSchema,
    reason: Type.Optional(Type.String()),
    message: Type.Optional(Type.String()),
    checks: Type.Integer({ minimum: 1, description: "How many checks in a row saw it." }),
    needed: Type.Integer({ minimum: 2, description: "How many checks in a row change the status." }),
    since: Timestamp,
  },
  named("Suspicion"),
);

const Phases = Type.Object(
  {
    resolve: Type.Optional(Type.Number()),
    connect: Type.Optional(Type.Number()),
    tls: Type.Optional(Type.Number()),
    firstByte: Type.Optional(Type.Number()),
  },
  {
    ...closed,
    description: "The mean phases of the checks, in milliseconds. Only in a stretch of at most 6 hours.",
  },
);

const Latencies = Type.Array(
  Type.Object(
    {
      start: Timestamp,
      mean: Type.Number(),
      shortest: Type.Number(),
      longest: Type.Number(),
      p50: Type.Optional(
        Type.Number({
          description:
            "Exact, like `p95`. Missing if the results were deleted, or if a stretch of more than 25 hours has more than 300,000.",
        }),
      ),
      p95: Type.Optional(Type.Number()),
      phases: Type.Optional(Phases),
    },
    closed,
  ),
  { description: "Latencies of successful checks in milliseconds, oldest first." },
);

const PlaceBody = Type.Object(
  {
    id: Type.String({ description: "Of the location; `here` is this server." }),
    name: Type.String(),
    state: LocationState,
    isAtFault: Type.Boolean({ description: "Whether the network of the location is at fault." }),
    latest: described(
      nullable(
        Type.Object(
          {
            status: StatusSchema,
            at: Timestamp,
            latencyMs: nullable(Type.Number()),
            reason: Type.Optional(Type.String()),
            message: Type.Optional(Type.String()),
          },
          closed,
        ),
      ),
      "What its latest check saw.",
    ),
  },
  named("Place"),
);

const TlsBody = Type.Object(
  {
    protocol: nullable(Type.String({ description: "For example `TLSv1.3`." })),
    cipher: nullable(Type.String({ description: "The name of the cipher suite." })),
    validTo: described(Timestamp, "The end of the certificate."),
    daysLeft: Type.Integer({ description: "Whole days until then; negative after it." }),
    advice: Type.Array(oneOf(TLS_ADVICE), {
      description: "What to improve. It has no effect on the status.",
    }),
    client: Type.Optional(
      Type.Object(
        {
          validTo: described(Timestamp, "The end of the certificate."),
          daysLeft: Type.Integer({ description: "Whole days until then; negative after it." }),
        },
        { ...closed, description: "The client certificate of the monitor, if its config has one." },
      ),
    ),
  },
  named("Tls"),
);

export const example = {
  since: "2026-11-21T09:30:00.000Z",
  suspicion: null,
  checkinUrl: "https://stillup.example.com/api/v1/monitors/gwMk6bQBonMDcGzUMCvgWu/checkin",
  uptime: { "1d": "100.00%", "7d": "99.98%", "30d": "99.98%", "90d": "99.98%" },
  stretch: { from: "2026-11-20T10:30:00.000Z", to: "2026-11-21T10:30:00.000Z", step: 600 },
  buckets: ["2026-11-21T09:00:00.000Z", "2026-11-21T10:00:00.000Z"],
  history: "-0",
  latencies: [{ start: "2026-11-21T09:30:00.000Z", mean: 41.5, shortest: 38.2, longest: 60.1 }],
  percentiles: { count: 1440, p50: 40.9, p95: 55.3 },
  places: [
    {
      id: "here",
      name: "here",
      state: "connected",
      isAtFault: false,
      latest: { status: "up", at: "2026-11-21T10:00:00.000Z", latencyMs: 41.5 },
    },
  ],
  latencyByLocation: [
    {
      location: "here",
      points: [{ start: "2026-11-21T09:30:00.000Z", mean: 41.5, shortest: 38.2, longest: 60.1 }],
    },
  ],
  degradedAbove: 112.4,
  tls: {
    protocol: "TLSv1.3",
    cipher: "TLS_AES_128_GCM_SHA256",
    validTo: "2027-01-27T23:59:59.000Z",
    daysLeft: 67,
    advice: [],
  },
  outages: [
    {
      id: "7nQKcvbRzPTECyp1AhuvTu",
      start: "2026-11-19T03:10:00.000Z",
      end: "2026-11-19T03:14:00.000Z",
      status: "down",
      detail: { reason: "timeout", message: "no answer within 10 s" },
    },
  ],
  troubles: [],
  windows: [],
  lastCheckinAt: null,
  learnedPeriod: null,
  deadline: null,
  runLimit: null,
  runs: null,
};
export const ReportBody = Type.Object(
  {
    since: nullable(Timestamp),
    suspicion: described(
      nullable(Suspicion),
      "What the latest checks saw, if more of them must see it before it changes the status.",
    ),
    checkinUrl: Type.String({ description: "The URL that the job of a SCHEDULED monitor calls." }),
    uptime: Type.Object({ "1d": Percentage, "7d": Percentage, "30d": Percentage, "90d": Percentage }, closed),
    stretch: Type.Object(
      {
        from: Timestamp,
        to: Timestamp,
        step: Type.Number({ description: "Seconds from one point of `latencies` to the next one." }),
      },
      { ...closed, description: "The time of `latencies`." },
    ),
    buckets: Type.Array(Timestamp, { description: "The start of each bucket of `history`." }),
    history: CompactHistory,
    latencies: Latencies,
    percentiles: described(
      nullable(Type.Object({ count: Type.Integer(), p50: Type.Number(), p95: Type.Number() }, closed)),
      "The latencies in milliseconds that 50 and 95 percent of the successful checks do not exceed: exact, and null unless " +
        "each of the `latencies` has its own.",
    ),
    places: Type.Array(PlaceBody, {
      description: "What each location sees. Empty if only this server checks the monitor.",
    }),
    latencyByLocation: Type.Array(
      Type.Object({ location: Type.String({ description: "Its name." }), points: Latencies }, closed),
      { description: "Empty if only this server checks the monitor." },
    ),
    degradedAbove: nullable(
      Type.Number({ description: "A check is Degraded if its latency exceeds this, in milliseconds." }),
    ),
    tls: described(
      nullable(TlsBody),
      "What the checks of an HTTPS or TLS monitor saw last; of several locations, the certificate that ends first.",
    ),
    outages: Type.Array(
      Type.Object(
        {
          id: Type.String({ description: "Of the outage." }),
          start: Timestamp,
          end: nullable(Timestamp),
          status: StatusSchema,
          detail: nullable(Type.Object({}, { additionalProperties: true })),
        },
        closed,
      ),
      { description: "The 20 latest of the trailing 90 days, most recent first." },
    ),
    troubles: Type.Array(
      Type.Object({ start: Timestamp, end: nullable(Timestamp), status: StatusSchema }, closed),
      { description: "The 100 latest outages of `stretch`." },
    ),
    windows: Type.Array(Type.Object({ start: Timestamp, end: nullable(Timestamp) }, closed), {
      description: "The windows of maintenances in `stretch` that contained the monitor.",
    }),
    lastCheckinAt: nullable(Timestamp),
    learnedPeriod: nullable(
      Type.Number({ description: "The learned time between two check-ins, in seconds." }),
    ),
    deadline: nullable(Timestamp),
    runLimit: nullable(
      Type.Number({ description: "How long a run may take, as configured or as learned, in seconds." }),
    ),
    runs: described(
      nullable(
        Type.Object(
          {
            lastMs: Type.Integer(),
            medianMs: Type.Integer(),
            longestMs: Type.Integer(),
            points: Type.Array(
              Type.Object(
                {
                  start: Timestamp,
                  durationMs: Type.Integer(),
                  outcome: oneOf(["ok", "failed"]),
                },
                closed,
              ),
              { description: "Oldest first." },
            ),
          },
          closed,
        ),
      ),
      "How long the latest runs of a job took that have ended, at most 20, in milliseconds. Null if it reports no starts.",
    ),
  },
  named("MonitorReport", example),
);

/** @param now milliseconds since 1970 */
export function reportBody(report: MonitorReport, now: number) {
  const {
    type,
    since,
    suspicion,
    stretch,
    buckets,
    history,
    latencies,
    places,
    latencyByLocation,
    tls,
    outages,
    troubles,
    windows,
    lastCheckinAt,
    learnedPeriod,
    deadline,
    runLimit,
    runs,
    ...others
  } = report;
  return {
    ...others,
    since: isoOrNull(since),
    suspicion: suspicion && { ...suspicion, since: iso(suspicion.since) },
    stretch: { from: iso(stretch.since), to: iso(stretch.until), step: stretch.step / 1000 },
    buckets: buckets.map(({ start }) => iso(start)),
    history: compactHistory(type, history),
    latencies: latencies.map(pointBody),
    places: places.map(placeBody),
    latencyByLocation: latencyByLocation.map(({ location, points }) => ({
      location,
      points: points.map(pointBody),
    })),
    tls: tls && tlsDetail(tls, now),
    outages: outages.map(timesBody),
    troubles: troubles.map(timesBody),
    windows: windows.map(timesBody),
    lastCheckinAt: isoOrNull(lastCheckinAt),
    learnedPeriod: learnedPeriod === null ? null : learnedPeriod / 1000,
    deadline: isoOrNull(deadline),
    runLimit: runLimit === null ? null : runLimit / 1000,
    runs: runs && {
      ...runs,
      points: runs.points.map(({ startedAt, ...point }) => ({ start: iso(startedAt), ...point })),
    },
  };
}

function timesBody<Rest>({ start, end, ...rest }: Rest & { start: number; end: number | null }) {
  return { ...rest, start: iso(start), end: isoOrNull(end) };
}

function pointBody({ start, ...point }: MonitorReport["latencies"][number]) {
  return { ...point, start: iso(start) };
}

function placeBody({ id, name, state, isAtFault, latest }: MonitorReport["places"][number]) {
  return { id, name, state, isAtFault, latest: latest && observationBody(latest) };
}

function observationBody({ status, at, latencyMs, reason, message }: LatestObservation) {
  const why = { ...(reason !== undefined && { reason }), ...(message !== undefined && { message }) };
  return { status, at: iso(at), latencyMs, ...why };
}
