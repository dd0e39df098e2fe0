import type { Fault, Scenario, SimChannel, SimMaintenance, SimMonitor } from "../../ledger.ts";
import { clockChangesOf } from "../cron-runs.ts";
import { createDraw, type Draw } from "../draw.ts";
import { drawPlannedJob } from "./jobs.ts";
import { drawPattern } from "./patterns.ts";
import { drawWindows } from "./windows.ts";

const [SECOND, MINUTE, DAY] = [1000, 60_000, 86_400_000];

const ZONES = [
  "Europe/Berlin",
  "America/New_York",
  "Australia/Sydney",
  "Australia/Lord_Howe",
  "America/Santiago",
  "Africa/Casablanca",
  "UTC",
] as const;

/** The changes of clocks of these years are simulated. */
const YEARS = { from: Date.parse("2026-02-01"), to: Date.parse("2028-01-01") };

interface Span {
  from: number;
  to: number;
}

/**
 * Weeks of jobs that keep their local time over changes of clocks, with windows that recur over their runs and deadlines. The
 * first change comes after three weeks at least, so that every rhythm is known before; everything follows from the seed.
 */
export function drawRhythms({
  seed,
  weeks = 8,
  jobs = 24,
}: {
  seed: number;
  weeks?: number;
  jobs?: number;
}): Scenario {
  const draw = createDraw(`rhythms ${seed}`);
  const zone = draw.pick(ZONES.slice(0, -1) as [string, ...string[]]);
  const changes = clockChangesOf(zone, YEARS.from, YEARS.to);
  const change = draw.pick(changes as [number, ...number[]]);
  const from = change - Math.round(draw.between(24, 32) * DAY);
  const span = { from, to: from + weeks * 7 * DAY };
  const hook = hookOf(span);
  const drawn = Array.from({ length: jobs }, (_, number) =>
    drawJob(draw.fork(`job ${number}`), { ...{ name: `job-${number}`, zone, change, hook }, ...span }),
  );
  const monitors = drawn.map(({ monitor }) => monitor);
  return {
    seed,
    ...span,
    calm: true,
    channels: [hook],
    monitors,
    maintenances: drawn.flatMap(({ windows }) => windows),
    faults: drawShortFaults(draw.fork("faults"), monitors, span),
  };
}

function drawJob(
  draw: Draw,
  {
    name,
    zone,
    change,
    hook,
    ...span
  }: Span & { name: string; zone: string; change: number; hook: SimChannel },
): { monitor: SimMonitor; windows: SimMaintenance[] } {
  const pattern = drawPattern(draw, draw.chance(0.6) ? zone : draw.pick(ZONES));
  const job = drawPlannedJob(draw.fork("job"), { pattern, change, ...span });
  const windows = drawWindows(draw.fork("windows"), { job: name, pattern, channels: [hook.name] });
  return { monitor: { name, channelNames: [hook.name], ...job }, windows };
}

function hookOf(span: Span): SimChannel {
  return {
    name: "hook",
    type: "WEBHOOK",
    notifyOn: ["down", "warning", "healthy"],
    receiver: [{ ...span, answers: "ok" }],
  };
}

/** Restarts and deaths that meet no check-in, because a job that is refused would not be healthy. */
function drawShortFaults(draw: Draw, monitors: readonly SimMonitor[], { from, to }: Span): Fault[] {
  const calls = monitors.flatMap(({ checkins = [] }) => checkins.map(({ at }) => at));
  return Array.from({ length: draw.whole(0, 6) }, () => Math.round(draw.between(from + DAY, to - DAY)))
    .sort((a, b) => a - b)
    .filter((at) => calls.every((call) => call < at - MINUTE || call > at + 3 * MINUTE))
    .map((at): Fault => {
      const length = Math.round(draw.spread(SECOND, MINUTE));
      return draw.chance(0.5)
        ? { kind: "restart", from: at, to: at + length }
        : { kind: "kill", at, step: draw.whole(1, 10), downMs: length };
    });
}
