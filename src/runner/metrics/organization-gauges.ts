import { isBad } from "../../domain/results/uptime.ts";
import type { CertificateExpiry } from "../../store/monitors/certificate-expiries.ts";
import type { LocationReport, MonitorSnapshot } from "../../store/store.ts";
import type { Gauges } from "./gauges.ts";

/** The current state of the monitors of one organization. */
export function monitorGauges(snapshots: MonitorSnapshot[]): Gauges {
  const running = snapshots.filter(({ enabled, status }) => enabled && status !== "unknown");
  const byName = Map.groupBy(running, ({ name, type }) => JSON.stringify([name, type]));
  const named = (worstOf: (group: MonitorSnapshot[]) => number | undefined) =>
    [...byName.values()].flatMap((group) => {
      const [first] = group;
      const value = worstOf(group);
      return first && value !== undefined ? [{ labels: { name: first.name, type: first.type }, value }] : [];
    });
  return {
    stillup_monitors: {
      help: "Monitors, by type, status and whether they are enabled.",
      values: counted(snapshots),
    },
    // By name, because the ID is the secret of the check-in URL. Names need not be unique.
    stillup_monitor_up: {
      help: "0 if the status lowers the uptime, otherwise 1; the worst of monitors with the same name.",
      values: named((group) => (group.some(({ status }) => isBad(status)) ? 0 : 1)),
    },
    stillup_monitor_latency_seconds: {
      help: "Latency of the latest check; the longest of monitors with the same name.",
      values: named((group) => {
        const latencies = group.flatMap(({ latest }) => latest?.latencyMs ?? []);
        return latencies.length > 0 ? Math.max(...latencies) / 1000 : undefined;
      }),
    },
  };
}

/** When the certificates of TLS monitors expire. */
export function certificateGauges(expiries: CertificateExpiry[]): Gauges {
  return {
    stillup_monitor_certificate_expiry_timestamp_seconds: {
      help: "When the certificate of the latest check expires, since 1970; the first of monitors with the same name.",
      values: [...Map.groupBy(expiries, ({ name }) => name)].map(([name, group]) => ({
        labels: { name, type: "TLS" },
        value: Math.min(...group.map(({ end }) => Date.parse(end) / 1000)),
      })),
    },
  };
}

/** @param waiting how many are pending */
export function deliveryGauges(waiting: number): Gauges {
  return {
    stillup_deliveries_waiting: {
      help: "Notifications that are neither delivered nor failed for good.",
      values: [{ value: waiting }],
    },
  };
}

function counted(snapshots: MonitorSnapshot[]) {
  const groups = Map.groupBy(snapshots, ({ type, status, enabled }) =>
    JSON.stringify([type, status, enabled]),
  );
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    const { type, status, enabled } = first;
    return [{ labels: { type, status, enabled: String(enabled) }, value: group.length }];
  });
}

/** The current state of the locations of one organization. */
export function locationGauges(reports: LocationReport[]): Gauges {
  return {
    stillup_location_connected: {
      help: "1 if the probe of the location is connected, otherwise 0.",
      values: reports.map(({ name, state }) => ({
        labels: { location: name },
        value: state === "connected" ? 1 : 0,
      })),
    },
    stillup_location_lag_seconds: {
      help: "How old the oldest observation of the latest batch of the location was when it arrived.",
      values: reports.flatMap(({ name, lagMs }) =>
        lagMs === null ? [] : [{ labels: { location: name }, value: lagMs / 1000 }],
      ),
    },
  };
}
