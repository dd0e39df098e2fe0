import { checkTimeout } from "../../../src/domain/checks/check-slot.ts";
import type { DownWhen } from "../../../src/domain/locations/location.ts";
import type { Fault, PlaceFault, Scenario, Segment, SimLocation, SimMonitor } from "../ledger.ts";
import { createDraw, type Draw, hash, noise } from "./draw.ts";
import { failure } from "./endpoints.ts";
import { segmentFinder } from "./incidents.ts";

const [SECOND, MINUTE, HOUR] = [1000, 60_000, 3_600_000];

const START = Date.parse("2026-06-10");

/** No fault begins or lasts in this time at the end, in which everything is sent and decided. */
const CALM_END = 20 * MINUTE;

const INTERVALS = [10, 30, 60, 60, 120] as const;

interface Span {
  from: number;
  to: number;
}

/** The hidden truth of some hours in which monitors are checked from several locations; it follows from the seed. */
export function drawPlaces({
  seed,
  hours = 2,
  monitors = 6,
}: {
  seed: number;
  hours?: number;
  monitors?: number;
}): Scenario {
  const draw = createDraw(`places ${seed}`);
  const span = { from: START, to: START + Math.round(hours * HOUR) };
  const names = Array.from({ length: monitors }, (_, number) => `monitor-${number}`);
  const locations = Array.from({ length: draw.whole(1, 3) }, (_, number) =>
    drawLocation(draw.fork(`location ${number}`), { number, monitors: names, unit: HOUR, ...span }),
  );
  return {
    seed,
    ...span,
    locations,
    monitors: names.map((name) => drawMonitor(draw.fork(name), { name, locations, ...span })),
    channels: [
      {
        name: "all",
        type: "WEBHOOK",
        notifyOn: ["down", "warning", "healthy"],
        receiver: [{ ...span, answers: "ok" }],
      },
    ],
    faults: drawServerFaults(draw.fork("server"), span),
  };
}

/** @param unit milliseconds: something happens to it every few of them */
export function drawLocation(
  draw: Draw,
  { number, monitors, unit, ...span }: Span & { number: number; monitors: string[]; unit: number },
): SimLocation {
  const name = `place-${number}`;
  const every = draw.spread(0.3, 3) * unit;
  const kinds = ["partition", "broken", "offline", "cut", "kill", "restart"] as const;
  const drawFault = (from: number): PlaceFault => {
    const kind = draw.pick(kinds);
    const to = from + Math.round(draw.spread(SECOND, kind === "cut" ? HOUR : 30 * MINUTE));
    if (kind !== "cut") return { kind, from, to };
    return { kind, from, to, monitor: monitors[draw.whole(0, monitors.length - 1)] ?? "" };
  };
  return { name, faults: draw.chance(0.1) ? [] : spread(draw, { every, ...span }, drawFault) };
}

function drawServerFaults(draw: Draw, span: Span): Fault[] {
  if (draw.chance(0.4)) return [];
  return spread(draw, { every: draw.spread(0.5, 3) * HOUR, ...span }, (from): Fault & Span => {
    const to = from + Math.round(draw.spread(SECOND, 10 * MINUTE));
    const kind = draw.pick(["restart", "kill", "disk-full"] as const);
    if (kind !== "kill") return { kind, from, to };
    return { kind, at: from, step: draw.whole(1, 40), downMs: to - from, from, to };
  });
}

/** Faults one after another, a minute apart at least, and none at the end. */
function spread<One extends Span>(
  draw: Draw,
  { every, from, to }: Span & { every: number },
  drawOne: (from: number) => One,
): One[] {
  const found: One[] = [];
  let at = from;
  for (;;) {
    at += MINUTE + Math.round(draw.spread(0.1, 2) * every);
    const one = drawOne(at);
    if (one.to > to - CALM_END) return found;
    found.push(one);
    at = one.to;
  }
}

function drawMonitor(
  draw: Draw,
  { name, locations, ...span }: Span & { name: string; locations: SimLocation[] },
): SimMonitor {
  const interval = draw.pick(INTERVALS);
  const all = ["here", ...locations.map((location) => location.name)];
  const chosen = all.filter(() => draw.chance(0.75));
  const names = chosen.length > 0 ? chosen : [all.at(-1) ?? "here"];
  const isPlain = names.length === 1 && names[0] === "here";
  return {
    name,
    type: "HTTP",
    config: { url: `https://${name}.example/`, interval },
    channelNames: ["all"],
    ...(draw.chance(0.5) && { confirmations: draw.whole(0, 2), recoveries: draw.whole(0, 2) }),
    ...(!isPlain && { places: { names, downWhen: drawDownWhen(draw, names.length) } }),
    ...drawTarget(draw, { name, interval, ...span }),
  };
}

export function drawDownWhen(draw: Draw, locations: number): DownWhen {
  return draw.pick(["majority", "majority", "any", "all", draw.whole(1, locations)] as const);
}

/** A target that is good or down, without slow spells. */
function drawTarget(
  draw: Draw,
  { name, interval, from, to }: Span & { name: string; interval: number },
): Pick<SimMonitor, "segments" | "sample"> {
  const segments: Segment[] = [];
  let at = from;
  const push = (kind: string, length: number) => {
    const end = Math.min(to, at + Math.round(length));
    if (at < to) segments.push({ from: at, to: end, kind });
    at = end;
  };
  while (at < to) {
    push("good", draw.spread(2 * MINUTE, 2 * HOUR));
    push("down", draw.chance(0.3) ? draw.spread(SECOND, 45 * SECOND) : draw.spread(30 * SECOND, 40 * MINUTE));
  }
  const segmentAt = segmentFinder(segments);
  const key = hash(`${name}${draw.fraction()}`);
  const usual = draw.spread(5, 400);
  return {
    segments,
    sample(startedAt) {
      const share = noise(key, startedAt);
      if (segmentAt(startedAt).kind === "down")
        return failure(share < 0.5 ? "timeout" : "reset", { share, interval });
      const latencyMs = Math.min(usual * (1 + 0.2 * share), checkTimeout({ interval }) / 2);
      return {
        observation: { outcome: "reached", latencyMs, detail: { statusCode: 200 } },
        tookMs: latencyMs,
      };
    },
  };
}
