import { json, type Service, type ServiceCall } from "./service-call.ts";

/* Services that know which incidents are open. */

const pagerdutyFailures = {
  invalid: json(400, { status: "invalid event", message: "Event object is invalid", errors: ["words"] }),
  rateLimit: json(429, { status: "throttle exceeded", message: "words" }),
  fault: () => new Response(null, { status: 500 }),
};

/** The Events API, version 2, for the routing key `good`. */
export const pagerduty: Service = {
  answer({ method, path, body }) {
    if (method !== "POST" || path !== "/v2/enqueue") return new Response("Not Found", { status: 404 });
    const { routing_key, event_action, dedup_key, payload } = body;
    const isKnown = ["trigger", "acknowledge", "resolve"].includes(event_action);
    const isKeyed = typeof dedup_key === "string" && dedup_key.length >= 1 && dedup_key.length <= 255;
    if (routing_key !== "good" || !isKnown || !isKeyed) return pagerdutyFailures.invalid();
    if (event_action === "trigger") {
      const isSevere = ["critical", "error", "warning", "info"].includes(payload.severity);
      const isSaid = payload.summary.length >= 1 && payload.summary.length <= 1024 && payload.source !== "";
      if (!isSevere || !isSaid) return pagerdutyFailures.invalid();
    }
    return Response.json({ status: "success", message: "Event processed", dedup_key }, { status: 202 });
  },
  failures: pagerdutyFailures,
};

/** The keys of the incidents that are open. */
export function openIncidents(calls: readonly ServiceCall[]): string[] {
  const open = new Set<string>();
  for (const { body } of calls)
    if (body.event_action === "trigger") open.add(body.dedup_key);
    else open.delete(body.dedup_key);
  return [...open];
}

const alertmanagerFailures = {
  invalid: json(400, { code: 601, message: "words" }),
  fault: json(500, { code: 500, message: "words" }),
};

/** The API v2 of an Alertmanager. */
export const alertmanager: Service = {
  answer({ method, path, body }) {
    if (method !== "POST" || path !== "/am/api/v2/alerts")
      return new Response("404 page not found", { status: 404 });
    const isValid = Array.isArray(body) && body.every(isAlert);
    return isValid ? new Response(null, { status: 200 }) : alertmanagerFailures.invalid();
  },
  failures: alertmanagerFailures,
};

function isAlert({ labels, annotations, startsAt, endsAt }: ServiceCall["body"]): boolean {
  const named = Object.entries(labels);
  const isNamed =
    named.length > 0 && named.every(([name, value]) => /^[a-zA-Z_]\w*$/.test(name) && value !== "");
  const isSaid = Object.keys(annotations).every((name) => /^[a-zA-Z_]\w*$/.test(name));
  return isNamed && isSaid && (endsAt === undefined || Date.parse(startsAt) <= Date.parse(endsAt));
}

/** An alert without an end is resolved after this time, in milliseconds: the default of `resolve_timeout`. */
const RESOLVE_TIMEOUT = 5 * 60 * 1000;

/** The labels of the alerts that are active at a time, if all messages arrived at another. Both are milliseconds since 1970. */
export function activeAlerts(calls: readonly ServiceCall[], { arrived, at = arrived }: Times): string[] {
  const ends = new Map<string, number>();
  for (const { labels, endsAt } of calls.flatMap(({ body }) => body))
    ends.set(JSON.stringify(labels), endsAt === undefined ? arrived + RESOLVE_TIMEOUT : Date.parse(endsAt));
  return [...ends].filter(([, end]) => end > at).map(([labels]) => labels);
}

interface Times {
  arrived: number;
  at?: number;
}
