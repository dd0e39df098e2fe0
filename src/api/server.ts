import { Elysia } from "elysia";
import { alertRoutes } from "./alerts.ts";
import { apiKeyRoutes } from "./api-keys.ts";
import { checkinRoutes } from "./checkin.ts";
import { deliveryRoutes } from "./deliveries.ts";
import { documentation } from "./documentation.ts";
import { answerError } from "./errors.ts";
import { eventRoutes } from "./events.ts";
import { healthRoutes } from "./health.ts";
import { metricsRoutes } from "./metrics.ts";
import { monitorRoutes } from "./monitors.ts";
import { organizationRoutes } from "./organization.ts";
import { overviewRoutes } from "./overview.ts";
import { pageRoutes } from "./page.ts";
import { probeRoutes } from "./probe.ts";
import { reportRoutes } from "./report.ts";
import { resultRoutes } from "./results.ts";
import { securityHeaders } from "./security-headers.ts";
import type { Services } from "./services.ts";
import { sessionRoutes } from "./session.ts";
import { statusRoutes } from "./status.ts";
import { streamRoutes } from "./stream.ts";

/** All routes, and the one mapping of errors: it must come first, for hooks hold only for what follows them. */
export function createApi(services: Services) {
  return new Elysia({ normalize: false })
    .headers(securityHeaders(services.publicUrl))
    .onError(({ error, set }) => {
      const { status, body, retryAfter } = answerError(error, services.log);
      set.status = status;
      if (retryAfter !== undefined) set.headers["retry-after"] = String(retryAfter);
      return body;
    })
    .use(checkinRoutes(services))
    .use(healthRoutes(services))
    .use(metricsRoutes(services))
    .use(monitorRoutes(services))
    .use(resultRoutes(services))
    .use(eventRoutes(services))
    .use(alertRoutes(services))
    .use(deliveryRoutes(services))
    .use(statusRoutes(services))
    .use(apiKeyRoutes(services))
    .use(organizationRoutes(services))
    .use(sessionRoutes(services))
    .use(overviewRoutes(services))
    .use(reportRoutes(services))
    .use(probeRoutes(services))
    .use(streamRoutes(services))
    .use(documentation())
    .use(pageRoutes(services));
}
