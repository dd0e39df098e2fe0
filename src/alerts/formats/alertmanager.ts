import { MAX_REMINDER_INTERVAL } from "../../domain/alerts/alert-binding.ts";
import {
  type AlertEvent,
  type BlindnessNotice,
  forNotice,
  isTransition,
  type LocationNotice,
  type MaintenanceNotice,
} from "../../domain/alerts/alert-event.ts";
import type { Transition } from "../../domain/alerts/delivery.ts";
import { endsIncident } from "../../domain/alerts/incident-key.ts";
import { iso } from "../../domain/iso-time.ts";
import { type AlertMessage, mainLink } from "../alert-message.ts";
import { describeEvent } from "../message.ts";
import { stateBegan } from "../transition-message.ts";
import type { Format } from "./format.ts";

import { jsonRequest, serviceUrl } from "./service-request.ts";

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
export const alertmanager: Format<"alertmanager"> = {
  request({ url }, { event, now }, baseUrl) {
    const message = describeEvent(event, baseUrl, { now });
    const { labels, annotations, startsAt, endsAt } = alertOf(event);
    const alert = {
      labels,
      annotations: { ...summaryOf(message), ...annotations },
      startsAt: iso(startsAt),
      endsAt: iso(endsAt ?? now + VALIDITY),
      generatorURL: mainLink(message).url,
    };
    return jsonRequest(serviceUrl(url, "/api/v2/alerts"), [alert]);
  },
};

function summaryOf(message: AlertMessage): Record<string, string> {
  const { title, reason, link, outageLink } = message;
  return {
    summary: title,
    description: reason,
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
