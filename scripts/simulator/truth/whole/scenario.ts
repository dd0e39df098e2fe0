import type { Fault, Patience, Scenario, SimChannel, SimLocation, SimMonitor } from "../../ledger.ts";
import { drawCalmFaults } from "../calm/faults.ts";
import { drawMaintenances } from "../calm/maintenances.ts";
import { drawRequests } from "../calm/requests.ts";
import { drawReceiver } from "../calm/scenario.ts";
import { drawTargets, type Target, type Tempo } from "../calm/targets.ts";
import { clockChangesOf } from "../cron-runs.ts";
import { createDraw, type Draw } from "../draw.ts";
import { drawDownWhen, drawLocation } from "../places.ts";
import { drawPlannedJob } from "../rhythms/jobs.ts";
import { drawPattern } from "../rhythms/patterns.ts";
import { drawWindows } from "../rhythms/windows.ts";
import { drawChanges } from "./changes.ts";
import { crossed } from "./crossings.ts";
import { drawRunRequests, withRuns } from "./job-runs.ts";

const [SECOND, MINUTE, HOUR, DAY] = [1000, 60_000, 3_600_000, 86_400_000];

/** @property reminders seconds @property looks the times between two looks of a reader; milliseconds */
interface WholeTempo extends Tempo {
  reminders: readonly [number, ...number[]];
  looks: { shortest: number; longest: number };
}

/** A check costs as much in one as in the other, so that a day of a dense world takes as long as a week of others. */
const DENSE: WholeTempo = {
  intervals: [60, 120, 300, 600, 900, 1800, 1800, 3600, 3600],
  ...{ unit: 12 * HOUR, longest: 8 * HOUR, improving: 0.5 },
  ...{ reminders: [0, 0, 1800, 7200], looks: { shortest: 10 * MINUTE, longest: 8 * HOUR } },
};
const SPARSE: WholeTempo = {
  intervals: [1800, 3600, 3600, 7200, 7200, 14_400, 14_400, 21_600, 21_600, 21_600],
  ...{ unit: 48 * HOUR, longest: 24 * HOUR, improving: 0.5 },
  ...{ reminders: [0, 0, 7200, 21_600], looks: { shortest: HOUR, longest: 24 * HOUR } },
};

/** The share of the dense worlds, which alone have locations: their requests are many. */
const DENSE_SHARE = 0.25;

/** Dense worlds last for this part of the time, and for a day at least. */
const DENSE_TIME = 1 / 8;

const ZONES = ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Africa/Casablanca"] as const;

/** The changes of clocks of these years are simulated. */
const YEARS = { from: Date.parse("2026-02-01"), to: Date.parse("2028-01-01") };

/** No change is requested in this time at the end, in which everything is decided and sent. */
const QUIET_END = 6 * HOUR;

interface Span {
  from: number;
  to: number;
}

/**
 * The hidden truth of some days with all that stillup has, all together: locations, dependencies, confirmations, windows, jobs
 * over a change of clocks, delays, reminders, operators who edit, pause, delete and apply, receivers that fail, and faults of
 * the server. It follows from the seed. Some worlds are dense: with short intervals and locations, for a shorter time.
 *
 * @param days of the others
 */
export function drawWhole({
  seed,
  days = 8,
  monitors = 16,
}: {
  seed: number;
  days?: number;
  monitors?: number;
}): Scenario {
  const draw = createDraw(`whole ${seed}`);
  const zone = draw.pick(ZONES);
  const change = draw.pick(clockChangesOf(zone, YEARS.from, YEARS.to) as [number, ...number[]]);
  const isDense = draw.fork("tempo").chance(DENSE_SHARE);
  const tempo = isDense ? DENSE : SPARSE;
  const { unit } = tempo;
  const length = isDense ? Math.min(days, Math.max(1, days * DENSE_TIME)) : days;
  const from = Math.round(change - draw.between(0.1, 0.9) * length * DAY);
  const span = { from, to: from + Math.round(length * DAY) };
  const channels = drawChannels(draw.fork("channels"), { unit, ...span });
  const jobs = Math.ceil(monitors / 6);
  const targets = drawTargets(draw.fork("targets"), { count: monitors - jobs, tempo, ...span });
  const locations = isDense ? drawLocations(draw.fork("locations"), { targets, ...span }) : [];
  const probed = targets.map((target) =>
    drawMonitor(draw.fork(target.name), { target, tempo, channels, locations }),
  );
  const planned = Array.from({ length: jobs }, (_, number) =>
    drawJob(draw.fork(`job ${number}`), { name: `job-${number}`, zone, change, tempo, channels, ...span }),
  );
  const all = [...probed, ...planned.map(({ monitor }) => monitor)];
  const requested = { from, to: span.to - QUIET_END };
  const faults = drawFaults(draw.fork("faults"), { unit, ...span });
  const scenario: Scenario = {
    ...{ seed, ...span, whole: true, channels, faults },
    ...(locations.length > 0 && { locations }),
    monitors: all,
    maintenances: [
      ...drawMaintenances(draw.fork("maintenances"), { monitors: all, channels, unit, ...span }),
      ...planned.flatMap(({ windows }) => windows),
    ],
    requests: [
      ...drawRequests(draw.fork("requests"), { targets, channels, unit, ...requested }),
      ...drawChanges(draw.fork("changes"), { monitors: all, tempo, ...requested }),
      ...planned.flatMap(({ monitor }) =>
        drawRunRequests(draw.fork(`runs of ${monitor.name}`), monitor, requested),
      ),
    ].sort((a, b) => a.at - b.at),
    looks: drawLooks(draw.fork("looks"), { ...tempo.looks, ...span }),
  };
  return crossed(draw.fork("crossings"), scenario, { tempo, zone, change, requested });
}

/** The first one is notified of everything, and the last one keeps incidents. */
function drawChannels(draw: Draw, { unit, ...span }: Span & { unit: number }): SimChannel[] {
  const receiver = (own: Draw) =>
    own.chance(0.5) ? [{ ...span, answers: "ok" as const }] : drawReceiver(own, { unit, ...span });
  return [
    {
      name: "hook",
      type: "WEBHOOK",
      notifyOn: ["down", "warning", "healthy"],
      receiver: receiver(draw.fork(0)),
    },
    {
      name: "chat",
      type: "SLACK",
      notifyOn: draw.chance(0.5) ? ["down", "warning", "healthy"] : ["down", "healthy"],
      receiver: receiver(draw.fork(1)),
    },
    {
      name: "incidents",
      type: "WEBHOOK",
      format: draw.fork(3).chance(0.3) ? "alertmanager" : "pagerduty",
      notifyOn: ["down", "warning", "healthy"],
      receiver: receiver(draw.fork(2)),
    },
  ];
}

function drawLocations(
  draw: Draw,
  { targets, ...span }: Span & { targets: readonly Target[] },
): SimLocation[] {
  const monitors = targets.map(({ name }) => name);
  return Array.from({ length: draw.whole(0, 2) }, (_, number) =>
    drawLocation(draw.fork(number), { number, monitors, unit: DENSE.unit, ...span }),
  );
}

function drawMonitor(
  draw: Draw,
  {
    target: { name, dependsOn, truth },
    tempo,
    channels,
    locations,
  }: {
    target: Target;
    tempo: WholeTempo;
    channels: readonly SimChannel[];
    locations: readonly SimLocation[];
  },
): SimMonitor {
  const isConfirmed = truth.type !== "SCHEDULED" && draw.chance(0.4);
  return {
    ...{ name, dependsOn, ...drawBindings(draw, tempo, channels) },
    ...(isConfirmed && { confirmations: draw.whole(0, 2), recoveries: draw.whole(0, 2) }),
    ...(truth.type === "TCP" && locations.length > 0 && draw.chance(0.5) && drawPlaces(draw, locations)),
    ...truth,
  };
}

function drawBindings(
  draw: Draw,
  { reminders }: WholeTempo,
  channels: readonly SimChannel[],
): Pick<SimMonitor, "channelNames" | "patience" | "tags"> {
  const channelNames = channels.filter(() => draw.chance(0.75)).map(({ name }) => name);
  const patience = channels.map(({ name }): [string, Patience] => {
    const after = draw.pick([0, 0, 0, 60, 600, 3600] as const);
    return [name, { after, every: draw.pick(reminders) }];
  });
  return {
    channelNames,
    patience: Object.fromEntries(patience),
    tags: ["a", "b", "c"].filter(() => draw.chance(0.35)),
  };
}

function drawPlaces(draw: Draw, locations: readonly SimLocation[]): Pick<SimMonitor, "places"> {
  const all = ["here", ...locations.map(({ name }) => name)];
  const chosen = all.filter(() => draw.chance(0.75));
  const names = chosen.length > 0 ? chosen : [all.at(-1) ?? "here"];
  if (names.length === 1 && names[0] === "here") return {};
  return { places: { names, downWhen: drawDownWhen(draw, names.length) } };
}

/** A job with a configured rhythm, in a zone whose clocks change. */
function drawJob(
  draw: Draw,
  {
    name,
    zone,
    change,
    tempo,
    channels,
    ...span
  }: Span & {
    name: string;
    zone: string;
    change: number;
    tempo: WholeTempo;
    channels: readonly SimChannel[];
  },
) {
  const pattern = { ...drawPattern(draw, zone), learnedAfter: 0 };
  const job = drawPlannedJob(draw.fork("job"), { pattern, change, learnedShare: 0, ...span });
  const windows = drawWindows(draw.fork("windows"), { job: name, pattern, channels: ["hook"] });
  const bound: SimMonitor = { name, ...drawBindings(draw, tempo, channels), ...job };
  const monitor = withRuns(draw.fork("runs"), bound);
  return { monitor, windows };
}

/** The clock is right in these scenarios, so that each decision has a time. */
function drawFaults(draw: Draw, span: Span & { unit: number }): Fault[] {
  return drawCalmFaults(draw, span);
}

function drawLooks(draw: Draw, { from, to, shortest, longest }: Span & WholeTempo["looks"]): number[] {
  const looks: number[] = [];
  let at = from;
  for (;;) {
    at += Math.round(draw.spread(shortest, longest));
    if (at > to - SECOND) return looks;
    looks.push(at);
  }
}
