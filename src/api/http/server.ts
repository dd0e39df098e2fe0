import { Elysia } from "elysia";
import { registerFormats } from "../../domain/schemas/format-rules.ts";
import { sessionRoutes } from "../auth/session.ts";
import { apiKeyRoutes } from "../routes/api-keys.ts";
import { applyRoutes } from "../routes/apply.ts";
import { auditRoutes } from "../routes/audit.ts";
import { badgeRoutes } from "../routes/badges.ts";
import { byRefRoutes } from "../routes/by-ref.ts";
import { channelRoutes } from "../routes/channels.ts";
import { checkinRoutes } from "../routes/checkin.ts";
import { configurationExportRoutes } from "../routes/configuration-export.ts";
import { configurationSchemaRoutes } from "../routes/configuration-schema.ts";
import { deliveryRoutes } from "../routes/deliveries.ts";
import { eventRoutes } from "../routes/events.ts";
import { exportRoutes } from "../routes/exports.ts";
import { feedRoutes } from "../routes/feed.ts";
import { healthRoutes } from "../routes/health.ts";
import { incidentRoutes } from "../routes/incidents.ts";
import { locationRoutes } from "../routes/locations.ts";
import { maintenanceRoutes } from "../routes/maintenances.ts";
import { markdownRoutes } from "../routes/markdown.ts";
import { metricsRoutes } from "../routes/metrics.ts";
import { monitorReportRoutes } from "../routes/monitor-report.ts";
import { monitorRoutes } from "../routes/monitors.ts";
import { monthlyReportRoutes } from "../routes/monthly-report.ts";
import { organizationRoutes } from "../routes/organization.ts";
import { outageRoutes } from "../routes/outages.ts";
import { overviewRoutes } from "../routes/overview.ts";
import { pageRoutes } from "../routes/pages.ts";
import { probeRoutes } from "../routes/probe.ts";
import { pushRoutes } from "../routes/push.ts";
import { remoteProbeRoutes } from "../routes/remote-probe.ts";
import { resultRoutes } from "../routes/results.ts";
import { statusRoutes } from "../routes/status.ts";
import { statusJsonRoutes } from "../routes/status-json.ts";
import { statusPageRoutes } from "../routes/status-page.ts";
import { streamRoutes } from "../routes/stream.ts";
import { subscriptionRoutes } from "../routes/subscriptions.ts";
import { webPageRoutes } from "../routes/web-page.ts";
import { createBodyMemory } from "./body-memory.ts";
import { documentation } from "./documentation.ts";
import { answerError, assertReachable } from "./errors.ts";
import { assertServedAtHost } from "./public-route.ts";
import { securityHeaders } from "./security-headers.ts";
import type { Services } from "./services.ts";

/**
 * All routes, and the mapping of errors. `onError` must be first, because hooks apply only to routes registered later.
 */
export function createApi(given: Omit<Services, "bodies">) {
  registerFormats();
  const services = { ...given, bodies: createBodyMemory() };
  return new Elysia({ normalize: false })
    .headers(securityHeaders(services.publicUrl))
    .onError(({ error, set }) => {
      const { status, body, retryAfter } = answerError(error, services.log);
      set.status = status;
      if (retryAfter !== undefined) set.headers["retry-after"] = String(retryAfter);
      return body;
    })
    .onRequest(({ request }) => {
      assertServedAtHost(services.publicPages, request);
      assertReachable(services, request);
    })
    .use(checkinRoutes(services))
    .use(pushRoutes(services))
    .use(healthRoutes(services))
    .use(metricsRoutes(services))
    .use(monitorRoutes(services))
    .use(byRefRoutes(services))
    .use(resultRoutes(services))
    .use(eventRoutes(services))
    .use(outageRoutes(services))
    .use(exportRoutes(services))
    .use(monthlyReportRoutes(services))
    .use(channelRoutes(services))
    .use(deliveryRoutes(services))
    .use(statusRoutes(services))
    .use(apiKeyRoutes(services))
    .use(organizationRoutes(services))
    .use(auditRoutes(services))
    .use(sessionRoutes(services))
    .use(overviewRoutes(services))
    .use(monitorReportRoutes(services))
    .use(probeRoutes(services))
    .use(locationRoutes(services))
    .use(maintenanceRoutes(services))
    .use(pageRoutes(services))
    .use(incidentRoutes(services))
    .use(applyRoutes(services))
    .use(configurationExportRoutes(services))
    .use(markdownRoutes(services))
    .use(remoteProbeRoutes(services))
    .use(streamRoutes(services))
    .use(statusPageRoutes(services))
    .use(statusJsonRoutes(services))
    .use(feedRoutes(services))
    .use(subscriptionRoutes(services))
    .use(badgeRoutes(services))
    .use(configurationSchemaRoutes())
    .use(documentation())
    .use(webPageRoutes(services));
}
