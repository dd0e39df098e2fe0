import type { Fault, Ledger, PlaceFault, ReceiverPhase, SimMonitor, SimRequest } from "../ledger.ts";
import { accepted, pausesOf } from "../oracle/calm/spells.ts";
import { isSelected, maintenanceRuns, type Run } from "../oracle/calm/windows.ts";
import type { Stretch } from "../oracle/own-faults.ts";
import { clockChangesOf } from "../truth/cron-runs.ts";

/** How long before and after a change of clocks its hour may matter; milliseconds. */
const HOUR = 3_600_000;

/** The parts of the world that a monitor may have at the same time. The features of one group exclude each other. */
export const FEATURES = {
  type: ["TCP", "DNS", "job with period", "job with cron"],
  confirmations: ["confirmations"],
  recoveries: ["recoveries"],
  child: ["depends on others"],
  parent: ["others depend on it"],
  votes: [
    "one remote location",
    "majority of locations",
    "any location",
    "all locations",
    "number of locations",
  ],
  hook: ["webhook"],
  chat: ["chat"],
  incidents: ["pagerduty", "alertmanager"],
  delay: ["delay"],
  reminder: ["reminder"],
  trouble: ["down", "warning"],
  pause: ["paused"],
  acknowledgement: ["acknowledged"],
  planned: ["planned window"],
  recurring: ["recurring window"],
  deployment: ["window of an operator"],
  clocks: ["change of clocks"],
  receiver: ["receiver hangs", "receiver fails", "receiver rejects"],
  place: ["place partition", "place broken", "place offline", "place cut", "place kill", "place restart"],
  request: ["edit", "apply", "bind", "depend", "delete"],
  fault: [
    ...(["kill", "restart", "stall", "suspend", "disk-full", "locked"] as const),
    ...(["slow-disk", "network-gone", "resolver-silent"] as const),
  ],
} as const satisfies Record<string, readonly string[]>;

export type Group = keyof typeof FEATURES;
export type Feature = (typeof FEATURES)[Group][number];

/** When a monitor has each feature. */
export type Spans = Map<Feature, Stretch[]>;

/** @param runs see `maintenanceRuns` */
export function featuresOf(monitor: SimMonitor, ledger: Ledger, runs = maintenanceRuns(ledger)): Spans {
  const { scenario } = ledger;
  const deletion = accepted(ledger, "delete").find(({ request }) => request.monitor === monitor.name);
  const life = { from: scenario.from, to: deletion?.to ?? scenario.to };
  const spans: Spans = new Map();
  const add = (feature: Feature, stretches: readonly Stretch[]) => {
    const own = stretches
      .map(({ from, to }) => ({ from: Math.max(from, life.from), to: Math.min(to, life.to) }))
      .filter(({ from, to }) => from <= to);
    if (own.length > 0) spans.set(feature, [...(spans.get(feature) ?? []), ...own]);
  };
  for (const trait of traitsOf(monitor, ledger)) add(trait, [life]);
  for (const [feature, stretches] of statesOf(monitor, ledger, runs)) add(feature, stretches);
  for (const [feature, stretches] of requestsOf(monitor.name, ledger)) add(feature, stretches);
  for (const fault of scenario.faults)
    if (fault.kind !== "kill" && isKnown(fault.kind)) add(fault.kind, [fault]);
  add("kill", absences(ledger));
  return spans;
}

function isKnown(kind: Fault["kind"]): kind is (typeof FEATURES.fault)[number] {
  return (FEATURES.fault as readonly string[]).includes(kind);
}

/** From each kill until the server runs again. */
function absences({ lives, scenario }: Ledger): Stretch[] {
  return lives
    .filter(({ end }) => end === "kill")
    .map(({ to }) => ({ from: to, to: lives.find(({ from }) => from > to)?.from ?? scenario.to }));
}

function traitsOf(monitor: SimMonitor, { scenario }: Ledger): Feature[] {
  const { name, confirmations = 0, recoveries = 0, dependsOn = [], patience = {} } = monitor;
  const bound = scenario.channels.filter((channel) => monitor.channelNames.includes(channel.name));
  const waits = bound.flatMap((channel) => patience[channel.name] ?? []);
  const isJob = monitor.type === "SCHEDULED";
  const possible: [Feature, boolean][] = [
    ["TCP", monitor.type === "TCP"],
    ["DNS", monitor.type === "DNS"],
    ["job with cron", isJob && "cron" in monitor.config],
    ["job with period", isJob && !("cron" in monitor.config)],
    ["confirmations", confirmations > 0],
    ["recoveries", recoveries > 0],
    ["depends on others", dependsOn.length > 0],
    ["others depend on it", scenario.monitors.some((other) => other.dependsOn?.includes(name))],
    ["webhook", bound.some(({ type, format }) => type === "WEBHOOK" && !format)],
    ["chat", bound.some(({ type }) => type === "SLACK")],
    ["pagerduty", bound.some(({ format }) => format === "pagerduty")],
    ["alertmanager", bound.some(({ format }) => format === "alertmanager")],
    ["delay", waits.some(({ after }) => after > 0)],
    ["reminder", waits.some(({ every }) => every > 0)],
  ];
  return [...possible.filter(([, has]) => has).map(([feature]) => feature), ...votesOf(monitor)];
}

function votesOf({ places }: SimMonitor): Feature[] {
  if (!places) return [];
  if (places.names.length === 1) return ["one remote location"];
  const { downWhen } = places;
  if (typeof downWhen === "number") return ["number of locations"];
  return [
    ({ majority: "majority of locations", any: "any location", all: "all locations" } as const)[downWhen],
  ];
}

function statesOf(monitor: SimMonitor, ledger: Ledger, runs: readonly Run[]): [Feature, Stretch[]][] {
  const { name, segments = [], places, channelNames } = monitor;
  const { channels, locations = [] } = ledger.scenario;
  const own = runs.filter(({ maintenance }) => isSelected(maintenance, monitor));
  const created = new Set(
    accepted(ledger, "create maintenance").map(({ request }) => request.maintenance.name),
  );
  const phases = channels
    .filter((channel) => channelNames.includes(channel.name))
    .flatMap(({ receiver }) => receiver);
  const faults = locations.filter((one) => places?.names.includes(one.name)).flatMap((one) => one.faults);
  const isOwn = (fault: PlaceFault) => fault.kind !== "cut" || fault.monitor === name;
  return [
    ["down", segments.filter(({ kind }) => kind === "down" || kind === "missing")],
    ["warning", segments.filter(({ kind }) => kind === "moved" || kind === "slow")],
    ["down", troublesOfJob(monitor)],
    ["paused", pausesOf(name, ledger)],
    ["acknowledged", acknowledgementsOf(name, ledger)],
    ["window of an operator", own.filter((run) => created.has(run.maintenance.name))],
    [
      "planned window",
      own.filter(({ maintenance }) => !created.has(maintenance.name) && "startsAt" in maintenance.window),
    ],
    ["recurring window", own.filter(({ maintenance }) => "cron" in maintenance.window)],
    ["change of clocks", clockChanges(monitor, own, ledger)],
    ...phases.flatMap((phase): [Feature, Stretch[]][] => {
      const feature = RECEIVERS[phase.answers];
      return feature ? [[feature, [phase]]] : [];
    }),
    ...faults.filter(isOwn).map((fault): [Feature, Stretch[]] => [`place ${fault.kind}`, [fault]]),
  ];
}

const RECEIVERS: Record<ReceiverPhase["answers"], Feature | undefined> = {
  ok: undefined,
  slow: undefined,
  hang: "receiver hangs",
  temporary: "receiver fails",
  permanent: "receiver rejects",
};

/** From a run that fails or is left out to the next good one. */
function troublesOfJob({ checkins = [], plan }: SimMonitor): Stretch[] {
  const runs = plan
    ? plan.runs.map(({ due, at }) => ({ at: at ?? due, isBad: at === null }))
    : checkins.map(({ at, status }) => ({ at, isBad: status === "fail" }));
  return runs.flatMap(({ at, isBad }, place) => (isBad ? [{ from: at, to: runs[place + 1]?.at ?? at }] : []));
}

/** From an acknowledgement until it is taken back, or the outage ends. */
function acknowledgementsOf(monitor: string, ledger: Ledger): Stretch[] {
  const isOwn = ({ request }: { request: { monitor: string } }) => request.monitor === monitor;
  const backs = accepted(ledger, "take back").filter(isOwn);
  return accepted(ledger, "acknowledge")
    .filter(isOwn)
    .map(({ to: from }) => {
      const outage = ledger.outages.findLast((one) => one.monitor === monitor && one.startedAtWall <= from);
      const back = backs.find((one) => one.from >= from)?.from ?? ledger.scenario.to;
      return { from, to: Math.max(from, Math.min(back, outage?.endedAtWall ?? ledger.scenario.to)) };
    });
}

/** The clocks of the zone of a job, and of the zones of windows that recur. */
function clockChanges({ config }: SimMonitor, runs: readonly Run[], { scenario }: Ledger): Stretch[] {
  const { timezone } = config as { timezone?: string };
  const others = runs.flatMap(({ maintenance: { window } }) =>
    "cron" in window && window.timezone ? [window.timezone] : [],
  );
  const zones = new Set([...(timezone ? [timezone] : []), ...others]);
  return [...zones]
    .flatMap((zone) => clockChangesOf(zone, scenario.from, scenario.to))
    .map((at) => ({ from: at - HOUR, to: at + HOUR }));
}

/** While requests about a monitor wait for their answer. */
function requestsOf(monitor: string, ledger: Ledger): [Feature, Stretch[]][] {
  const isAbout = (request: SimRequest): boolean => {
    if (request.kind === "apply") return request.edits.some((edit) => edit.monitor === monitor);
    return "monitor" in request && request.monitor === monitor;
  };
  return FEATURES.request.map((kind) => [
    kind,
    ledger.requests.filter((one) => one.accepted && one.request.kind === kind && isAbout(one.request)),
  ]);
}
