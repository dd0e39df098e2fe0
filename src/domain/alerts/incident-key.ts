import { groupOf } from "../monitors/status.ts";
import type { Transition } from "./delivery.ts";

/*
 * Some receivers keep an incident open until a message with the same key ends it. A pause or silent locations end the outage
 * of a monitor before its recovery, so that the key cannot always be taken from the outage (behavior 16.150).
 */

/** Whether a notification ends the incident of its monitor. */
export function endsIncident({ status, closed }: Transition): boolean {
  return closed !== undefined || groupOf(status) === "healthy";
}

/**
 * The key for a notification of a monitor.
 *
 * @param open key of the incident that an earlier notification opened at the same receiver; null if none is open
 */
export function incidentKey({ outage, monitor }: Transition, open: string | null): string {
  return open ?? outage?.id ?? `monitor-${monitor.id}`;
}

/** The key of the incident that is open after a notification was delivered; null if none is. @param open as of `incidentKey` */
export function incidentAfter(transition: Transition, open: string | null): string | null {
  return endsIncident(transition) ? null : incidentKey(transition, open);
}
