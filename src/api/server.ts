import { Elysia } from "elysia";
import { alertRoutes } from "./alerts.ts";
import { apiKeyRoutes } from "./api-keys.ts";
import { checkinRoutes } from "./checkin.ts";
import { deliveryRoutes } from "./deliveries.ts";
import { documentation } from "./documentation.ts";
import { answerError } from "./errors.ts";
import { eventRoutes } from "./events.ts";
import { monitorRoutes } from "./monitors.ts";
import { organizationRoutes } from "./organization.ts";
import { overviewRoutes } from "./overview.ts";
import { pageRoutes } from "./page.ts";
import { probeRoutes } from "./probe.ts";
import { reportRoutes } from "./report.ts";
import { resultRoutes } from "./results.ts";
import type { Services } from "./services.ts";
import { sessionRoutes } from "./session.ts";
import { statusRoutes } from "./status.ts";
import { streamRoutes } from "./stream.ts";

/**
 * Bun refuses none: its own 413 has no body and comes before authentication. It buffers nothing that a route doesn't
 * read, and `request-body.ts` stops at the limit of decisions 2.
 */
const UNLIMITED = Number.MAX_SAFE_INTEGER;

/** All routes, and the one mapping of errors: it must come first, for hooks hold only for what follows them. */
export function createApi(services: Services) {
  return new Elysia({ normalize: false, serve: { maxRequestBodySize: UNLIMITED } })
    .onError(({ error, set }) => {
      const { status, body } = answerError(error, services.log);
      set.status = status;
      return body;
    })
    .use(checkinRoutes(services))
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
