import type { Memory } from "../checks/judge.ts";
import type { Detail, Evidence } from "../checks/observation.ts";
import type { LatestObservation } from "../locations/place.ts";
import { runAt } from "../locations/place.ts";
import { isNewTrouble } from "../locations/silence.ts";
import type { Suspicion } from "../monitors/confirmation.ts";
import type { MonitorConfig, MonitorType, ProbedType } from "../monitors/monitor.ts";
import type { NewResult } from "../monitors/monitor-event.ts";
import type { RecordedCheck, RecordingSubject } from "../monitors/recording-plan.ts";
import { groupOf, isDown, levelOf, type Status } from "../monitors/status.ts";
import { worstOf } from "../results/history.ts";

/**
 * Evidence that a plan makes of a check (behavior 22.1). What the last good check saw is looked up when the plan is saved.
 *
 * @property at when the check ended, in milliseconds since 1970
 * @property location the number of the location that made the check
 * @property memory of this location before the check
 * @property isExempt whether it opens an outage or turns it to down, so that it is kept although there is evidence of the last minute
 * @property isLate whether the check enters the history only: its location is not asked to look once more
 */
export interface PlannedEvidence {
  monitorId: string;
  type: ProbedType;
  config: MonitorConfig<ProbedType>;
  at: number;
  location: number;
  observation: Evidence;
  seen: { status: Status; detail: Detail | null };
  memory: Memory | null;
  isExempt: boolean;
  isLate: boolean;
}

/** The parts of the state of a monitor that evidence depends on, before and after a check. */
interface Judged {
  status: Status;
  suspicion: Suspicion | null;
  outage: object | null;
}

/** @property at when the check ended */
interface SeenCheck {
  type: MonitorType;
  seen: Status;
  at: number;
}

/** Whether a check of a monitor that only this server checks begins a suspicion, or makes the status worse. */
export function makesEvidence({ type, seen, at }: SeenCheck, before: Judged, after: Judged): boolean {
  if (!isTrouble(seen)) return false;
  const [first, ...others] = after.suspicion?.checks ?? [];
  const isSuspected = first?.at === at && others.length === 0 && levelOf[seen] > levelOf[after.status];
  return isSuspected || isWorse(type, before.status, after.status);
}

/** The same for a location of a monitor that several check: the suspicion may be its own (behavior 13.12). */
export function makesEvidenceAt(
  latest: LatestObservation,
  type: MonitorType,
  [before, after]: [Status, Status],
): boolean {
  if (!isTrouble(latest.status)) return false;
  const isFirst = after === "unknown" ? runAt(latest, 1).checks === 1 : isNewTrouble(latest, after);
  return isFirst || isWorse(type, before, after);
}

/** Whether a late check sees more trouble than the late check of its location before it. @param before its level (`levelOf`) */
export function makesLateEvidence(seen: Status, before = 0): boolean {
  return isTrouble(seen) && levelOf[seen] > before;
}

/** Whether a check opens an outage, or turns it to down. */
export function isTurn(before: Omit<Judged, "suspicion">, after: Omit<Judged, "suspicion">): boolean {
  const opens = before.outage === null && after.outage !== null;
  return opens || (isDown[after.status] && !isDown[before.status]);
}

function isTrouble(status: Status): boolean {
  return status !== "unknown" && groupOf[status] !== "healthy";
}

/** Also within a group: an expired certificate is less than none. */
function isWorse(type: MonitorType, before: Status, after: Status): boolean {
  return isTrouble(after) && after !== before && worstOf(type, [before, after]) === after;
}

/** @property isLate default: false */
export function evidenceOfCheck(
  { id: monitorId, type, config }: RecordingSubject,
  { event, seen }: { event: RecordedCheck; seen: NewResult },
  place: Pick<PlannedEvidence, "location" | "memory" | "isExempt"> & { isLate?: boolean },
): PlannedEvidence {
  const { status, detail, createdAt: at } = seen;
  const monitor = { monitorId, type: type as ProbedType, config: config as MonitorConfig<ProbedType> };
  return { ...monitor, at, observation: event.evidence, seen: { status, detail }, isLate: false, ...place };
}
