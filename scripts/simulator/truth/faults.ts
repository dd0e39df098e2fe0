import type { Fault } from "../ledger.ts";
import type { Draw } from "./draw.ts";

const [SECOND, MINUTE, HOUR, DAY] = [1000, 60_000, 3_600_000, 86_400_000];

interface Span {
  from: number;
  to: number;
}

type Drawn = (draw: Draw, at: number) => Fault;

/** How often a kind of fault occurs, in days from one to the next, and what it is. */
const KINDS: Record<string, { often: number; seldom: number; draw: Drawn }> = {
  stall: { often: 0.3, seldom: 8, draw: lasting("stall", 300, 5 * MINUTE) },
  suspend: { often: 2, seldom: 15, draw: lasting("suspend", 10 * SECOND, 10 * HOUR) },
  "clock-step": { often: 2, seldom: 20, draw: drawClockStep },
  "resolver-silent": { often: 1, seldom: 10, draw: lasting("resolver-silent", 10 * SECOND, HOUR) },
  "no-descriptors": { often: 1, seldom: 10, draw: lasting("no-descriptors", 5 * SECOND, 20 * MINUTE) },
  "disk-full": { often: 1, seldom: 10, draw: lasting("disk-full", 5 * SECOND, 30 * MINUTE) },
  locked: { often: 0.5, seldom: 10, draw: lasting("locked", SECOND, 10 * MINUTE) },
  "slow-disk": { often: 1, seldom: 10, draw: lasting("slow-disk", MINUTE, HOUR) },
  "network-gone": { often: 1, seldom: 10, draw: lasting("network-gone", 10 * SECOND, 2 * HOUR) },
  kill: { often: 0.2, seldom: 8, draw: drawKill },
  restart: { often: 0.5, seldom: 10, draw: lasting("restart", SECOND, 5 * MINUTE) },
  // A stall harms only a check that it hits.
  "many stalls": { often: 0.01, seldom: 0.1, draw: lasting("stall", 5 * SECOND, MINUTE) },
  "storm of stalls": { often: 0.001, seldom: 0.003, draw: lasting("stall", 9 * SECOND, 20 * SECOND) },
  "storm of suspensions": { often: 0.001, seldom: 0.003, draw: lasting("suspend", 11 * SECOND, MINUTE) },
  "many restarts": { often: 0.02, seldom: 0.2, draw: lasting("restart", SECOND, 20 * SECOND) },
};

/** The process can't be frozen, killed and stopped at the same time. */
const EXCLUSIVE = ["stall", "suspend", "kill", "restart"];

/** Faults of the server, of a random subset of the kinds. Two of the same kind, or of the process itself, never overlap. */
export function drawFaults(draw: Draw, { from, to }: Span): Fault[] {
  if (draw.chance(0.1)) return [];
  const faults: Fault[] = [];
  const share = draw.pick([0.15, 0.3, 0.6] as const);
  for (const [name, kind] of Object.entries(KINDS)) {
    const own = draw.fork(name);
    if (!own.chance(share)) continue;
    const span = partOf(own, name, { from, to });
    const everyDays = own.spread(kind.often, kind.seldom);
    for (let at = next(span.from); at < span.to; at = next(at)) {
      const fault = kind.draw(own, Math.round(at));
      if (endOf(fault) < to - MINUTE && !faults.some((other) => collide(fault, other))) faults.push(fault);
      at = endOf(fault);
    }

    function next(at: number): number {
      return at + MINUTE + own.spread(0.1, 2) * everyDays * DAY;
    }
  }
  return faults.sort((a, b) => startOf(a) - startOf(b));
}

/** As `call` of a kill: an attempt at a notification. */
export const SENDING = "sending";

export function startOf(fault: Fault): number {
  return fault.kind === "kill" ? fault.at : fault.from;
}

export function endOf(fault: Fault): number {
  return fault.kind === "kill" ? fault.at + fault.downMs : fault.to;
}

function collide(one: Fault, other: Fault): boolean {
  const concerns =
    one.kind === other.kind || (EXCLUSIVE.includes(one.kind) && EXCLUSIVE.includes(other.kind));
  return concerns && startOf(one) < endOf(other) + MINUTE && startOf(other) < endOf(one) + MINUTE;
}

/** Frequent faults occur only for some time. */
function partOf(draw: Draw, name: string, { from, to }: Span): Span {
  const isStorm = name.startsWith("storm ");
  if (!isStorm && !name.startsWith("many ")) return { from, to };
  const start = draw.between(from, to);
  return { from: start, to: Math.min(to, start + draw.spread(0.1, isStorm ? 0.3 : 2) * DAY) };
}

function lasting(
  kind: Exclude<Fault["kind"], "kill" | "clock-step">,
  shortest: number,
  longest: number,
): Drawn {
  return (draw, from) => ({ kind, from, to: from + Math.round(draw.spread(shortest, longest)) });
}

function drawClockStep(draw: Draw, from: number): Fault {
  const size = Math.round(draw.spread(2 * SECOND, DAY));
  const to = from + Math.round(draw.spread(MINUTE, DAY));
  return { kind: "clock-step", from, to, byMs: draw.chance(0.5) ? size : -size };
}

/** Odd steps kill before a call of the store, even ones after its commit. */
function drawKill(draw: Draw, at: number): Fault {
  return { kind: "kill", at, step: draw.whole(1, 40), downMs: Math.round(draw.spread(500, 30 * MINUTE)) };
}
