import { Type } from "@sinclair/typebox";
import { presentBlindSince } from "../../domain/checks/blindness.ts";
import { iso, isoOrNull } from "../../domain/iso-time.ts";
import { ONLY_HERE, shownPlacement } from "../../domain/locations/place.ts";
import type { Calendar, MonitorMaintenance, SelectedMonitor } from "../../domain/maintenance/maintenance.ts";
import {
  type Monitor,
  MonitorConfigSchema,
  MonitorType,
  maskSecrets,
} from "../../domain/monitors/monitor.ts";
import {
  MONITOR_DEFAULTS,
  MonitorSettings,
  PLACEMENT,
  UNPLACED,
} from "../../domain/monitors/monitor-update.ts";
import { type Status, statusesOf } from "../../domain/monitors/status.ts";
import { StatusSchema } from "../../domain/monitors/status-schema.ts";
import { pick } from "../../domain/pick.ts";
import type { HistoryItem } from "../../domain/results/history.ts";
import { StoredMonitorRef, Timestamp } from "../../domain/schemas/format.ts";
import { described, named, nullable } from "../../domain/schemas/schema.ts";
import type { MonitorWithBindings } from "../../store/monitors/monitors.ts";
import type { EnrichedMonitor } from "../../store/store.ts";
import { BindingBody, bindingBody } from "../alerts/channels.ts";

/** Behavior 14.47. */
export const MonitorMaintenanceBody = nullable(
  Type.Object(
    { id: Type.String(), title: Type.String(), endsAt: Timestamp },
    {
      ...named("MonitorMaintenance"),
      description: "The maintenance that the monitor is in. Of several, the one whose window ends last.",
    },
  ),
);

/** The maintenances of the organization of a response. @property now milliseconds since 1970 */
interface PresentWindows {
  calendar: Calendar;
  now: number;
}

function monitorMaintenanceBody(monitor: SelectedMonitor, { calendar, now }: PresentWindows) {
  return windowBody(calendar.windowOf(monitor, now));
}

export function windowBody(window: MonitorMaintenance | null) {
  return window && { ...window, endsAt: iso(window.endsAt) };
}

/** Behavior 1.60. */
export const BlindSince = nullable(
  described(
    Timestamp,
    "When it was last checked, if no check has said anything about it for two intervals plus twice its timeout; otherwise `null`.",
  ),
);

export function blindSinceOf(monitor: Parameters<typeof presentBlindSince>[0]): string | null {
  return isoOrNull(presentBlindSince(monitor));
}

/** A history in a compact form, for responses with many monitors. */
export const CompactHistory = Type.String({
  description:
    "One character for each bucket, oldest first: the index of its most severe status in the list of statuses of the " +
    "type, or `-` without results.",
});

export function compactHistory(type: MonitorType, history: HistoryItem[]): string {
  return history.map(({ status }) => characterOf(type, status)).join("");
}

function characterOf(type: MonitorType, status: Status): string {
  const at = (statusesOf[type] as readonly Status[]).indexOf(status);
  return at < 0 ? "-" : String(at);
}

const shared = {
  id: Type.String(),
  name: Type.String(),
  type: MonitorType,
  config: described(MonitorConfigSchema, "Its fields depend on the type."),
  status: StatusSchema,
  enabled: Type.Boolean(),
  blindSince: BlindSince,
  ...Type.Omit(MonitorSettings, PLACEMENT).properties,
  ...shownPlacement,
  maintenance: MonitorMaintenanceBody,
  ref: StoredMonitorRef,
  createdAt: Timestamp,
  updatedAt: Timestamp,
};

const Registration = Type.Optional(
  described(
    nullable(
      Type.Object(
        {
          domain: Type.String(),
          expiresAt: Timestamp,
          registrar: nullable(Type.String()),
          statuses: Type.Array(Type.String(), { description: "In the names of EPP (RFC 8056)." }),
        },
        named("Registration"),
      ),
    ),
    "Only if `config.registration` asks for it: what the registry said last of the domain; `null` until it has answered.",
  ),
);

const example = {
  id: "gwMk6bQBonMDcGzUMCvgWu",
  name: "Shop front",
  type: "HTTP",
  config: { url: "https://shop.example.com/", interval: 60 },
  status: "up",
  enabled: true,
  blindSince: null,
  ...pick(MONITOR_DEFAULTS, UNPLACED),
  confirmations: 1,
  tags: ["web", "team:shop"],
  ...ONLY_HERE,
  locations: ["here", "Xo7sfTNp21dPjM3kQwZcVb"],
  maintenance: null,
  ref: "shop",
  createdAt: "2026-11-21T09:30:00.000Z",
  updatedAt: "2026-11-21T09:30:00.000Z",
};
export const examples = {
  created: { ...example, status: "unknown" },
  monitor: {
    ...example,
    alertBindings: [{ monitorId: example.id, alertChannelId: "rNj4BrzNPTECyp1AhuvTuk" }],
  },
  enriched: {
    ...example,
    latestResult: { status: "up", latencyMs: 41.5, createdAt: "2026-11-21T10:00:00.000Z" },
    uptime: "99.98%",
    history: [{ status: "up", label: "Nov 21" }],
  },
};
/** Behavior 7.36: the response of create. */
export const CreatedMonitorBody = Type.Object(
  {
    ...shared,
    registration: Registration,
    checkinUrl: Type.Optional(
      Type.String({ description: "Only for SCHEDULED: the URL that the job calls." }),
    ),
  },
  named("CreatedMonitor", examples.created),
);

export const MonitorBody = Type.Object(
  { ...shared, registration: Registration, alertBindings: Type.Array(BindingBody) },
  named("Monitor", examples.monitor),
);

const LatestResult = Type.Object(
  { status: StatusSchema, latencyMs: nullable(Type.Number()), createdAt: Timestamp },
  named("LatestResult"),
);

export const EnrichedMonitorBody = Type.Object(
  {
    ...shared,
    latestResult: nullable(LatestResult),
    uptime: nullable(
      Type.String({
        pattern: "^\\d+\\.\\d\\d%$",
        description: "Over the trailing 90 days, rounded down. `null` without results.",
      }),
    ),
    history: Type.Array(Type.Object({ status: StatusSchema, label: Type.String() }, named("HistoryBucket")), {
      description: "The most severe status of each bucket, oldest first.",
    }),
  },
  named("ListedMonitor", examples.enriched),
);

export function createdMonitorBody(
  monitor: Monitor,
  { baseUrl, ...windows }: PresentWindows & { baseUrl: string },
) {
  const checkin = monitor.type === "SCHEDULED" && {
    checkinUrl: `${baseUrl}/api/v1/monitors/${monitor.id}/checkin`,
  };
  return { ...sharedBody(monitor, windows), ...checkin };
}

export function monitorBody(monitor: MonitorWithBindings, windows: PresentWindows) {
  const { id: monitorId } = monitor;
  const alertBindings = monitor.alertBindings.map((binding) => bindingBody({ ...binding, monitorId }));
  return { ...sharedBody(monitor, windows), alertBindings };
}

export function enrichedMonitorBody(monitor: EnrichedMonitor, windows: PresentWindows) {
  const { latestResult, uptime, history } = monitor;
  return {
    ...sharedBody(monitor, windows),
    latestResult: latestResult && { ...latestResult, createdAt: iso(latestResult.createdAt) },
    uptime,
    history,
  };
}

function sharedBody(monitor: Monitor, windows: PresentWindows) {
  const { id, name, type, status, enabled, ref } = monitor;
  return {
    ...{ id, name, type, config: maskSecrets(monitor.config), status, enabled },
    ...pick(monitor, UNPLACED),
    ...(type !== "SCHEDULED" && pick(monitor, PLACEMENT)),
    blindSince: blindSinceOf(monitor),
    maintenance: monitorMaintenanceBody(monitor, windows),
    ref,
    createdAt: iso(monitor.createdAt),
    updatedAt: iso(monitor.updatedAt),
  };
}
