import { isTransition } from "../../domain/alerts/alert-event.ts";
import type { Status } from "../../domain/monitors/status.ts";
import type { EndedAttempt } from "./pending-delivery.ts";

/** The numbers of the deliveries of one attempt, in their order. */
export function attemptedPks({ delivery }: Pick<EndedAttempt, "delivery">): number[] {
  return [delivery.pk, ...delivery.others.map(({ pk }) => pk)];
}

/** The status of each monitor that a channel is notified of by one attempt: the latest one. */
export function notifiedStatuses({ delivery }: Pick<EndedAttempt, "delivery">): Map<number, Status> {
  const statuses = new Map<number, Status>();
  for (const { event, monitorPk } of [delivery, ...delivery.others])
    if (monitorPk !== null && isTransition(event)) statuses.set(monitorPk, event.status);
  return statuses;
}
