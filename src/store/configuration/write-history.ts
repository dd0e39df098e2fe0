import { toTenths } from "../../domain/checks/latency-baseline.ts";
import type { NewHistory } from "../../domain/configuration/history.ts";
import { isNew } from "../../domain/configuration/plan.ts";
import { HERE } from "../../domain/locations/location.ts";
import type { MonitorType } from "../../domain/monitors/monitor.ts";
import { bySeverity } from "../../domain/monitors/status.ts";
import { HOUR } from "../results/rollup-unit.ts";
import type { Tx } from "../tx.ts";
import { named } from "./plan-objects.ts";
import type { PreparedPlan } from "./prepare-plan.ts";

/** Writes the past of monitors that were just created, as daily rollups of this server (behavior 16.45). */
export async function writeHistory(
  { sets, tables: { dailyRollups } }: Tx,
  { plan, objects }: PreparedPlan,
): Promise<void> {
  const rows = plan.monitors.filter(isNew).flatMap(({ ref, values: { type } }) => {
    const { pk } = named(objects.monitors, ref);
    return (plan.history.get(ref) ?? []).flatMap((day) => rollupsOf(day, { monitorPk: pk, type }));
  });
  await sets.insert(dailyRollups, rows);
}

/** The rollups of a day: of its good results, and of its bad results. */
function rollupsOf(
  { day, up, down, latency }: NewHistory[number],
  { monitorPk, type }: { monitorPk: number; type: MonitorType },
) {
  const [worst, best] = [bySeverity(type)[0], bySeverity(type).at(-1)];
  if (!worst || !best) return [];
  const key = { monitorPk, start: day / HOUR, location: HERE };
  const tenths = latency === null ? null : toTenths(latency);
  const latencies = {
    latencyCount: up,
    latencySum: up * (tenths ?? 0),
    latencySquares: up * (tenths ?? 0) ** 2,
  };
  const measured = tenths === null ? NO_LATENCY : { ...latencies, shortest: tenths, longest: tenths };
  return [
    ...(up > 0 ? [{ ...key, status: best, count: up, ...measured }] : []),
    ...(down > 0 ? [{ ...key, status: worst, count: down, ...NO_LATENCY }] : []),
  ];
}

const NO_LATENCY = { latencyCount: 0, latencySum: 0, latencySquares: 0, shortest: null, longest: null };
