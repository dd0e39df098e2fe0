import type { Ledger, SimMonitor, Violation } from "../ledger.ts";
import { doneBy, extended, type OwnFaults, touches } from "./own-faults.ts";

/** How long it takes at most until the server has read its clock after the end of a check, in milliseconds. */
const READ_WITHIN = 1000;

/** Rounding of the clocks of the world and of the server, in milliseconds. */
const ROUNDING = 5;

type SimCheck = Ledger["checks"][number];
type SimEvidence = Ledger["evidence"][number];

/**
 * A fault of the server never appears as evidence against a target (behavior 22.1): each evidence of this server has a check during which
 * the target really was in that trouble.
 */
export function judgeEvidence(ledger: Ledger, faults: OwnFaults): Violation[] {
  const checksOf = Map.groupBy(ledger.checks, ({ monitor }) => monitor);
  const monitors = new Map(ledger.scenario.monitors.map((monitor) => [monitor.name, monitor]));
  return ledger.evidence.flatMap((evidence): Violation[] => {
    const monitor = monitors.get(evidence.monitor);
    if (!monitor || evidence.place !== null) return [];
    const checks = (checksOf.get(monitor.name) ?? []).filter((check) => mayBeOf(check, evidence, faults));
    if (checks.some((check) => isTrue(evidence, { monitor, check, faults }))) return [];
    const text = `evidence of ${evidence.status}, with the layer ${evidence.layer} (${evidence.summary}), is not of its target`;
    return [{ rule: "own faults are no evidence", at: evidence.atWall, monitor: monitor.name, text }];
  });
}

function mayBeOf(
  { endedAt, place, cancelled }: SimCheck,
  { atWall }: SimEvidence,
  faults: OwnFaults,
): boolean {
  if (place !== undefined || cancelled) return false;
  const latest = doneBy(endedAt, READ_WITHIN, [...faults.frozen, ...faults.storage]);
  return faults
    .errorsWithin(endedAt, latest)
    .some((error) => endedAt + error - ROUNDING <= atWall && atWall <= latest + error + ROUNDING);
}

/** Whether the truth at the start of a check explains the status of evidence. */
function isTrue(
  { status }: SimEvidence,
  { monitor, check, faults }: { monitor: SimMonitor; check: SimCheck; faults: OwnFaults },
): boolean {
  const { startedAt, endedAt, observation } = check;
  if (observation.outcome === "inconclusive") return false;
  const seen = monitor.sample?.(startedAt).observation;
  if (status === "down") return seen?.outcome === "failed";
  if (status === "no_cert") return seen?.outcome !== "certified";
  if (status === "missing")
    return seen?.outcome === "looked_up" && seen.answer.lookups.every(({ values }) => values.length === 0);
  if (status !== "degraded") return seen?.outcome !== "failed";
  const kind = monitor.segments?.find(({ from, to }) => from <= startedAt && startedAt < to)?.kind;
  return kind !== "good" || !touches(extended(faults.frozen, ROUNDING), { from: startedAt, to: endedAt });
}
