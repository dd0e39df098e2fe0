import { groupOf, type Status } from "../../../src/domain/monitors/status.ts";
import type { Ledger, SimMonitor, Violation } from "../ledger.ts";
import type { SimResult } from "./check-results.ts";
import type { Decision } from "./confirmation.ts";

/** The statuses of each type, the worst first (behavior 1.2). */
const SEVERITY: readonly Status[] = [
  ...(["no_cert", "expired", "expiring_soon"] as const),
  ...(["down", "degraded"] as const),
  ...(["missing", "changed"] as const),
  ...(["failed", "havent_heard"] as const),
];

type Outage = Omit<Ledger["outages"][number], "monitor">;

/** A confirmed status began at the first check that saw it: in notifications and in the outages (behavior 6.10, 11.9). */
export function judgeBeginnings(
  { name: monitor }: SimMonitor,
  decisions: ReadonlyMap<SimResult, Decision>,
  { attempts, deliveries, outages, scenario }: Ledger,
): Violation[] {
  const beganAt = new Map<string, number>();
  for (const [{ createdAtWall }, { previous, status, sinceWall }] of decisions)
    if (previous !== status) beganAt.set(`${createdAtWall} ${previous} ${status}`, sinceWall);
  const expectedOf = new Map(
    deliveries
      .filter((delivery) => delivery.monitor === monitor)
      .map(({ id, createdAtWall, previousStatus, newStatus }) => [
        id,
        beganAt.get(`${createdAtWall} ${previousStatus} ${newStatus}`),
      ]),
  );
  const violations: Violation[] = [];
  for (const { id, channel, sinceWall, startedAt } of attempts) {
    const expected = expectedOf.get(id);
    if (expected !== undefined && expected !== sinceWall)
      violations.push({
        rule: "a notification says when the status began",
        at: startedAt,
        monitor,
        channel,
        text: `since ${textOf(sinceWall)} instead of ${textOf(expected)}`,
      });
  }
  // Earlier outages are not known.
  if (scenario.retentionDays !== undefined) return violations;
  const expected = outagesOf(decisions).map(outageText);
  const shown = outages.filter((outage) => outage.monitor === monitor).map(outageText);
  const at = expected.findIndex((text, place) => text !== shown[place]);
  if (at !== -1 || shown.length > expected.length)
    violations.push({
      rule: "outages begin and end with the first check that saw it",
      at: scenario.to,
      monitor,
      text: `${shown.at(at) ?? "no outage"} instead of ${expected[at] ?? "none"}`,
    });
  return violations;
}

function outagesOf(decisions: ReadonlyMap<SimResult, Decision>): Outage[] {
  const outages: Outage[] = [];
  let open: Outage | undefined;
  for (const { status, sinceWall } of decisions.values()) {
    if (groupOf[status] === "healthy") {
      if (open) open.endedAtWall = sinceWall;
      open = undefined;
    } else if (!open) {
      open = { startedAtWall: sinceWall, endedAtWall: null, status };
      outages.push(open);
    } else if (SEVERITY.indexOf(status) < SEVERITY.indexOf(open.status)) open.status = status;
  }
  return outages;
}

function outageText({ startedAtWall, endedAtWall, status }: Outage): string {
  return `${status} from ${textOf(startedAtWall)} until ${endedAtWall === null ? "now" : textOf(endedAtWall)}`;
}

function textOf(at: number): string {
  return new Date(at).toISOString();
}
