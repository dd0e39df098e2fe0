import { Elysia } from "elysia";
import { StatusSummary } from "../../domain/monitors/status-summary.ts";
import { createStatusSummaryCache } from "../../runner/status-summary-cache.ts";
import { authentication } from "../auth/authentication.ts";
import { dataOf, operation } from "../http/openapi.ts";
import type { Services } from "../http/services.ts";

/** Behavior 7.48. */
export function statusRoutes({ store, authenticator }: Services) {
  const summaries = createStatusSummaryCache(store);
  return new Elysia({ prefix: "/api/v1/status" })
    .use(authentication(authenticator))
    .get("", async ({ caller }) => ({ data: await summaries.of(caller.organizationId) }), {
      detail: operation({
        tag: "Status",
        operationId: "getStatus",
        summary: "Get the status summary",
        description:
          "The number of monitors by group. `overall` is `incident` if any is down, otherwise `degraded` if any has a " +
          "warning, otherwise `operational`.",
        answer: dataOf(StatusSummary),
        example: { data: { total: 12, healthy: 10, warning: 1, down: 1, overall: "incident" } },
      }),
    });
}
