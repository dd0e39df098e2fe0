import type { Ledger, SimRequest } from "../ledger.ts";
import { maintenanceRuns } from "../oracle/calm/windows.ts";
import { type Coverage, counted } from "./counts.ts";

/** The transitions of every state machine. */
export function transitionsOf(ledger: Ledger): Coverage {
  return counted([
    ...statusesOf(ledger),
    ...notificationsOf(ledger),
    ...incidentsOf(ledger),
    ...outagesOf(ledger),
    ...windowsOf(ledger),
    ...livesOf(ledger),
    ...monitorsOf(ledger),
    ...placesOf(ledger),
  ]);
}

/** Each change of a state to another one. @param what changes */
function changes(what: string, states: readonly string[]): string[] {
  return states.flatMap((state, place) => {
    const next = states[place + 1];
    return next === undefined || next === state ? [] : [`${what}: ${state} → ${next}`];
  });
}

function statusesOf({ scenario, results }: Ledger): string[] {
  const byMonitor = Map.groupBy(results, ({ monitor }) => monitor);
  return scenario.monitors.flatMap(({ name, type }) =>
    changes(`status of ${type}`, ["unknown", ...(byMonitor.get(name) ?? []).map(({ status }) => status)]),
  );
}

/** From its creation over its attempts to its end. */
function notificationsOf({ attempts, deliveries }: Ledger): string[] {
  const byId = Map.groupBy(attempts, ({ id }) => id);
  return deliveries.flatMap(({ id, status }) => {
    const outcomes = (byId.get(id) ?? []).map(({ outcome }) => outcome);
    const last = outcomes.at(-1);
    const end = last === status || (status === "failed" && last === "permanent") ? [] : [status];
    const all = ["created", ...outcomes, ...end];
    return all.slice(1).map((state, place) => `notification: ${all[place]} → ${state}`);
  });
}

/** As their receiver sees them, by key. */
function incidentsOf({ attempts }: Ledger): string[] {
  const delivered = attempts.filter(({ incident, outcome }) => incident && outcome === "delivered");
  const byKey = Map.groupBy(delivered, ({ channel, incident }) => `${channel} ${incident?.key}`);
  return [...byKey.values()].flatMap((all) => {
    const states = ["none", ...all.map(({ incident }) => incident?.action ?? "")];
    return states.slice(1).map((state, place) => `incident: ${states[place]} → ${state}`);
  });
}

function outagesOf(ledger: Ledger): string[] {
  return ledger.outages.flatMap(({ monitor, startedAtWall, endedAtWall }) => {
    const end = endedAtWall ?? Number.POSITIVE_INFINITY;
    const during = ledger.requests.filter(
      ({ request, accepted: isDone, to }) =>
        isDone &&
        (request.kind === "acknowledge" || request.kind === "take back") &&
        request.monitor === monitor &&
        startedAtWall <= to &&
        to <= end,
    );
    const states = during.map(({ request }) => (request.kind === "acknowledge" ? "acknowledged" : "open"));
    return changes("outage", ["none", "open", ...states, ...(endedAtWall === null ? [] : ["ended"])]);
  });
}

/** Windows by their definition, and the notices that were sent. */
function windowsOf(ledger: Ledger): string[] {
  const runs = maintenanceRuns(ledger).map(
    ({ isEarly }) => `window: open → ${isEarly ? "ended early" : "ended"}`,
  );
  const notices = ledger.notices.map(({ type }) => `window: notice ${type}`);
  return [...runs, ...notices];
}

/** Each life of the server, and how the one before ended. */
function livesOf({ lives }: Ledger): string[] {
  return changes("server", ["none", ...lives.flatMap(({ end }) => ["running", end]), "none"]);
}

const STATES: Partial<Record<SimRequest["kind"], string>> = {
  pause: "paused",
  resume: "enabled",
  delete: "deleted",
};

function monitorsOf({ scenario, requests }: Ledger): string[] {
  const done = requests.filter(({ accepted }) => accepted).sort((a, b) => a.to - b.to);
  return scenario.monitors.flatMap(({ name }) => {
    const own = done.filter(({ request }) => "monitor" in request && request.monitor === name);
    return changes("monitor", ["enabled", ...own.flatMap(({ request }) => STATES[request.kind] ?? [])]);
  });
}

/** How the network and the process of each location change. */
function placesOf({ scenario: { locations = [] } }: Ledger): string[] {
  return locations.flatMap(({ faults }) =>
    changes("location", ["well", ...faults.flatMap(({ kind }) => [kind, "well"])]),
  );
}
