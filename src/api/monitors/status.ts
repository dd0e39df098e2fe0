import { StatusSummary } from "../../domain/monitors/status-schema.ts";
import { createStatusSummaryCache } from "../../runner/status-summary-cache.ts";
import { resource } from "../auth/authentication.ts";
import { answering } from "../http/openapi.ts";
import type { Services } from "../http/services.ts";

/** Behavior 7.48. */
export function statusRoutes({ store, authenticator }: Services) {
  const summaries = createStatusSummaryCache(store);
  return resource(authenticator, "/status", "Status").get(
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
