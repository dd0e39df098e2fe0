import { Elysia } from "elysia";
import { listCertificateEnds } from "../db/certificate-ends.ts";
import { findOrganization } from "../db/organizations.ts";
import { countWaiting } from "../db/outbox.ts";
import { listStandings } from "../db/overview.ts";
import { METRICS_TYPE } from "../runner/metrics.ts";
import { readCertificates, readDeliveries, readMonitors } from "../runner/monitor-readings.ts";
import { authentication } from "./authentication.ts";
import type { Services } from "./services.ts";

/**
 * What Prometheus reads: an extension of the interface. Monitors and what was counted of them are those of the key's
 * organization; what is told of the process is the same for all.
 */
export function metricsRoutes({ db, callers, metrics, readProcess }: Services) {
  return new Elysia({ normalize: false }).use(authentication(callers)).get(
    "/metrics",
    async ({ caller: { organizationId }, set }) => {
      const { pk } = findOrganization(db, organizationId);
      const standings = await Array.fromAsync(listStandings(db, organizationId, { now: Date.now() }));
      const now = {
        ...readMonitors(standings.flat()),
        ...readCertificates(await listCertificateEnds(db, pk)),
        ...readDeliveries(await countWaiting(db, pk)),
        ...readProcess(),
      };
      set.headers["content-type"] = METRICS_TYPE;
      return metrics.expose(pk, now);
    },
    // Not in the OpenAPI document, which is of answers in JSON.
    { detail: { hide: true } },
  );
}
