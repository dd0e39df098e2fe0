import { StatusSummary, summarize } from "../../domain/monitors/status-schema.ts";
import type { Store } from "../../store/store.ts";
import { resource } from "../auth/authentication.ts";
import { answering } from "../http/openapi.ts";
import type { Services } from "../http/services.ts";

/** Behavior 7.48. */
export function statusRoutes({ store, authenticator }: Services) {
  const summaries = createSummaryCache(store);
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
