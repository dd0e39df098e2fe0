import type { Pace, SimMonitor, SimRequest } from "../../ledger.ts";
import type { Tempo } from "../calm/targets.ts";
import type { Draw } from "../draw.ts";

const MINUTE = 60_000;

interface Context {
  monitors: readonly SimMonitor[];
  tempo: Tempo;
  from: number;
  to: number;
}

/** Edits of monitors, by requests and by documents, other bindings, and deletions; most often while something is wrong. */
export function drawChanges(draw: Draw, context: Context): SimRequest[] {
  const { monitors } = context;
  const some = (count: number) => Array.from({ length: count }, () => draw.pick(monitors as NonEmpty));
  const probed = monitors.filter(({ type }) => type !== "SCHEDULED") as NonEmpty;
  const edits = some(draw.whole(0, 3)).map((): SimRequest => {
    const monitor = draw.pick(probed);
    return {
      kind: "edit",
      at: timeOf(draw, monitor, context),
      monitor: monitor.name,
      changes: drawPace(draw, context),
    };
  });
  const bindings = some(draw.whole(2, 6)).map((monitor): SimRequest => {
    const channels = ["hook", "chat", "incidents"].filter(() => draw.chance(0.5));
    return { kind: "bind", at: timeOf(draw, monitor, context), monitor: monitor.name, channels };
  });
  const documents = Array.from({ length: draw.whole(0, 2) }, (): SimRequest => {
    const first = draw.pick(probed);
    const others = probed.filter(({ name }) => name !== first.name && draw.chance(0.3));
    return {
      kind: "apply",
      at: timeOf(draw, first, context),
      edits: [first, ...others].map(({ name }) => ({ monitor: name, changes: drawPace(draw, context) })),
    };
  });
  return [...edits, ...bindings, ...documents, ...drawDeletions(draw.fork("deletions"), context)];
}

type NonEmpty = [SimMonitor, ...SimMonitor[]];

/** Later requests about a deleted monitor are refused. */
function drawDeletions(draw: Draw, context: Context): SimRequest[] {
  const deleted = context.monitors.filter(() => draw.chance(0.15));
  return deleted.map((monitor) => ({
    kind: "delete",
    at: timeOf(draw, monitor, context),
    monitor: monitor.name,
  }));
}

/** While the target of a monitor is bad, or at any time. */
function timeOf(draw: Draw, { segments = [] }: SimMonitor, { from, to }: Context): number {
  const bad = segments.filter((one) => one.kind !== "good" && one.to < to && one.from > from + MINUTE);
  const segment =
    bad.length > 0 && draw.chance(0.6)
      ? draw.pick(bad as [(typeof bad)[number]])
      : { from: from + MINUTE, to };
  return Math.round(draw.between(segment.from, segment.to));
}

/** Another pace of a monitor, which may be the one that it has. */
export function drawPace(draw: Draw, { tempo }: Pick<Context, "tempo">): Pace {
  return {
    ...(draw.chance(0.6) && { interval: draw.pick(tempo.intervals) }),
    ...(draw.chance(0.4) && { confirmations: draw.whole(0, 2) }),
    ...(draw.chance(0.4) && { recoveries: draw.whole(0, 2) }),
  };
}
