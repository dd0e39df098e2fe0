import type { Log, LoggedMonitor } from "../log.ts";
import { HEALTHY } from "./statuses.ts";
import { at, type Violation } from "./violation.ts";

/**
 * Each transition is in the database once: a result triggers an alert if its status differs from the one before, each of
 * its channels gets one delivery for it, and all nodes show the same in the end.
 */
export function findWrongTransitions(log: Log): Violation[] {
  return [...log.monitors.flatMap((monitor) => wrongOf(log, monitor)), ...findDisagreements(log)];
}

/** How many transitions are in the database. */
export function countTransitions({ results }: Log): number {
  return Object.values(results).flatMap((rows) => rows.filter(({ alertTriggered }) => alertTriggered)).length;
}

function wrongOf(log: Log, { name, channels }: LoggedMonitor): Violation[] {
  const violations: Violation[] = [];
  const wrong = (message: string) => violations.push({ rule: "transition", message: `${name}: ${message}` });
  let previous = "unknown";
  for (const { id, status, createdAt, alertTriggered } of log.results[name] ?? []) {
    const isFirst = previous === "unknown" && HEALTHY.has(status);
    const isTransition = status !== previous && !isFirst;
    const change = `${previous} → ${status} at ${at(log, createdAt)}`;
    if (alertTriggered !== (isTransition && channels.length > 0))
      wrong(`${change} ${isTransition ? "triggered no alert" : "triggered an alert"}`);
    for (const channel of channels) {
      const deliveries = (log.deliveries[channel] ?? []).filter(({ resultId }) => resultId === id);
      if (deliveries.length !== (isTransition ? 1 : 0))
        wrong(`${change} has ${deliveries.length} deliveries of ${channel}`);
      for (const { previousStatus, newStatus } of deliveries)
        if (previousStatus !== previous || newStatus !== status)
          wrong(`${change} is delivered as ${previousStatus} → ${newStatus}`);
    }
    previous = status;
  }
  return violations;
}

function findDisagreements({ monitors, results, views }: Log): Violation[] {
  return views.flatMap(({ node, statuses, latest }) =>
    monitors
      .filter(({ name }) => {
        const last = results[name]?.at(-1);
        return statuses[name] !== (last?.status ?? "unknown") || latest[name] !== (last?.id ?? null);
      })
      .map(({ name }) => ({
        rule: "view",
        message: `${node} shows ${name} as ${statuses[name]} of result ${latest[name]}, not ${results[name]?.at(-1)?.id}`,
      })),
  );
}
