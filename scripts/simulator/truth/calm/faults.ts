import type { Fault } from "../../ledger.ts";
import type { Draw } from "../draw.ts";
import type { Span } from "./scenario.ts";

const [SECOND, MINUTE] = [1000, 60_000];

/** No fault begins or lasts in this time at the end, in which everything is decided and sent. */
const CALM_END = 20 * MINUTE;

/** The clock is right in these scenarios, so that each decision has a time. */
const KINDS = [
  ...(["kill", "kill", "kill", "kill", "restart", "restart"] as const),
  ...(["disk-full", "locked", "slow-disk", "stall", "suspend", "network-gone", "resolver-silent"] as const),
] as const;

/** Faults of stillup, one after another. @param unit milliseconds: every few of them */
export function drawCalmFaults(draw: Draw, { from, to, unit }: Span & { unit: number }): Fault[] {
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
