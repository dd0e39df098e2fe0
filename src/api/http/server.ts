import { Elysia } from "elysia";
import { registerFormats } from "../../domain/schemas/format-rules.ts";
import type { Authenticator } from "../../runner/authenticator.ts";
import { apiKeyRoutes } from "../accounts/api-keys.ts";
import { auditRoutes } from "../accounts/audit.ts";
import { organizationRoutes } from "../accounts/organization.ts";
import { channelRoutes, pushKeyRoutes } from "../alerts/channels.ts";
import { deliveryRoutes } from "../alerts/deliveries.ts";
import { sessionRoutes } from "../auth/session.ts";
import { causeRoutes } from "../causes/causes.ts";
import { factRoutes } from "../causes/facts.ts";
import { byRefRoutes } from "../configuration/by-ref.ts";
import {
  applyRoutes,
  configurationExportRoutes,
  configurationSchemaRoutes,
} from "../configuration/configuration-body.ts";
import { discoveryRoutes } from "../discovery/discovery.ts";
import { guideRoutes } from "../guide.ts";
import { healthRoutes, metricsRoutes } from "../health.ts";
import { checkinRoutes } from "../heartbeats/check-ins.ts";
import { pingRoutes, pushRoutes } from "../heartbeats/push.ts";
import { runRoutes } from "../heartbeats/runs.ts";
import { locationRoutes } from "../locations/locations.ts";
import { remoteProbeRoutes } from "../locations/remote-probe.ts";
import { maintenanceRoutes } from "../maintenance/maintenances.ts";
import { mcpRoutes } from "../mcp/mcp.ts";
import { bulkRoutes, probeRoutes } from "../monitors/bulk.ts";
import { monitorRoutes } from "../monitors/monitors.ts";
import { oneMonitorRoutes, statusRoutes } from "../monitors/one-monitor.ts";
import { attentionRoutes, overviewRoutes } from "../monitors/overview.ts";
import { onCallCalendarRoutes, scheduleRoutes } from "../on-call/schedules.ts";
import { acknowledgeLinkRoutes } from "../outages/acknowledge-link.ts";
import { outageRoutes } from "../outages/outages.ts";
import { incidentRoutes } from "../pages/incidents.ts";
import { markdownRoutes, pageFormatRoutes } from "../pages/page-formats.ts";
import { pageRoutes } from "../pages/pages.ts";
import { assertServedAtHost } from "../pages/public-route.ts";
import { statusPageRoutes, unlockRoutes } from "../pages/status-page.ts";
import { subscriptionRoutes } from "../pages/subscriptions.ts";
import { inviteRoutes } from "../people/invites.ts";
import { meRoutes } from "../people/me.ts";
import { oidcRoutes } from "../people/oidc.ts";
import { passkeyRoutes } from "../people/passkeys.ts";
import { peopleRoutes } from "../people/people.ts";
import { replayRoutes } from "../replay/replay.ts";
import { monthlyReportRoutes } from "../reports/monthly-report.ts";
import { reportMailRoutes } from "../reports/report-mails.ts";
import { exportRoutes } from "../results/exports.ts";
import { eventRoutes, resultRoutes } from "../results/results.ts";
import { serverRoutes } from "../server/server-report.ts";
import { streamRoutes } from "../stream.ts";
import { wallRoutes } from "../wall/wall.ts";
import { wallLinkRoutes } from "../wall/wall-links.ts";
import { createErrorPage, webPageRoutes } from "../web-page.ts";
import { documentation } from "./documentation.ts";
import { answerError, assertReachable } from "./errors.ts";
import { createBodyMemory } from "./request-body.ts";
import type { ForwardedAs, Services } from "./services.ts";

/**
 * All routes, and the mapping of errors. `onError` must be first, because hooks apply only to routes registered later.
 */
export function createApi(given: Omit<Services, "bodies" | "forward">) {
  registerFormats();
  const api = new Elysia({ normalize: false });
  const forwarded = new WeakMap<Request, ForwardedAs>();
  const authorOf: Authenticator["authorOf"] = (caller, request) => {
    const { request: first = request, ...more } = forwarded.get(request) ?? {};
    return { ...given.authenticator.authorOf(caller, first), ...more };
  };
  const services: Services = {
    ...given,
    authenticator: { ...given.authenticator, authorOf },
    bodies: createBodyMemory(),
    forward(request, as) {
      forwarded.set(request, as);
      return api.handle(request);
    },
  };
  const errorPage = createErrorPage(services);
  // Some routes are nested, because the compiler limits the length of this chain.
  return api
    .headers(securityHeaders(services.publicUrl))
    .onError(({ error, set, request }) => {
      const { status, body, retryAfter, fault } = answerError(error, services.log);
      set.status = status;
      if (retryAfter !== undefined) set.headers["retry-after"] = String(retryAfter);
      if (fault !== undefined) set.headers["stillup-fault"] = fault;
      return errorPage({ request, set, status }) ?? body;
    })
    .onRequest(({ request }) => {
      assertServedAtHost(services.publicPages, request);
      assertReachable(services, request);
    })
    .use(jobGroup(services))
    .use(healthRoutes(services))
    .use(metricsRoutes(services))
    .use(monitorGroup(services))
    .use(resultGroup(services))
    .use(alertGroup(services))
    .use(statusRoutes(services))
    .use(accountGroup(services))
    .use(serverGroup(services))
    .use(overviewRoutes(services))
    .use(wallGroup(services))
    .use(oneMonitorRoutes(services))
    .use(probeRoutes(services))
    .use(locationRoutes(services))
    .use(maintenanceRoutes(services))
    .use(onCallGroup(services))
    .use(pageGroup(services))
    .use(applyRoutes(services))
    .use(configurationExportRoutes(services))
    .use(markdownRoutes(services))
    .use(remoteProbeRoutes(services))
    .use(streamRoutes(services))
    .use(publicPageGroup(services))
    .use(configurationSchemaRoutes())
    .use(documentation(services.basePath, () => api.routes))
    .use(guideRoutes(services))
    .use(webPageRoutes(services));
}

// Groups, because the compiler gives up on a chain of about 40 plugins. They are functions and no plugins, because Elysia processes each route
// again for each plugin around it, which takes a tenth of the start.

function accountGroup(services: Services) {
  return (api: Elysia) =>
    api
      .use(apiKeyRoutes(services))
      .use(organizationRoutes(services))
      .use(auditRoutes(services))
      .use(sessionRoutes(services))
      .use(peopleRoutes(services))
      .use(inviteRoutes(services))
      .use(meRoutes(services))
      .use(passkeyRoutes(services))
      .use(oidcRoutes(services));
}

function serverGroup(services: Services) {
  return (api: Elysia) => api.use(serverRoutes(services)).use(discoveryRoutes(services));
}

function jobGroup(services: Services) {
  return (api: Elysia) =>
    api.use(checkinRoutes(services)).use(runRoutes(services)).use(foreignGroup(services));
}

/** The addresses of other products and of agents, which are no part of the typed client. */
function foreignGroup(services: Services) {
  return (api: Elysia) =>
    api.use(pushRoutes(services)).use(pingRoutes(services)).use(mcpRoutes(services)) as unknown as Elysia;
}

function monitorGroup(services: Services) {
  return (api: Elysia) =>
    api
      .use(monitorRoutes(services))
      .use(bulkRoutes(services))
      .use(replayRoutes(services))
      .use(byRefRoutes(services));
}

function resultGroup(services: Services) {
  return (api: Elysia) =>
    api
      .use(resultRoutes(services))
      .use(eventRoutes(services))
      .use(outageRoutes(services))
      .use(factRoutes(services))
      .use(causeRoutes(services))
      .use(exportRoutes(services))
      .use(monthlyReportRoutes(services))
      .use(reportMailRoutes(services));
}

function alertGroup(services: Services) {
  return (api: Elysia) =>
    api.use(channelRoutes(services)).use(deliveryRoutes(services)).use(pushKeyRoutes(services));
}

function onCallGroup(services: Services) {
  return (api: Elysia) => api.use(scheduleRoutes(services)).use(onCallCalendarRoutes(services));
}

function wallGroup(services: Services) {
  return (api: Elysia) =>
    api.use(wallRoutes(services)).use(wallLinkRoutes(services)).use(attentionRoutes(services));
}

function pageGroup(services: Services) {
  return (api: Elysia) => api.use(pageRoutes(services)).use(incidentRoutes(services));
}

function publicPageGroup(services: Services) {
  return (api: Elysia) =>
    api
      .use(statusPageRoutes(services))
      .use(pageFormatRoutes(services))
      .use(subscriptionRoutes(services))
      .use(acknowledgeLinkRoutes(services))
      .use(unlockRoutes(services));
}

/** How long a browser uses only HTTPS for the host, in seconds. */
const YEAR = 31_536_000;

/** The default headers of responses (behavior 8.19): data that is not a page and must not be cached. */
const headers = {
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "same-origin",
  "cache-control": "no-store",
};

/**
 * HSTS applies to all ports and paths of a host. Therefore it is sent only if the base URL is HTTPS without a port and a path.
 *
 * @param publicUrl the base URL of the settings, if it is set
 */
export function securityHeaders(publicUrl: string | undefined): Record<string, string> {
  const url = publicUrl === undefined ? null : URL.parse(publicUrl);
  if (url?.protocol !== "https:" || url.port + url.pathname !== "/") return headers;
  return { ...headers, "strict-transport-security": `max-age=${YEAR}` };
}
