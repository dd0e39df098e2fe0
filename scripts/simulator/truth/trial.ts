import { type Hours, WEEKDAYS } from "../../../src/domain/alerts/hours.ts";
import type { NotifyOn } from "../../../src/domain/alerts/notify.ts";
import type { MonitorConfig } from "../../../src/domain/monitors/monitor.ts";
import type { ReplayChanges } from "../../../src/domain/replay/changes.ts";
import type { Pace, Patience, Scenario, SimChannel, SimMonitor, SimRequest } from "../ledger.ts";
import { createDraw, type Draw } from "./draw.ts";
import { drawDownWhen } from "./places.ts";

const [MINUTE, DAY] = [60, 86_400];

/** Settings to try, and the names of the monitors whose settings they are. */
export interface Trial {
  monitors: string[];
  changes: ReplayChanges;
}

export type TriedField = Exclude<keyof ReplayChanges, "expect.within">;

/** The monitors that may have a field; all of them if left out. */
const HAVE: { [Field in TriedField]?: (monitor: SimMonitor) => boolean } = {
  downWhen: ({ places }) => places !== undefined,
  warnDays: ({ type }) => type === "TLS",
};

const drawn: { [Field in TriedField]: (draw: Draw, scenario: Scenario) => ReplayChanges[Field] } = {
  confirmations: (draw) => draw.whole(0, 3),
  recoveries: (draw) => draw.whole(0, 3),
  after: (draw) => draw.pick([0, MINUTE, 5 * MINUTE, 15 * MINUTE, 60 * MINUTE] as const),
  every: (draw) => draw.pick([0, 5 * MINUTE, 30 * MINUTE, 120 * MINUTE] as const),
  hours: drawHours,
  notifyOn: (draw) =>
    draw.pick<NotifyOn>([
      ["down", "warning", "healthy"],
      ["down", "healthy"],
      ["warning", "healthy"],
      ["down"],
    ]),
  downWhen: (draw, { locations = [] }) => drawDownWhen(draw, locations.length),
  warnDays: (draw) => draw.pick([1, 7, 30, 60] as const),
  maintenance: (draw, { from, to }) => {
    const isLong = (to - from) / 1000 > DAY;
    const minute = draw.whole(0, 59);
    return {
      cron: isLong ? `${minute} ${draw.whole(0, 23)} * * *` : `${minute} */2 * * *`,
      ...(draw.chance(0.5) && { timezone: "Europe/Berlin" }),
      duration: Math.round(draw.spread(MINUTE, (isLong ? 300 : 60) * MINUTE)),
    };
  },
};

/** One to three settings for one monitor, some or all of them; they follow from the seed of the scenario. */
export function drawTrial(scenario: Scenario): Trial {
  const draw = createDraw(`trial ${scenario.seed} ${scenario.from}`);
  const monitors = drawMonitors(draw.fork("monitors"), scenario);
  const possible = (Object.keys(drawn) as TriedField[]).filter((field) =>
    monitors.some(HAVE[field] ?? (() => true)),
  );
  const count = draw.pick([1, 1, 2, 3] as const);
  const fields = possible
    .map((field) => ({ field, order: draw.fraction() }))
    .sort((a, b) => a.order - b.order)
    .slice(0, count)
    .map(({ field }) => [field, drawn[field](draw.fork(field), scenario)]);
  return { monitors: monitors.map(({ name }) => name), changes: Object.fromEntries(fields) };
}

function drawMonitors(draw: Draw, { monitors }: Scenario): SimMonitor[] {
  const one = draw.pick(monitors as [SimMonitor, ...SimMonitor[]]);
  const others = draw.pick([0, 0, 0.4, 1] as const);
  return monitors.filter((monitor) => monitor === one || draw.chance(others));
}

function drawHours(draw: Draw): Hours {
  const clock = () =>
    `${String(draw.whole(0, 23)).padStart(2, "0")}:${draw.pick(["00", "17", "30"] as const)}`;
  const windows = Array.from({ length: draw.whole(1, 2) }, () => {
    const days = WEEKDAYS.filter(() => draw.chance(0.8));
    return { days: days.length > 0 ? days : [...WEEKDAYS], from: clock(), to: clock() };
  });
  const timezone = draw.pick(["UTC", "Europe/Berlin", "America/New_York"] as const);
  return { timezone, windows, outside: draw.chance(0.7) ? "hold" : "drop" };
}

/**
 * The scenario without what two runs of it with different settings can't share: deaths of the server at a call of its store, requests
 * whose effect depends on an outage, and edits of what is tried. Its clock is right, and nothing is deleted.
 */
export function comparable({ retentionDays: _, ...scenario }: Scenario): Scenario {
  return {
    ...scenario,
    faults: scenario.faults.filter(({ kind }) => kind !== "kill" && kind !== "clock-step"),
    ...(scenario.requests && { requests: scenario.requests.flatMap(comparableRequest) }),
  };
}

const INCOMPARABLE: readonly SimRequest["kind"][] = ["acknowledge", "take back", "delete"];

function comparableRequest(request: SimRequest): [SimRequest] | [] {
  if (INCOMPARABLE.includes(request.kind)) return [];
  if (request.kind === "edit") {
    const changes = untried(request.changes);
    return changes ? [{ ...request, changes }] : [];
  }
  if (request.kind !== "apply") return [request];
  const edits = request.edits.flatMap(({ monitor, changes }) => {
    const left = untried(changes);
    return left ? [{ monitor, changes: left }] : [];
  });
  return edits.length > 0 ? [{ ...request, edits }] : [];
}

function untried({ confirmations: _, recoveries: __, ...changes }: Pace): Pace | null {
  return Object.keys(changes).length > 0 ? changes : null;
}

/** The scenario with the settings of a trial from its start. */
export function tried(scenario: Scenario, { monitors, changes }: Trial): Scenario {
  const { notifyOn, maintenance } = changes;
  return {
    ...scenario,
    monitors: scenario.monitors.map((monitor) =>
      monitors.includes(monitor.name) ? triedMonitor(monitor, changes, scenario.channels) : monitor,
    ),
    channels: scenario.channels.map((channel) => ({ ...channel, ...(notifyOn && { notifyOn }) })),
    ...(maintenance && {
      maintenances: [
        ...(scenario.maintenances ?? []),
        { name: "tried", selector: { monitors }, notifies: [], window: maintenance },
      ],
    }),
  };
}

/** @param channels also those that are bound later */
function triedMonitor(
  monitor: SimMonitor,
  changes: ReplayChanges,
  channels: readonly SimChannel[],
): SimMonitor {
  const { confirmations, recoveries, downWhen, warnDays } = changes;
  const { places, patience = {}, schedules } = monitor;
  const names = channels.map(({ name }) => name);
  return {
    ...monitor,
    ...(confirmations !== undefined && { confirmations }),
    ...(recoveries !== undefined && { recoveries }),
    ...(places && downWhen !== undefined && { places: { ...places, downWhen } }),
    ...(monitor.type === "TLS" &&
      warnDays !== undefined && { config: { ...monitor.config, warnDays } as MonitorConfig }),
    patience: patienceOf(names, patience, changes),
    ...(schedules && { schedules: patienceOf(Object.keys(schedules), schedules, changes) }),
  };
}

function patienceOf(
  names: readonly string[],
  patience: Record<string, Patience>,
  { after, every, hours }: ReplayChanges,
): Record<string, Patience> {
  const changed = {
    ...(after !== undefined && { after }),
    ...(every !== undefined && { every }),
    ...(hours && { hours: { outside: "hold" as const, ...hours } }),
  };
  return Object.fromEntries(
    names.map((name) => [name, { after: 0, every: 0, ...patience[name], ...changed }]),
  );
}
