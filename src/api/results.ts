import { Elysia } from "elysia";
import { listResults } from "../db/results.ts";
import type { AlertOutcome } from "../domain/delivery.ts";
import { PageQuery, pageSize } from "../domain/page.ts";
import type { CheckResult } from "../domain/result.ts";
import { authentication } from "./authentication.ts";
import type { Services } from "./services.ts";
import { iso } from "./time.ts";

/** Interface 4.2, the results of one monitor. */
export function resultRoutes({ db }: Services) {
  return new Elysia({ prefix: "/api/v1/monitors/:id/results", normalize: false }).use(authentication(db)).get(
    "/",
    async ({ caller, params, query }) => {
      const page = { monitorId: params.id, limit: pageSize(query.limit), cursor: query.cursor };
      const { items, cursor } = await listResults(db, caller.organizationId, page);
      return { data: items.map(resultView), cursor };
    },
    { query: PageQuery },
  );
}

function resultView({ id, monitorId, status, latencyMs, detail, alertOutcome, createdAt }: CheckResult) {
  return {
    id,
    monitorId,
    status,
    latencyMs,
    detail,
    alertTriggered: alertOutcome !== null,
    alertOutcome: alertOutcome && outcomeView(alertOutcome),
    createdAt: iso(createdAt),
  };
}

function outcomeView({ status, channels }: AlertOutcome) {
  return {
    status,
    channels: channels.map((channel) => ({
      ...channel,
      deliveredAt: channel.deliveredAt && iso(channel.deliveredAt),
    })),
  };
}
