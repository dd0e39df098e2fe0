import type { Scenario, SimMaintenance, SimMonitor, SimRequest } from "../ledger.ts";
import { cut } from "./cut.ts";
import { expanded, type Removed } from "./removed.ts";

/** The features that can be left out of a monitor. */
const FEATURES = ["confirmations", "recoveries", "places", "tags", "dependsOn", "patience"] as const;

/** The parts of a scenario that can be left out, in groups: those that save the most work are first. */
export function partsOf(scenario: Scenario): string[][] {
  const { monitors, channels, faults, locations = [], maintenances = [], requests = [] } = scenario;
  return [
    numbered("monitors", monitors),
    numbered("locations", locations),
    [...numbered("requests", requests), ...numbered("maintenances", maintenances)],
    [
      ...numbered("faults", faults),
      ...locations.flatMap((location, at) => numbered(`locations/${at}/faults`, location.faults)),
    ],
    // Monitors with locations are judged by their notifications.
    scenario.locations ? [] : numbered("channels", channels),
    monitors.flatMap((monitor, at) =>
      FEATURES.filter((name) => monitor[name] !== undefined).map((name) => `monitors/${at}/${name}`),
    ),
    channels.flatMap(({ receiver }, at) =>
      receiver.flatMap(({ answers }, place) =>
        answers === "ok" ? [] : [`channels/${at}/receiver/${place}`],
      ),
    ),
  ];
}

function numbered(list: string, { length }: readonly unknown[]): string[] {
  return Array.from({ length }, (_, at) => `${list}/${at}`);
}

/** A scenario without some of its parts, which is valid: nothing of it names what is left out. */
export function reduced(scenario: Scenario, { parts = [], from, to }: Removed): Scenario {
  const gone = expanded(parts);
  const kept = <One>(list: string, all: readonly One[]) => all.filter((_, at) => !gone.has(`${list}/${at}`));
  const featured = scenario.monitors.map((monitor, at) =>
    withoutFeatures(
      monitor,
      FEATURES.filter((name) => gone.has(`monitors/${at}/${name}`)),
    ),
  );
  const { locations, maintenances, requests } = scenario;
  return cut(
    consistent({
      ...scenario,
      monitors: kept("monitors", featured),
      faults: kept("faults", scenario.faults),
      channels: kept(
        "channels",
        scenario.channels.map((channel, at) => ({
          ...channel,
          receiver: channel.receiver.map((phase, place) =>
            gone.has(`channels/${at}/receiver/${place}`) ? { ...phase, answers: "ok" as const } : phase,
          ),
        })),
      ),
      ...(maintenances && { maintenances: kept("maintenances", maintenances) }),
      ...(requests && { requests: kept("requests", requests) }),
      ...(locations && {
        locations: kept(
          "locations",
          locations.map((location, at) => ({
            ...location,
            faults: kept(`locations/${at}/faults`, location.faults),
          })),
        ),
      }),
    }),
    {
      from: from === undefined ? scenario.from : Date.parse(from),
      to: to === undefined ? scenario.to : Date.parse(to),
    },
  );
}

function withoutFeatures(monitor: SimMonitor, features: readonly (typeof FEATURES)[number][]): SimMonitor {
  const left = { ...monitor };
  for (const name of features) delete left[name];
  return left;
}

/** Leaves out what names something that does not exist. */
function consistent(scenario: Scenario): Scenario {
  const namesOf = (all: readonly { name: string }[] = []) => new Set(all.map(({ name }) => name));
  const known: Known = {
    monitors: namesOf(scenario.monitors),
    channels: namesOf(scenario.channels),
    places: namesOf(scenario.locations).add("here"),
  };
  const { locations, maintenances, requests } = scenario;
  return {
    ...scenario,
    monitors: scenario.monitors.map((monitor) => consistentMonitor(monitor, known)),
    ...(maintenances && { maintenances: maintenances.flatMap((one) => consistentMaintenance(one, known)) }),
    ...(requests && { requests: requests.flatMap((request) => consistentRequest(request, known)) }),
    ...(locations && {
      locations: locations.map((location) => ({
        ...location,
        faults: location.faults.filter((one) => one.kind !== "cut" || known.monitors.has(one.monitor)),
      })),
    }),
  };
}

interface Known {
  monitors: Set<string>;
  channels: Set<string>;
  places: Set<string>;
}

function consistentMonitor(monitor: SimMonitor, { monitors, channels, places }: Known): SimMonitor {
  const { places: placement, dependsOn, patience } = monitor;
  const { places: _, ...others } = monitor;
  const names = placement?.names.filter((name) => places.has(name)) ?? [];
  const isRemote = names.some((name) => name !== "here");
  return {
    ...others,
    channelNames: monitor.channelNames.filter((name) => channels.has(name)),
    ...(patience && {
      patience: Object.fromEntries(Object.entries(patience).filter(([name]) => channels.has(name))),
    }),
    ...(dependsOn && { dependsOn: dependsOn.filter((name) => monitors.has(name)) }),
    ...(placement && isRemote && { places: placementOf(names, placement.downWhen) }),
  };
}

function placementOf(
  names: string[],
  downWhen: NonNullable<SimMonitor["places"]>["downWhen"],
): NonNullable<SimMonitor["places"]> {
  return { names, downWhen: typeof downWhen === "number" ? Math.min(downWhen, names.length) : downWhen };
}

/** None if it selected only monitors that do not exist. */
function consistentMaintenance(
  maintenance: SimMaintenance,
  { monitors, channels }: Known,
): [SimMaintenance] | [] {
  const { selector } = maintenance;
  const selected = selector.monitors?.filter((name) => monitors.has(name));
  if (selected?.length === 0 && !selector.tags && !selector.all) return [];
  const { monitors: _, ...others } = selector;
  return [
    {
      ...maintenance,
      selector: { ...others, ...(selected && selected.length > 0 && { monitors: selected }) },
      notifies: maintenance.notifies.filter((name) => channels.has(name)),
    },
  ];
}

function consistentRequest(request: SimRequest, known: Known): [SimRequest] | [] {
  if ("monitor" in request && !known.monitors.has(request.monitor)) return [];
  if (request.kind === "depend")
    return [{ ...request, on: request.on.filter((name) => known.monitors.has(name)) }];
  if (request.kind === "bind")
    return [{ ...request, channels: request.channels.filter((name) => known.channels.has(name)) }];
  if (request.kind === "apply") {
    const edits = request.edits.filter(({ monitor }) => known.monitors.has(monitor));
    return edits.length > 0 ? [{ ...request, edits }] : [];
  }
  if (request.kind !== "create maintenance") return [request];
  const [maintenance] = consistentMaintenance(request.maintenance, known);
  return maintenance ? [{ ...request, maintenance }] : [];
}
