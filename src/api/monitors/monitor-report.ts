import { Type } from "@sinclair/typebox";
import { DAY } from "../../domain/duration.ts";
import { parseTime } from "../../domain/iso-time.ts";
import { REPORT_RANGES, type ReportRange } from "../../domain/results/range.ts";
import type { ReportWish } from "../../domain/results/report-plan.ts";
import { Time } from "../../domain/schemas/format.ts";
import { described, oneOf, open, parameter } from "../../domain/schemas/schema.ts";
import { invalid } from "../../errors.ts";
import { resource } from "../auth/authentication.ts";
import { answering, idOf } from "../http/openapi.ts";
import type { Services } from "../http/services.ts";
import { example, ReportBody, reportBody } from "./monitor-report-body.ts";

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
export function monitorReportRoutes({ store, clock, authenticator, baseUrl }: Services) {
  return resource(authenticator, "/monitors/:id/report", "Monitors").get(
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
        example,
        errors: [404, 422],
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
