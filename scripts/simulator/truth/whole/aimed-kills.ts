import type { Fault, Scenario, SimRequest } from "../../ledger.ts";
import { windowsOf } from "../../oracle/calm/windows.ts";
import type { Draw } from "../draw.ts";
import { endOf, SENDING, startOf } from "../faults.ts";
import { failuresOf } from "./failing-receivers.ts";

const [SECOND, MINUTE] = [1000, 60_000];

/** No fault begins or lasts in this time at the end, in which everything is decided and sent. */
export const CALM_END = 20 * MINUTE;

/** How long before what makes a call the process is doomed, at most; milliseconds. */
const LEAD = 900;

/** A location is silent 60 s after its last request, which was up to 35 s before it was cut off; milliseconds. */
const SILENT_AFTER = [25 * SECOND, 40 * SECOND, 50 * SECOND];

/** The share of the methods at which a process dies in one world. Few worlds have locations. */
const SHARE = 0.25;
const SHARE_OF_LOCATIONS = 0.9;

/** Methods of the store, and attempts at a notification, by what calls them. */
const CALLS = {
  resume: ["checks.claim", "checks.listDueSlots", "recording.record", "recording.syncResults"],
  "failure of a job": [
    ...["recording.record", "recording.syncResults", "heartbeats.claimOverdue"],
    ...["deliveries.claim", "deliveries.recordAttempts", "deliveries.listDue", SENDING],
  ],
  window: ["maintenances.noteWindows", "maintenances.listWatched", "alertReviews.review"],
  look: ["pages.findMarkers", "pages.readFacts", "pages.listSettledCounts", "monitors.list"],
  "fault of a location": [
    ...["locations.noteSeen", "locations.findMarker", "locations.findWork", "locations.reconnect"],
    ...["locations.listWatched", "locations.listFailureShares", "locations.findRechecks"],
    ...["recording.recordObservations", "locations.setAtFault", "claims.take"],
  ],
  silence: ["locations.silence", "locations.listFailureShares"],
} as const;

const OF_LOCATIONS: ReadonlySet<string> = new Set([...CALLS["fault of a location"], ...CALLS.silence]);

const OF_REQUESTS: Record<SimRequest["kind"], readonly [string, ...string[]]> = {
  ...{ pause: ["monitors.update"], resume: ["monitors.update"], bind: ["monitors.update"] },
  ...{ depend: ["monitors.update"], edit: ["monitors.find", "monitors.update"] },
  ...{ delete: ["monitors.delete"], apply: ["configuration.export", "configuration.apply"] },
  acknowledge: ["outages.list", "outages.acknowledge"],
  "take back": ["outages.list", "outages.unacknowledge"],
  "create maintenance": ["maintenances.list", "maintenances.create"],
  "end window": ["maintenances.list", "maintenances.end"],
  "delete maintenance": ["maintenances.list", "maintenances.delete"],
  ...{ "disable person": ["people.update"], "enable person": ["people.update"] },
  ...{ "own channels": ["people.update"], "delete person": ["people.delete"] },
  "change layers": ["schedules.update"],
  "create override": ["schedules.createOverride"],
  "delete override": ["schedules.find", "schedules.deleteOverride"],
};

/** Lets the process die at calls of methods that no death by chance would meet. @returns all faults, by time */
export function drawAimedKills(draw: Draw, scenario: Scenario): Fault[] {
  const all = [...scenario.faults];
  for (const [call, times] of timesOf(scenario)) {
    const own = draw.fork(call);
    const inTime = times.filter((at) => at > scenario.from + MINUTE);
    const share = OF_LOCATIONS.has(call) ? SHARE_OF_LOCATIONS : SHARE;
    if (inTime.length === 0 || !own.chance(share)) continue;
    const at = Math.round(own.pick(inTime as [number, ...number[]]) - own.between(1, LEAD));
    const kill = { step: own.whole(1, 2), downMs: Math.round(own.spread(SECOND, MINUTE)) };
    addFault(all, { kind: "kill", at, call, ...kill }, scenario.to);
  }
  return all.sort((a, b) => startOf(a) - startOf(b));
}

/** When each method is called. */
function timesOf(scenario: Scenario): Map<string, number[]> {
  const { monitors, requests = [], maintenances = [], looks = [], locations = [] } = scenario;
  const happen: Record<keyof typeof CALLS, number[]> = {
    resume: requests.filter(({ kind }) => kind === "resume").map(({ at }) => at),
    "failure of a job": failuresOf(monitors),
    window: maintenances.flatMap(({ window }) =>
      windowsOf(window, scenario).flatMap((one) => [one.from, one.to]),
    ),
    look: looks,
    "fault of a location": locations.flatMap(({ faults }) =>
      faults.flatMap((fault) => [fault.from, fault.to]),
    ),
    silence: locations.flatMap(({ faults }) =>
      faults.flatMap(({ from }) => SILENT_AFTER.map((ms) => from + ms)),
    ),
  };
  const times = new Map<string, number[]>();
  const add = (call: string, more: readonly number[]) =>
    times.set(call, [...(times.get(call) ?? []), ...more]);
  for (const [what, calls] of Object.entries(CALLS))
    for (const call of calls) add(call, happen[what as keyof typeof CALLS]);
  for (const { kind, at } of requests) for (const call of OF_REQUESTS[kind]) add(call, [at]);
  return times;
}

/** Adds a fault unless it is near another one. */
export function addFault(faults: Fault[], fault: Fault, end: number): void {
  const isApart = faults.every(
    (other) => startOf(fault) > endOf(other) + MINUTE || endOf(fault) < startOf(other) - MINUTE,
  );
  if (isApart && endOf(fault) < end - CALM_END) faults.push(fault);
}
