import { iso } from "../../iso-time.ts";
import { truncate } from "../../truncate.ts";
import {
  type AlertEvent,
  type AlertMessage,
  endsIncident,
  incidentKey,
  isTransition,
  linksOf,
  mainLink,
  type Notice,
  subjectOfNotice,
} from "../alert-event.ts";
import { jsonRequest, serviceUrl } from "./request.ts";
import { type Declaration, type Delivery, type ImportNames, secretOption } from "./service.ts";

export const declaration = {
  label: "PagerDuty",
  since: 6,
  readBy: "programs",
  hasSummary: true,
  // A pager.
  icon: "M3 6.5h18v11H3zM6 9.5h8v4H6zM17.5 10v.01M17.5 13.5v.01",
  url: { usual: "https://events.pagerduty.com" },
  options: {
    routingKey: secretOption("The integration key of the service (Events API v2)."),
  },
  tracksIncidents: true,
} satisfies Declaration;

export const importNames: ImportNames = {
  kuma: {
    type: "PagerDuty",
    url: "pagerdutyIntegrationUrl",
    path: "/v2/enqueue",
    options: { routingKey: "pagerdutyIntegrationKey" },
  },
  gatus: { type: "pagerduty", options: { routingKey: "integration-key" } },
  healthchecks: "pd",
};

/** Characters. */
const LIMITS = { summary: 1024, source: 255 };

/** "A few minutes", if the answer has no `Retry-After`. */
const RATE_LIMIT_DELAY = 120_000;

const SEVERITIES = { down: "critical", warning: "warning", healthy: "info" } as const;

/** https://developer.pagerduty.com/docs/send-alert-event (behavior 16.150, 16.151) */
export const delivery: Delivery<typeof declaration> = {
  request({ url, options: { routingKey } }, { event, message, english, incident = null }) {
    const { title, reason, at, group } = message;
    return jsonRequest(serviceUrl(url, "/v2/enqueue"), {
      routing_key: routingKey,
      event_action: isEnd(event) ? "resolve" : "trigger",
      dedup_key: keyOf(event, incident),
      client: "stillup",
      client_url: mainLink(message).url,
      links: linksOf(message).map(({ label, url }) => ({ href: url, text: label })),
      payload: {
        summary: truncate(`${title}: ${reason}`, LIMITS.summary),
        source: truncate(sourceOf(event), LIMITS.source),
        severity: SEVERITIES[group],
        timestamp: iso(at),
        custom_details: factsOf(english()),
      },
    });
  },
  failures: {
    explain: ({ status, body }) => ({
      ...(body.status === "invalid event" && { word: "invalid_event" }),
      ...(status === 429 && { retryAfterMs: RATE_LIMIT_DELAY }),
    }),
  },
};

/** Notices have no outage: each is an incident of its own, from its beginning to its counterpart. */
function keyOf(event: AlertEvent, incident: string | null): string {
  if (isTransition(event)) return incidentKey(event, incident);
  const { kind, id } = subjectOfNotice(event);
  return `${kind}-${id}`;
}

const ENDS: Record<Notice["type"], boolean> = {
  "location.silent": false,
  "location.connected": true,
  "maintenance.started": false,
  "maintenance.ended": true,
  "checks.blind": false,
  "checks.resumed": true,
};

function isEnd(event: AlertEvent): boolean {
  return isTransition(event) ? endsIncident(event) : ENDS[event.type];
}

function sourceOf(event: AlertEvent): string {
  if (isTransition(event)) return event.monitor.name;
  return subjectOfNotice(event).name;
}

/** The reason and the facts of a message as fields, such as `Seen from`: rules of event orchestration read them. */
function factsOf({ reason, facts }: AlertMessage): Record<string, string> {
  return Object.fromEntries([["Reason", reason], ...facts.map(({ label, value }) => [label, value])]);
}
