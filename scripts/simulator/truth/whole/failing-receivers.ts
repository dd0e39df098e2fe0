import type { ReceiverPhase, SimChannel, SimMonitor } from "../../ledger.ts";
import type { Draw } from "../draw.ts";

const [SECOND, MINUTE] = [1000, 60_000];

/** When jobs fail for the first time, so that they are notified at once. */
export function failuresOf(monitors: readonly SimMonitor[]): number[] {
  return monitors
    .flatMap(({ checkins = [] }) =>
      checkins.filter(({ status }, place) => status === "fail" && checkins[place - 1]?.status !== "fail"),
    )
    .map(({ at }) => at)
    .sort((a, b) => a - b);
}

/** Lets some receivers that never fail do so at moments at which they are notified. @param moments by time */
export function failingAt(
  moments: readonly number[],
  draw: Draw,
  channels: readonly SimChannel[],
): SimChannel[] {
  return channels.map((channel) => {
    const own = draw.fork(channel.name);
    const [first, ...others] = channel.receiver;
    if (!first || others.length > 0 || own.chance(0.4)) return channel;
    return { ...channel, receiver: phasesOf(first, moments, own) };
  });
}

function phasesOf({ from, to }: ReceiverPhase, moments: readonly number[], draw: Draw): ReceiverPhase[] {
  const phases: ReceiverPhase[] = [];
  let at = from;
  const push = (answers: ReceiverPhase["answers"], end: number) => {
    phases.push({ from: at, to: end, answers });
    at = end;
  };
  for (const moment of moments) {
    const start = moment - SECOND;
    const end = Math.round(moment + draw.spread(10 * SECOND, 5 * MINUTE));
    if (start <= at || end >= to || !draw.chance(0.3)) continue;
    push("ok", start);
    push(draw.pick(["temporary", "hang", "permanent"] as const), end);
  }
  push("ok", to);
  return phases;
}
