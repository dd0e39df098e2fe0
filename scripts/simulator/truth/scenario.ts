import type { Scenario, SimMonitor } from "../ledger.ts";
import { drawTlsServer } from "./certificates.ts";
import { createDraw, type Draw } from "./draw.ts";
import { drawEndpoint } from "./endpoints.ts";
import { drawFaults } from "./faults.ts";
import { drawJob } from "./jobs.ts";
import { drawName } from "./names.ts";
import { drawChannels } from "./receivers.ts";

const [HOUR, DAY] = [3_600_000, 86_400_000];

/** The middle of some weeks in which clocks change, and of one in which they don't. */
const STARTS = ["2026-03-02", "2026-10-20", "2027-03-10", "2027-03-22", "2026-06-10"] as const;

/** Intervals in seconds, and how often each is drawn. Checks cost time, so that in long scenarios monitors are checked seldom. */
const MONTH_RUN = [
  [1800, 3],
  [3600, 10],
  [7200, 27],
  [21_600, 40],
  [86_400, 20],
] as const;
const WEEK_RUN = [
  [60, 1],
  [300, 2],
  [900, 5],
  [1800, 10],
  [3600, 32],
  [7200, 20],
  [21_600, 15],
  [86_400, 15],
] as const;
const SHORT_RUN = [
  [10, 1],
  [30, 2],
  [60, 8],
  [300, 30],
  [900, 30],
  [3600, 25],
  [86_400, 4],
] as const;

/** The hidden truth of a run, which follows from its seed. */
export function drawScenario({
  seed,
  days,
  monitors = 40,
}: {
  seed: number;
  days: number;
  monitors?: number;
}): Scenario {
  const draw = createDraw(seed);
  const start = Date.parse(draw.pick(STARTS)) + Math.round(draw.between(-4 * DAY, 4 * DAY));
  const span = { from: start, to: start + Math.round(days * DAY) };
  const channels = drawChannels(draw.fork("channels"), span);
  const names = channels.map(({ name }) => name);
  return {
    seed,
    ...span,
    channels,
    monitors: drawMonitors(draw, {
      count: monitors,
      names,
      intervals: days > 20 ? MONTH_RUN : days > 5 ? WEEK_RUN : SHORT_RUN,
      ...span,
    }),
    faults: drawFaults(draw.fork("faults"), span),
    ...(days > 8 && draw.chance(0.1) && { retentionDays: 7 }),
  };
}

interface MonitorContext {
  names: string[];
  intervals: readonly (readonly [number, number])[];
  from: number;
  to: number;
}

/** The fewest checks of at least one monitor of each scenario. */
const FEWEST_CHECKS = 20;

/** The first one is an endpoint, if too few are checked otherwise. */
function drawMonitors(draw: Draw, { count, ...context }: MonitorContext & { count: number }): SimMonitor[] {
  const monitors = Array.from({ length: count }, (_, number) =>
    drawMonitor(draw.fork(`monitor ${number}`), { number, ...context }),
  );
  const longest = (context.to - context.from) / 1000 / FEWEST_CHECKS;
  const isChecked = ({ type, config }: SimMonitor) =>
    type !== "SCHEDULED" && (config.interval ?? HOUR) <= longest;
  if (monitors.some(isChecked)) return monitors;
  const interval = Math.min(HOUR / 1000, Math.floor(longest));
  const endpoint = drawMonitor(draw.fork("checked"), {
    number: 0,
    only: "endpoint",
    ...context,
    intervals: [[interval, 1]],
  });
  return [endpoint, ...monitors.slice(1)];
}

const KINDS = ["endpoint", "endpoint", "certificate", "name", "job", "job"] as const;

function drawMonitor(
  draw: Draw,
  {
    number,
    only,
    names,
    intervals,
    ...span
  }: MonitorContext & { number: number; only?: (typeof KINDS)[number] },
): SimMonitor {
  const name = `monitor-${number}`;
  const channelNames = names.filter(() => draw.chance(0.6));
  const interval = weighted(draw, intervals);
  const kind = only ?? draw.pick(KINDS);
  const given = { name, interval, ...span };
  const shared = { name, channelNames, ...drawConfirmation(draw.fork("confirmation")) };
  if (kind === "job") return { ...shared, ...drawJob(draw, span) };
  if (kind === "certificate") return { ...shared, ...drawTlsServer(draw, given) };
  if (kind === "name") return { ...shared, ...drawName(draw, given) };
  return { ...shared, ...drawEndpoint(draw, given) };
}

/** For half of the monitors, each change is immediate. */
function drawConfirmation(draw: Draw): Pick<SimMonitor, "confirmations" | "recoveries"> {
  if (draw.chance(0.5)) return {};
  return { confirmations: draw.whole(0, 3), recoveries: draw.whole(0, 2) };
}

function weighted(draw: Draw, weights: readonly (readonly [number, number])[]): number {
  let left = draw.fraction() * weights.reduce((sum, [, weight]) => sum + weight, 0);
  for (const [value, weight] of weights) {
    left -= weight;
    if (left < 0) return value;
  }
  return HOUR / 1000;
}
