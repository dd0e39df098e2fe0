import { nextCheckAt } from "../../../src/domain/checks/check-slot.ts";
import type { Detail } from "../../../src/domain/checks/observation.ts";
import { MINUTE } from "../../../src/domain/duration.ts";
import { EMPTY_CALENDAR } from "../../../src/domain/maintenance/maintenance.ts";
import type { MonitorConfig, MonitorType } from "../../../src/domain/monitors/monitor.ts";
import type { Status } from "../../../src/domain/monitors/status.ts";
import type {
  CheckKind,
  MonitorPast,
  MonitorSettings,
  PastBinding,
  PastChecks,
  ReplayedPast,
} from "../../../src/domain/replay/history.ts";

export const START = Date.parse("2026-11-02T00:00:00Z");

/** A recorded result. @property seen what its check saw, if that differs from its status */
export interface Recorded {
  at: number;
  status: Status;
  seen?: Status;
  latencyMs?: number;
  detail?: Detail;
}

export function checksOf(results: readonly Recorded[]): PastChecks {
  const kinds: CheckKind[] = [];
  const kindOf = results.map(({ status, seen, detail }) => {
    const kind = { status, detail: seen ? { ...detail, seen: { status: seen } } : (detail ?? null) };
    const known = kinds.findIndex((one) => Bun.deepEquals(one, kind));
    return known >= 0 ? known : kinds.push(kind) - 1;
  });
  const isAfterUsual = new Uint8Array(results.length);
  isAfterUsual[0] = 1;
  return {
    count: results.length,
    times: new Float64Array(results.map(({ at }) => at)),
    kindOf: new Uint16Array(kindOf),
    latencies: new Float32Array(results.map(({ latencyMs }) => latencyMs ?? Number.NaN)),
    isAfterUsual,
    kinds,
  };
}

export const CHANNEL = "channel";

export const AT_ONCE: PastBinding = {
  channelId: CHANNEL,
  scheduleId: null,
  timing: { after: 0, every: 0, hours: null },
};

export function monitorOf(
  type: MonitorType,
  results: readonly Recorded[],
  settings: Partial<MonitorSettings> = {},
  others: Partial<MonitorPast> = {},
): MonitorPast {
  const config = { url: "http://shop.example/", interval: 60 } as MonitorConfig;
  return {
    ...{ id: "shop", name: "Shop", type, tags: [], isSelected: true, outages: [], notifications: [] },
    settings: [
      {
        ...{ since: START, enabled: true, config, places: null, dependsOn: [], bindings: [AT_ONCE] },
        ...{ confirmations: 0, recoveries: 0, ...settings },
      },
    ],
    checks: checksOf(results),
    ...others,
  };
}

export function pastOf(monitors: readonly MonitorPast[], others: Partial<ReplayedPast> = {}): ReplayedPast {
  const settings = [{ since: 0, enabled: true, notifyOn: ["down", "warning", "healthy"] as const }];
  return {
    range: { from: START, to: START + 30 * 24 * 60 * MINUTE },
    monitors: new Map(monitors.map((one) => [one.id, one])),
    calendar: EMPTY_CALENDAR,
    defaultChannelIds: [],
    channels: new Map([
      [
        CHANNEL,
        {
          id: CHANNEL,
          type: "WEBHOOK",
          settings: settings.map((one) => ({ ...one, notifyOn: [...one.notifyOn] })),
        },
      ],
    ]),
    onCall: new Map(),
    ...others,
  };
}

/** The end of the check in a slot of a monitor that is checked each minute, so many slots after the start. */
export function slot(number: number, took = 50): number {
  return nextCheckAt("shop", 60, START, 0) + number * MINUTE + took;
}
