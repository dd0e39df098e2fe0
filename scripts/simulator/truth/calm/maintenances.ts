import type { Segment, SimChannel, SimMaintenance, SimMonitor } from "../../ledger.ts";
import type { Draw } from "../draw.ts";
import type { Span } from "./scenario.ts";

const [SECOND, MINUTE, HOUR] = [1000, 60_000, 3_600_000];

/** @property unit milliseconds: a window recurs after one, after half a day or after a day */
interface Context extends Span {
  unit: number;
  monitors: readonly SimMonitor[];
  channels: readonly SimChannel[];
}

/** Windows that are planned before the scenario begins. */
export function drawMaintenances(draw: Draw, context: Context): SimMaintenance[] {
  return Array.from({ length: draw.whole(1, 4) }, (_, number) =>
    drawMaintenance(draw.fork(number), `maintenance ${number}`, context),
  );
}

function drawMaintenance(draw: Draw, name: string, context: Context): SimMaintenance {
  const scope = drawScope(draw, name, context);
  const monitor = draw.pick(context.monitors as [SimMonitor, ...SimMonitor[]]);
  const around = draw.chance(0.5) ? drawWindowAround(draw, monitor) : undefined;
  if (!around) return { ...scope, window: drawWindow(draw, context) };
  return { ...scope, selector: { monitors: [monitor.name] }, window: around };
}

/** A window in which a target breaks, and whose end is soon after the target is good again. Undefined if it never breaks. */
function drawWindowAround(draw: Draw, { segments = [] }: SimMonitor): SimMaintenance["window"] | undefined {
  const bad = segments.filter(({ kind }) => kind !== "good");
  if (bad.length === 0) return undefined;
  const { from, to } = draw.pick(bad as [Segment, ...Segment[]]);
  return {
    startsAt: Math.round(from - draw.spread(5 * SECOND, 10 * MINUTE)),
    endsAt: Math.round(to + draw.spread(SECOND, 2 * MINUTE)),
  };
}

/** The subject of a maintenance, and who is notified of it. */
export function drawScope(
  draw: Draw,
  name: string,
  { monitors, channels }: { monitors: readonly Pick<SimMonitor, "name">[]; channels: readonly SimChannel[] },
): Omit<SimMaintenance, "window"> {
  const some = monitors.filter(() => draw.chance(0.3)).map((monitor) => monitor.name);
  const selector = draw.pick<SimMaintenance["selector"]>([
    { tags: [draw.pick(["a", "b", "c"] as const)] },
    { monitors: some.length > 0 ? some : ["monitor-0"] },
    { all: true },
    { tags: ["a"], monitors: ["monitor-1"] },
  ]);
  return { name, selector, notifies: channels.filter(() => draw.chance(0.4)).map((channel) => channel.name) };
}

function drawWindow(draw: Draw, { from, to, unit }: Span & { unit: number }): SimMaintenance["window"] {
  const minute = draw.whole(0, 59);
  const duration = Math.round(draw.spread(60, 40 * 60));
  if (draw.chance(0.4)) {
    const startsAt = Math.round(draw.between(from + MINUTE, to));
    return { startsAt, endsAt: startsAt + duration * SECOND };
  }
  const hours = Math.min(unit / HOUR, 12);
  if (draw.chance(0.5)) return { cron: `${minute} */${hours} * * *`, duration };
  return { cron: `${minute} ${draw.whole(0, 5)} * * *`, timezone: "Europe/Berlin", duration };
}
