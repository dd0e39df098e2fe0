import { iso } from "../../iso-time.ts";
import { oneLine } from "../../truncate.ts";
import { MAX_REMINDER_INTERVAL } from "../alert-binding.ts";
import {
  type AlertEvent,
  type AlertMessage,
  type BlindnessNotice,
  endsIncident,
  forNotice,
  isTransition,
  type LocationNotice,
  type MaintenanceNotice,
  mainLink,
} from "../alert-event.ts";
import { stateBegan, type Transition } from "../delivery.ts";
import { jsonRequest, serviceUrl } from "./request.ts";
import type { Declaration, Delivery, ImportNames } from "./service.ts";

export const declaration = {
  label: "Alertmanager",
  since: 6,
  readBy: "programs",
  hasSummary: true,
  // A siren.
  icon: "M7 17v-4.5a5 5 0 0 1 10 0V17M4.5 17h15v3h-15zM12 3v1.5M4.8 6l1 1M19.2 6l-1 1",
  url: { example: "http://127.0.0.1:9093" },
  options: {},
  tracksIncidents: true,
} satisfies Declaration;

export const importNames: ImportNames = {};

/**
 * How long an alert lasts unless a later message extends or ends it, in milliseconds: longer than the longest delay between
 * two reminders. Without an end, Alertmanager declares it resolved after its `resolve_timeout` of 5 minutes.
 */
const VALIDITY = (MAX_REMINDER_INTERVAL + 24 * 60 * 60) * 1000;

/** Who an alert is about, and its time. Times are milliseconds since 1970. @property endsAt absent while it lasts */
interface Alert {
  labels: Record<string, string>;
  annotations: Record<string, string>;
  startsAt: number;
  endsAt?: number;
}

/**
 * One alert, with the same labels from its start to its end: names and statuses change, so that they are annotations
 * (behavior 16.153). https://prometheus.io/docs/alerting/latest/alerts_api/
 */
export const delivery: Delivery<typeof declaration> = {
  request({ url }, { event, message, now }) {
    const { labels, annotations, startsAt, endsAt } = alertOf(event);
    const alert = {
      labels,
      annotations: { ...summaryOf(message, event), ...annotations },
      startsAt: iso(startsAt),
      endsAt: iso(endsAt ?? now + VALIDITY),
      generatorURL: mainLink(message).url,
    };
    return jsonRequest(serviceUrl(url, "/api/v2/alerts"), [alert]);
  },
};

function summaryOf(message: AlertMessage, event: AlertEvent): Record<string, string> {
  const { title, reason, link, outageLink } = message;
  const why = isTransition(event) && event.why ? oneLine(event.why.summary) : undefined;
  return {
    summary: title,
    description: reason,
    ...(why !== undefined && { why }),
    link,
    ...(outageLink !== undefined && { outage: outageLink }),
  };
}

function alertOf(event: AlertEvent): Alert {
  if (isTransition(event)) return alertOfTransition(event);
  return forNotice(event, {
    location: alertOfLocation,
    maintenance: alertOfMaintenance,
    checks: alertOfBlindness,
  });
}

function alertOfTransition(transition: Transition): Alert {
  const { organization, monitor, status, outage, troubleSince, closed } = transition;
  const began = stateBegan(transition);
  return {
    labels: {
      alertname: "StillupOutage",
      organization: organization.id,
      monitor: monitor.id,
      type: monitor.type,
    },
    annotations: { name: monitor.name, status },
    startsAt: Math.min(outage?.startedAt ?? troubleSince ?? began, began),
    ...(endsIncident(transition) && { endsAt: closed?.at ?? began }),
  };
}

function alertOfLocation({ type, organization, location, at }: LocationNotice): Alert {
  return {
    labels: { alertname: "StillupLocationSilent", organization: organization.id, location: location.id },
    annotations: { name: location.name },
    startsAt: Math.min(location.lastSeenAt ?? at, at),
    ...(type === "location.connected" && { endsAt: at }),
  };
}

function alertOfMaintenance({ type, organization, maintenance, at }: MaintenanceNotice): Alert {
  return {
    labels: { alertname: "StillupMaintenance", organization: organization.id, maintenance: maintenance.id },
    annotations: { name: maintenance.title },
    startsAt: maintenance.startsAt,
    ...(type === "maintenance.ended" && { endsAt: at }),
  };
}

function alertOfBlindness({ type, organization, since, monitorCount, at }: BlindnessNotice): Alert {
  return {
    labels: { alertname: "StillupBlind", organization: organization.id },
    annotations: { monitors: String(monitorCount) },
    startsAt: Math.min(since, at),
    ...(type === "checks.resumed" && { endsAt: at }),
  };
}
