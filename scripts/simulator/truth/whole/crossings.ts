import type {
  Fault,
  Pace,
  Scenario,
  SimLocation,
  SimMaintenance,
  SimMonitor,
  SimRequest,
} from "../../ledger.ts";
import { isSelected, windowsOf } from "../../oracle/calm/windows.ts";
import type { Tempo } from "../calm/targets.ts";
import type { Draw } from "../draw.ts";
import { endOf, startOf } from "../faults.ts";
import { addFault, CALM_END, drawAimedKills } from "./aimed-kills.ts";
import { drawPace } from "./changes.ts";
import { failingAt, failuresOf } from "./failing-receivers.ts";

const [SECOND, MINUTE] = [1000, 60_000];

interface Span {
  from: number;
  to: number;
}

/** Something short, and the monitors that it concerns. */
interface Stage extends Span {
  kind: string;
  monitors: readonly SimMonitor[];
}

const FAULTS = [
  ...(["kill", "restart", "stall", "suspend", "disk-full", "locked"] as const),
  ...(["slow-disk", "network-gone", "resolver-silent"] as const),
] as const;

/**
 * Lets short things happen at the same time, which they seldom do by chance: requests and faults of the server and of locations while
 * a receiver or a location fails, a window is open, a monitor is paused, the clocks change or another fault lasts.
 *
 * @param change of clocks in a zone @param requested when operators ask for something
 */
export function crossed(
  draw: Draw,
  drawn: Scenario,
  { tempo, zone, change, requested }: { tempo: Tempo; zone: string; change: number; requested: Span },
): Scenario {
  const window = drawWindow(draw.fork("window"), { ...drawn, zone });
  const scenario = {
    ...drawn,
    channels: failingAt(failuresOf(drawn.monitors), draw.fork("receivers"), drawn.channels),
    maintenances: [...(drawn.maintenances ?? []), window],
  };
  const locations = drawPlaceFaults(draw.fork("places"), scenario, stagesOf(scenario, change));
  const placed = locations.length > 0 ? { ...scenario, locations } : scenario;
  const faults = drawFaults(draw.fork("faults"), placed, stagesOf(placed, change));
  const stages = stagesOf({ ...placed, faults }, change);
  const requests = drawRequests(draw.fork("requests"), { ...placed, tempo, requested, stages });
  const all = [...(placed.requests ?? []), ...requests].sort((a, b) => a.at - b.at);
  const whole = { ...placed, requests: all, faults };
  return { ...whole, faults: drawAimedKills(draw.fork("kills"), whole) };
}

/** One over the hours in which clocks change, for any monitors. */
function drawWindow(draw: Draw, { monitors, zone }: Scenario & { zone: string }): SimMaintenance {
  const some = monitors.filter(() => draw.chance(0.3)).map(({ name }) => name);
  return {
    name: NIGHTS,
    selector: { monitors: some.length > 0 ? some : ["monitor-0"] },
    window: {
      cron: `${draw.whole(0, 59)} ${draw.whole(1, 3)} * * *`,
      ...{ timezone: zone, duration: draw.whole(10, 90) * 60 },
    },
    notifies: [],
  };
}

const NIGHTS = "nights";

/** By kind. */
function stagesOf(scenario: Scenario, change: number): Map<string, Stage[]> {
  const { monitors, channels, locations = [], maintenances = [], faults } = scenario;
  const stages: Stage[] = [
    ...faults.map((fault) => ({ kind: fault.kind, from: startOf(fault), to: endOf(fault), monitors })),
    ...channels.flatMap(({ name, receiver }) => {
      const bound = monitors.filter(({ channelNames }) => channelNames.includes(name));
      return receiver
        .filter(({ answers }) => answers !== "ok")
        .map(({ answers, from, to }) => ({ kind: `receiver ${answers}`, from, to, monitors: bound }));
    }),
    ...locations.flatMap(({ name, faults: own }) => {
      const seen = monitors.filter(({ places }) => places?.names.includes(name));
      return own.map((fault) => ({
        kind: `place ${fault.kind}`,
        ...{ from: fault.from, to: fault.to },
        monitors: fault.kind === "cut" ? seen.filter((one) => one.name === fault.monitor) : seen,
      }));
    }),
    ...maintenances.flatMap((maintenance) => {
      const selected = monitors.filter((monitor) => isSelected(maintenance, monitor));
      const kind = "cron" in maintenance.window ? "recurring window" : "window";
      return windowsOf(maintenance.window, scenario).map((window) => ({
        kind,
        ...window,
        monitors: selected,
      }));
    }),
    ...(scenario.requests ?? []).flatMap((request): Stage[] => {
      if (request.kind === "pause") {
        const isEnd = (one: SimRequest) =>
          one.kind === "resume" && one.monitor === request.monitor && one.at >= request.at;
        const to = scenario.requests?.find(isEnd)?.at ?? request.at;
        const paused = monitors.filter(({ name }) => name === request.monitor);
        return [{ kind: "paused", from: request.at, to, monitors: paused }];
      }
      if (request.kind !== "create maintenance") return [];
      const selected = monitors.filter((monitor) => isSelected(request.maintenance, monitor));
      const [window] = windowsOf(request.maintenance.window, scenario);
      return window ? [{ kind: "window of an operator", ...window, monitors: selected }] : [];
    }),
    {
      kind: "change of clocks",
      ...{ from: change - 30 * MINUTE, to: change + 30 * MINUTE },
      monitors: monitors.filter(
        (monitor) =>
          "timezone" in monitor.config ||
          maintenances.some((one) => one.name === NIGHTS && isSelected(one, monitor)),
      ),
    },
  ];
  return Map.groupBy(
    stages.filter(({ from, monitors: concerned }) => from > scenario.from + MINUTE && concerned.length > 0),
    ({ kind }) => kind,
  );
}

const PLACE_FAULTS = ["partition", "broken", "offline", "cut", "kill", "restart"] as const;

/** Faults of locations, in stages that are none themselves. */
function drawPlaceFaults(
  draw: Draw,
  { locations = [], to: end }: Scenario,
  stages: Map<string, Stage[]>,
): SimLocation[] {
  return locations.map((location) => {
    const faults = [...location.faults];
    for (const [kind, some] of stages) {
      const own = draw.fork(`${location.name} ${kind}`);
      const seen = some.filter(({ monitors }) =>
        monitors.some((one) => one.places?.names.includes(location.name)),
      );
      if (kind.startsWith("place") || seen.length === 0 || !own.chance(0.9)) continue;
      const stage = own.pick(seen as NonEmpty<Stage>);
      const from = Math.round(own.between(stage.from, stage.to));
      const to = Math.round(from + own.spread(SECOND, 10 * MINUTE));
      const isApart = faults.every((one) => from > one.to + MINUTE || to < one.from - MINUTE);
      if (!isApart || to > end - CALM_END) continue;
      const fault = own.pick(PLACE_FAULTS);
      const placed = stage.monitors.filter((one) => one.places?.names.includes(location.name));
      const cut = own.pick(placed as NonEmpty<SimMonitor>).name;
      faults.push(fault === "cut" ? { kind: fault, from, to, monitor: cut } : { kind: fault, from, to });
    }
    return { ...location, faults: faults.sort((a, b) => a.from - b.from) };
  });
}

/** Faults of the server in stages that are none themselves. */
function drawFaults(draw: Draw, { faults, to: end }: Scenario, stages: Map<string, Stage[]>): Fault[] {
  const others = [...stages].filter(([kind]) => !(FAULTS as readonly string[]).includes(kind));
  const all = [...faults];
  for (const [kind, some] of others) {
    const stage = draw.fork(kind).pick(some as NonEmpty<Stage>);
    const from = Math.round(draw.between(stage.from, stage.to));
    const to = Math.round(from + draw.spread(SECOND, 2 * MINUTE));
    const fault = draw.pick(FAULTS);
    addFault(all, fault === "kill" ? killAt(draw, from, to) : { kind: fault, from, to }, end);
  }
  return all;
}

type NonEmpty<T> = [T, ...T[]];

function killAt(draw: Draw, at: number, to: number): Fault {
  return { kind: "kill", at, step: draw.whole(1, 40), downMs: to - at };
}

const REQUESTS = ["edit", "apply", "bind", "depend", "delete", "create maintenance"] as const;

function drawRequests(
  draw: Draw,
  {
    requested,
    stages,
    ...context
  }: Scenario & { tempo: Tempo; requested: Span; stages: Map<string, Stage[]> },
): SimRequest[] {
  const requests: SimRequest[] = [];
  for (const [kind, some] of stages) {
    const own = draw.fork(kind);
    const inTime = some.filter(({ from }) => from > requested.from && from < requested.to);
    if (inTime.length === 0) continue;
    const stage = own.pick(inTime as NonEmpty<Stage>);
    const at = Math.round(own.between(stage.from, Math.min(stage.to, requested.to)));
    const request = drawRequest(own, { ...context, at, stage });
    if (request) requests.push(request);
  }
  return requests;
}

/** Undefined if the monitor does not take it. */
function drawRequest(
  draw: Draw,
  { monitors, channels, tempo, at, stage }: Scenario & { tempo: Tempo; at: number; stage: Stage },
): SimRequest | undefined {
  const kind = draw.pick(REQUESTS);
  const monitor = draw.pick(stage.monitors as NonEmpty<SimMonitor>);
  const { name } = monitor;
  const isProbed = monitor.type !== "SCHEDULED";
  const changes: Pace = drawPace(draw, { tempo });
  switch (kind) {
    case "edit":
      return isProbed ? { kind, at, monitor: name, changes } : undefined;
    case "apply":
      return isProbed ? { kind, at, edits: [{ monitor: name, changes }] } : undefined;
    case "bind":
      return {
        kind,
        at,
        monitor: name,
        channels: channels.filter(() => draw.chance(0.5)).map((channel) => channel.name),
      };
    case "depend": {
      // On earlier ones only, so that there is no cycle. Planned jobs depend on nothing.
      const place = monitors.findIndex((one) => one.name === name);
      const earlier = monitors.slice(0, place).filter(() => draw.chance(0.3));
      return monitor.plan
        ? undefined
        : { kind, at, monitor: name, on: earlier.slice(0, 8).map((one) => one.name) };
    }
    case "create maintenance": {
      const window = { startsAt: at, endsAt: Math.round(at + draw.spread(2 * MINUTE, 40 * MINUTE)) };
      const maintenance = {
        name: `during ${stage.kind}`,
        selector: { monitors: [name] },
        window,
        notifies: [],
      };
      return { kind, at, maintenance };
    }
    case "delete":
      return draw.chance(0.5) ? { kind, at, monitor: name } : undefined;
  }
}
