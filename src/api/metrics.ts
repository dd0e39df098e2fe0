import { Elysia } from "elysia";
import {
  certificateGauges,
  deliveryGauges,
  locationGauges,
  monitorGauges,
} from "../runner/metrics/gauges.ts";
import { METRICS_TYPE } from "../runner/metrics/metrics.ts";
import { authentication } from "./auth/authentication.ts";
import type { Services } from "./http/services.ts";

/**
 * Behavior 7.72. The metrics of monitors, channels and certificates cover the organization of the key; metrics of the
 * process are the same for all organizations.
 */
export function metricsRoutes({ store, clock, authenticator, metrics, processGauges }: Services) {
  return new Elysia({ normalize: false }).use(authentication(authenticator)).get(
    "/metrics",
    async ({ caller: { organizationId }, set }) => {
      const standings = await Array.fromAsync(
        store.monitors.listSnapshots(organizationId, { now: clock.now() }),
      );
      const now = {
        ...monitorGauges(standings.flat()),
        ...certificateGauges(await store.monitors.listCertificateExpiries(organizationId)),
        ...deliveryGauges(await store.deliveries.countPending(organizationId)),
        ...locationGauges(await store.locations.listReports(organizationId)),
        ...(await processGauges()),
      };
      set.headers["content-type"] = METRICS_TYPE;
      return metrics.expose(organizationId, now);
    },
    // The OpenAPI document has only responses in JSON.
    { detail: { hide: true } },
  );
}
