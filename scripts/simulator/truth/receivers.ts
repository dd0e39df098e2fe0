import type { NotifyOn } from "../../../src/domain/alerts/notify.ts";
import type { ReceiverPhase, SimChannel } from "../ledger.ts";
import type { Draw } from "./draw.ts";

const [SECOND, HOUR, DAY] = [1000, 3_600_000, 86_400_000];

const NOTIFY_ON: readonly [NotifyOn, ...NotifyOn[]] = [
  ["down", "warning", "healthy"],
  ["down", "warning", "healthy"],
  ["down", "healthy"],
  ["warning", "healthy"],
  ["down"],
  ["down", "warning"],
];

/** Channels with receivers that fail, hang and recover. */
export function drawChannels(draw: Draw, span: { from: number; to: number }): SimChannel[] {
  return Array.from({ length: draw.whole(1, 4) }, (_, number) => {
    const own = draw.fork(number);
    return {
      name: `channel-${number}`,
      type: "WEBHOOK" as const,
      notifyOn: own.pick(NOTIFY_ON),
      receiver: drawReceiver(own, span),
    };
  });
}

function drawReceiver(draw: Draw, { from, to }: { from: number; to: number }): ReceiverPhase[] {
  const phases: ReceiverPhase[] = [];
  const isReliable = draw.chance(0.3);
  let at = from;
  while (at < to) {
    push({ answers: draw.chance(0.2) ? "slow" : "ok" }, isReliable ? to : draw.spread(0.2, 10) * DAY);
    const retryAfterMs = Math.round(draw.spread(2, 5000)) * SECOND;
    const answers = draw.pick(["temporary", "temporary", "hang", "permanent"] as const);
    const asksForDelay = answers === "temporary" && draw.chance(0.4);
    push({ answers, ...(asksForDelay && { retryAfterMs }) }, draw.spread(5 * SECOND, 6 * HOUR));
  }
  return phases;

  function push(phase: Omit<ReceiverPhase, "from" | "to">, length: number): void {
    const end = Math.min(Math.round(at + length), to);
    if (at < to) phases.push({ from: at, to: end, ...phase });
    at = end;
  }
}
