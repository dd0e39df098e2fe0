import { Elysia } from "elysia";
import { StatusSummary } from "../../domain/monitors/status-summary.ts";
import { createStatusSummaryCache } from "../../runner/status-summary-cache.ts";
import { authentication } from "../auth/authentication.ts";
import { dataOf, operation } from "../http/openapi.ts";
import type { Services } from "../http/services.ts";

/** Interface 4.4. */
export function statusRoutes({ db, callers }: Services) {
  const summaries = createStatusSummaryCache({ db, callers });
  return new Elysia({ prefix: "/api/v1/status" })
    .use(authentication(callers))
    .get("", async ({ caller }) => ({ data: await summaries.of(caller.organizationId) }), {
      detail: operation({
        tag: "Status",
        operationId: "getStatus",
        summary: "Sum up the status of all monitors",
        answer: dataOf(StatusSummary),
        example: { data: { total: 12, healthy: 10, warning: 1, down: 1, overall: "incident" } },
      }),
    });
}
