import { Type } from "@sinclair/typebox";
import { RangeSchema } from "../../domain/results/history.ts";
import { described, open } from "../../domain/schemas/schema.ts";
import { resource } from "../auth/authentication.ts";
import { answering, idOf } from "../http/openapi.ts";
import type { Services } from "../http/services.ts";
import { example, ReportBody, reportBody } from "./monitor-report-body.ts";

/** Behavior 7.43. */
export function monitorReportRoutes({ store, clock, authenticator, baseUrl }: Services) {
  return resource(authenticator, "/monitors/:id/report", "Monitors").get(
    "",
    async ({ caller, params: { id }, query: { range = "1d" } }) => {
      const now = clock.now();
      const report = await store.monitors.findReport(caller.organizationId, { id, range }, now);
      const checkinUrl = `${baseUrl()}/api/v1/monitors/${id}/checkin`;
      return { data: { ...reportBody(report, range, now), checkinUrl } };
    },
    {
      params: idOf("a monitor"),
      query: Type.Object(
        {
          range: Type.Optional(
            described(RangeSchema, "The range of `history` and `latencies`. Default: 1d."),
          ),
        },
        open,
      ),
      detail: answering({
        operationId: "getMonitorReport",
        summary: "Get the report of a monitor",
        description:
          "The uptime by range, the latencies and history of one range, the latest outages, and the rhythm of a " +
          "SCHEDULED monitor.",
        answer: ReportBody,
        example,
        errors: [404, 422],
      }),
    },
  );
}
