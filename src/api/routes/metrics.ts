import { Elysia } from "elysia";
import { METRICS_TYPE } from "../../runner/metrics/metrics.ts";
import { certificateGauges, deliveryGauges, monitorGauges } from "../../runner/metrics/monitor-gauges.ts";
import { findOrganization } from "../../store/accounts/organizations.ts";
import { authentication } from "../auth/authentication.ts";
import type { Services } from "../http/services.ts";

/**
 * What Prometheus reads: an extension of the interface. Monitors and what was counted of them are those of the key's
 * organization; what is told of the process is the same for all.
 */
export function metricsRoutes({ db, store, callers, metrics, readProcess }: Services) {
  return new Elysia({ normalize: false }).use(authentication(callers)).get(
    "/metrics",
    async ({ caller: { organizationId }, set }) => {
      const { pk } = findOrganization(db, organizationId);
      const standings = await Array.fromAsync(
        store.monitors.listSnapshots(organizationId, { now: Date.now() }),
      );
      const now = {
        ...monitorGauges(standings.flat()),
        ...certificateGauges(await store.monitors.listCertificateExpiries(organizationId)),
        ...deliveryGauges(await store.deliveries.countWaiting(organizationId)),
        ...readProcess(),
      };
      set.headers["content-type"] = METRICS_TYPE;
      return metrics.expose(pk, now);
    },
    // Not in the OpenAPI document, which is of answers in JSON.
    { detail: { hide: true } },
  );
}
