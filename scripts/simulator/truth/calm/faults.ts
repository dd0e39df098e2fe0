import type { Fault, SimMonitor } from "../../ledger.ts";
import type { Draw } from "../draw.ts";
import { endOf, startOf } from "../faults.ts";
import type { Span } from "./scenario.ts";

const [SECOND, MINUTE] = [1000, 60_000];

/** No fault begins or lasts in this time at the end, in which everything is decided and sent. */
const CALM_END = 20 * MINUTE;

/** The clock is right in these scenarios, so that each decision has a time. */
const KINDS = [
  ...(["kill", "kill", "kill", "kill", "restart", "restart"] as const),
  ...(["disk-full", "locked", "slow-disk", "stall", "suspend", "network-gone", "resolver-silent"] as const),
] as const;

/** Faults of stillup. @param unit milliseconds: every few of them @param monitors whose delays may end while no server runs */
export function drawCalmFaults(
  draw: Draw,
  { monitors = [], ...context }: Span & { unit: number; monitors?: readonly SimMonitor[] },
): Fault[] {
  const absence = drawAbsence(draw.fork("absence"), monitors);
  const others = drawOneByOne(draw, context);
  if (!absence || absence.from < context.from + MINUTE || absence.to > context.to - CALM_END) return others;
  const isApart = (fault: Fault) =>
    startOf(fault) > absence.to + MINUTE || endOf(fault) < absence.from - MINUTE;
  return [...others.filter(isApart), absence].sort((a, b) => startOf(a) - startOf(b));
}

/** No server runs when a delay ends, and the trouble ends too. */
function drawAbsence(
  draw: Draw,
  monitors: readonly SimMonitor[],
): Extract<Fault, { kind: "restart" }> | undefined {
  const delayed = monitors.flatMap(({ segments = [], patience = {} }) => {
    const delays = Object.values(patience).flatMap(({ after }) => (after > 0 ? [after * SECOND] : []));
    const bad = segments.filter(({ kind }) => kind !== "good");
    return bad.flatMap(({ from, to }) =>
      delays.filter((after) => to - from < 2 * after).map((after) => ({ from, to, dueAt: from + after })),
    );
  });
  const [first, ...others] = delayed;
  if (!first || draw.chance(0.4)) return undefined;
  const { from, to, dueAt } = draw.pick([first, ...others]);
  return {
    kind: "restart",
    from: Math.round(draw.between(from, Math.min(to, dueAt))),
    to: Math.round(Math.max(to, dueAt) + draw.spread(2 * SECOND, 2 * MINUTE)),
  };
}

function drawOneByOne(draw: Draw, { from, to, unit }: Span & { unit: number }): Fault[] {
  if (draw.chance(0.2)) return [];
  const every = draw.spread(0.2, 2) * unit;
  const faults: Fault[] = [];
  let at = from;
  for (;;) {
    at += Math.round(2 * MINUTE + draw.spread(0.1, 2) * every);
    const end = at + Math.round(draw.spread(SECOND, 5 * MINUTE));
    if (end > to - CALM_END) return faults;
    const kind = draw.pick(KINDS);
    if (kind === "kill") faults.push({ kind, at, step: draw.whole(1, 40), downMs: end - at });
    else faults.push({ kind, from: at, to: end });
    at = end;
  }
}
