import { isBad } from "../../domain/results/uptime.ts";
import type { CertificateExpiry } from "../../store/monitors/certificate-expiries.ts";
import type { MonitorSnapshot } from "../../store/sqlite/statistics/monitor-snapshots.ts";
import type { Gauges } from "./gauges.ts";

/** How the monitors of one organization stand right now. */
export function monitorGauges(standings: MonitorSnapshot[]): Gauges {
  const running = standings.filter(({ enabled, status }) => enabled && status !== "unknown");
  const byName = Map.groupBy(running, ({ name, type }) => JSON.stringify([name, type]));
  const named = (worstOf: (those: MonitorSnapshot[]) => number | undefined) =>
    [...byName.values()].flatMap((those) => {
      const [first] = those;
      const value = worstOf(those);
      return first && value !== undefined ? [{ labels: { name: first.name, type: first.type }, value }] : [];
    });
  return {
    stillup_monitors: {
      help: "Monitors, by type, status and whether they are enabled.",
      values: counted(standings),
    },
    // By name and not by ID, which is the secret of a checkin URL. Names need not be unique.
    stillup_monitor_up: {
      help: "1 where the status counts as good in the uptime, 0 where not; of those that share a name, the worst.",
      values: named((those) => (those.some(({ status }) => isBad(status)) ? 0 : 1)),
    },
    stillup_monitor_latency_seconds: {
      help: "Latency that the latest check saw; of those that share a name, the longest.",
      values: named((those) => {
        const seen = those.flatMap(({ latest }) => latest?.latencyMs ?? []);
        return seen.length > 0 ? Math.max(...seen) / 1000 : undefined;
      }),
    },
  };
}

/** When the certificates end that TLS monitors look at. */
export function certificateGauges(ends: CertificateExpiry[]): Gauges {
  return {
    stillup_monitor_certificate_expiry_timestamp_seconds: {
      help: "When the certificate ends that the latest check saw, since 1970; of those that share a name, the first.",
      values: [...Map.groupBy(ends, ({ name }) => name)].map(([name, those]) => ({
        labels: { name, type: "TLS" },
        value: Math.min(...those.map(({ end }) => Date.parse(end) / 1000)),
      })),
    },
  };
}

/** @param waiting how many have been neither delivered nor given up */
export function deliveryGauges(waiting: number): Gauges {
  return {
    stillup_deliveries_waiting: {
      help: "Notifications that are neither delivered nor given up.",
      values: [{ value: waiting }],
    },
  };
}

function counted(standings: MonitorSnapshot[]) {
  const groups = Map.groupBy(standings, ({ type, status, enabled }) =>
    JSON.stringify([type, status, enabled]),
  );
  return [...groups.values()].flatMap((those) => {
    const [first] = those;
    if (!first) return [];
    const { type, status, enabled } = first;
    return [{ labels: { type, status, enabled: String(enabled) }, value: those.length }];
  });
}
