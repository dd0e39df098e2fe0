import { type Evidence, hasFailure } from "../domain/checks/observation.ts";
import type { CheckRecorder } from "../runner/checks/run-check.ts";
import type { ObservationBuffer } from "../store/buffer/observation-buffer.ts";
import type { WorkList } from "./work-list.ts";

/** Puts what checks saw into the buffer. @param wake called after each, with whether the server needs it at once */
export function createObservationRecorder({
  buffer,
  work,
  wake,
}: {
  buffer: Pick<ObservationBuffer, "add">;
  work: Pick<WorkList, "ended">;
  wake: (isUrgent: boolean) => void;
}): CheckRecorder {
  /** By monitor. */
  const last = new Map<string, string>();

  /** Whether a check failed, or saw something else than the one before (behavior 13.44). */
  function isNews(monitorId: string, evidence: Evidence): boolean {
    const seen = gistOf(evidence);
    const isOther = last.get(monitorId) !== seen;
    last.set(monitorId, seen);
    return isOther || hasFailure(evidence);
  }

  return {
    async record({ monitorId, revision, evidence, at, startAt = at }) {
      const next = work.ended({ monitorId, revision, at, startAt });
      if (!next) {
        last.delete(monitorId);
        return null;
      }
      buffer.add({ monitorId, revision, at, startAt: Math.floor(Math.min(startAt, at)), evidence });
      wake(isNews(monitorId, evidence) || next.wasRecheck);
      return next;
    },
    holdsClaims: () => false,
  };
}

/** An observation without its measurements. */
function gistOf(evidence: Evidence): string {
  switch (evidence.outcome) {
    case "reached":
      return `reached ${evidence.slowBy !== undefined}`;
    case "certified":
      return evidence.certificate.fingerprint;
    case "looked_up":
      return String(Bun.hash(JSON.stringify(evidence.answer)));
    case "failed":
      return evidence.reason;
    case "by_address":
      return evidence.addresses.map((one) => `${one.address} ${gistOf(one.evidence)}`).join();
  }
}
