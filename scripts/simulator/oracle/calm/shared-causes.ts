import { groupOf } from "../../../../src/domain/monitors/status.ts";
import type { SimMonitor, Violation } from "../../ledger.ts";
import { type Stretch, touches } from "../own-faults.ts";
import type { MonitorSituation, SeenOutage, Situation } from "./situation.ts";
import { pausesOf } from "./spells.ts";
import type { Told } from "./told.ts";

const SECOND = 1000;

/** From the first failing check of a child until its parent must have been checked; milliseconds. */
const ANSWERED = 30 * SECOND;

/** The longest timeout of a check: one that began before the parent failed has ended by then; milliseconds. */
const TIMEOUT = 11 * SECOND;

const BAD = ["down", "missing"];

/**
 * A monitor that fails with one that it depends on notifies nobody, whichever of them is checked first: what the truth says of
 * the parent counts, not what was recorded of it.
 */
export function judgeSharedCauses(
  child: MonitorSituation,
  situation: Situation,
  toldOf: (channel: string) => readonly Told[],
): Violation[] {
  const { ledger, causes, disturbed } = situation;
  const byName = new Map(ledger.scenario.monitors.map((monitor) => [monitor.name, monitor]));
  return child.outages.flatMap((outage) => {
    const around = { from: outage.since - ANSWERED, to: outage.since + 2 * ANSWERED };
    const epoch = causes.epochOf(around);
    const [first] = outage.spells;
    if (!epoch || !first || groupOf[first.status] !== "down" || touches(disturbed, around)) return [];
    if (touches(child.pauses, around)) return [];
    return [...causes.ancestors(child.monitor.name, epoch)].flatMap((name) => {
      const parent = byName.get(name);
      const cause = parent && !isPaused(parent, around, situation) ? endOfCause(parent, outage) : undefined;
      if (cause === undefined) return [];
      // A pause of the parent ends its outage, and an edit ends the dependency.
      const [pause] = pausesOf(name, ledger).filter(({ from }) => from >= outage.since);
      const end = Math.min(cause, pause?.from ?? cause, epoch.to);
      return ledger.scenario.channels.flatMap((channel) =>
        toldOf(channel.name)
          .filter(({ delivery, startedAt, status }) => {
            const isOfOutage = delivery.createdAtWall >= outage.since && delivery.createdAtWall <= outage.to;
            return isOfOutage && groupOf[status] === "down" && startedAt < Math.min(end, outage.to);
          })
          .map(({ startedAt }) => ({
            rule: "a monitor that fails with one that it depends on is muted",
            at: startedAt,
            monitor: child.monitor.name,
            channel: channel.name,
            text: `it was notified ${(startedAt - outage.since) / SECOND} s after its first failing check, while ${name} failed too`,
          })),
      );
    });
  });
}

/** When the parent is good again, if it was down for the whole time that decides; it must say so at its first check. */
function endOfCause({ segments, confirmations = 0 }: SimMonitor, { since }: SeenOutage): number | undefined {
  if (confirmations > 0) return undefined;
  return segments?.find(
    ({ kind, from, to }) => BAD.includes(kind) && from <= since - TIMEOUT && to >= since + 2 * ANSWERED,
  )?.to;
}

function isPaused({ name }: SimMonitor, around: Stretch, situation: Situation): boolean {
  const spells = situation.spells.get(name) ?? [];
  return spells.some((spell) => spell.status === "unknown" && touches([spell], around));
}
