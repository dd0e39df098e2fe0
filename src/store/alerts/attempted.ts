import { isTransition } from "../../domain/alerts/alert-event.ts";
import { incidentAfter } from "../../domain/alerts/incident-key.ts";
import type { Status } from "../../domain/monitors/status.ts";
import type { DigestPart, EndedAttempt } from "./pending-delivery.ts";

/** The numbers of the deliveries of one attempt, in their order. */
export function attemptedPks({ delivery }: Pick<EndedAttempt, "delivery">): number[] {
  return [delivery.pk, ...delivery.others.map(({ pk }) => pk)];
}

/** A monitor that a channel was notified of. @property incident key of the incident that is open now; null if none is */
export interface NotifiedMonitor {
  monitorPk: number;
  status: Status;
  incident: string | null;
}

/** The monitors that a delivered message was about: of several notifications of one, the latest counts. */
export function notifiedMonitors({ delivery }: Pick<EndedAttempt, "delivery">): NotifiedMonitor[] {
  const notified = new Map<number, NotifiedMonitor>();
  // Receivers with incidents get each event alone (behavior 16.148), so that the later ones have no open incident.
  for (const { event, monitorPk, incident } of [delivery, ...delivery.others.map(withoutIncident)])
    if (monitorPk !== null && isTransition(event))
      notified.set(monitorPk, { monitorPk, status: event.status, incident: incidentAfter(event, incident) });
  return [...notified.values()];
}

function withoutIncident(part: DigestPart) {
  return { ...part, incident: null };
}
