import type { Recording } from "../../../domain/monitors/recording-plan.ts";
import type { DueMonitor } from "../../monitors/due-monitor.ts";

/** The claims that this process made, until their checks have ended. */
export interface OpenClaims {
  open(claimed: readonly DueMonitor[]): void;
  /** The slot for which a claim was made; undefined if it is not known here. */
  slotOf(claim: number, monitorId: string): number | undefined;
  /** The outcomes of some checks were recorded, or dropped. */
  end(events: readonly Recording[]): void;
  /** The claims of which all checks have ended since the last call. */
  takeEnded(): number[];
}

export function createOpenClaims(): OpenClaims {
  /** The latest claim of each monitor, by its ID. A check that gives no outcome ends with the next claim of its monitor. */
  const latest = new Map<string, { claim: number; slot: number }>();
  /** How many checks of each claim have not ended. */
  const counts = new Map<number, number>();
  let ended: number[] = [];

  function endOne(claim: number): void {
    const left = (counts.get(claim) ?? 0) - 1;
    if (left > 0) return void counts.set(claim, left);
    counts.delete(claim);
    ended.push(claim);
  }

  return {
    open(claimed) {
      for (const { id, claim, nextCheckAt: slot } of claimed) {
        const previous = latest.get(id);
        if (previous) endOne(previous.claim);
        latest.set(id, { claim, slot });
        counts.set(claim, (counts.get(claim) ?? 0) + 1);
      }
    },
    slotOf(claim, monitorId) {
      const known = latest.get(monitorId);
      return known?.claim === claim ? known.slot : undefined;
    },
    end(events) {
      for (const { claim, monitorId } of events) {
        if (claim === undefined || latest.get(monitorId)?.claim !== claim) continue;
        latest.delete(monitorId);
        endOne(claim);
      }
    },
    takeEnded() {
      const taken = ended;
      ended = [];
      return taken;
    },
  };
}
