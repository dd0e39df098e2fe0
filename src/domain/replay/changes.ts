import { type Static, Type } from "@sinclair/typebox";

import { NewAlertBinding } from "../alerts/alert-binding.ts";
import { NotifyOn } from "../alerts/notify.ts";
import { Expectations } from "../checks/expectation-rules.ts";
import { fault } from "../faults/fault.ts";
import { DownWhen } from "../locations/location.ts";
import { MAX_DURATION, SHORTEST_DURATION } from "../maintenance/request.ts";
import { Confirmation } from "../monitors/confirmation.ts";
import { config as tlsConfig } from "../monitors/kinds/tls.ts";
import type { MonitorConfig, MonitorType } from "../monitors/monitor.ts";
import { Selector } from "../monitors/selector.ts";
import { CronExpression, Timezone } from "../schemas/format.ts";
import { closed, described, named } from "../schemas/schema.ts";

/** The longest range of a replay, in days: results are kept for so long by default. */
export const MAX_REPLAYED_DAYS = 90;
export const DEFAULT_REPLAYED_DAYS = 30;

const { after, every, hours } = NewAlertBinding.properties;
const { warnDays } = tlsConfig.properties;

const NewWindows = Type.Object(
  {
    cron: described(CronExpression, "A window starts at each run."),
    timezone: Type.Optional(described(Timezone, "That of `cron`. Default: UTC.")),
    duration: Type.Integer({
      minimum: SHORTEST_DURATION,
      maximum: MAX_DURATION,
      description: "How long each window is, in seconds.",
    }),
  },
  named("ReplayedMaintenance"),
);

/** The settings to try (behavior 25.1): each replaces the one that was in force at the time. */
export const ReplayChanges = Type.Partial(
  Type.Object({
    ...Confirmation.properties,
    ...{ after, every, hours },
    notifyOn: described(NotifyOn, "Replaces that of all channels."),
    downWhen: DownWhen,
    warnDays,
    "expect.within": described(
      Expectations.properties.within,
      "Milliseconds to the end of the answer. A slower one is `degraded`.",
    ),
    maintenance: described(NewWindows, "A maintenance of all selected monitors, beside those that exist."),
  }),
  closed,
);
export type ReplayChanges = Static<typeof ReplayChanges>;

export const ReplayRequest = Type.Object(
  {
    selector: Selector,
    days: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_REPLAYED_DAYS,
        description: `How many days back from now. Default: ${DEFAULT_REPLAYED_DAYS}.`,
      }),
    ),
    changes: ReplayChanges,
  },
  { ...closed, examples: [{ selector: { tags: ["shop"] }, days: 30, changes: { confirmations: 2 } }] },
);
export type ReplayRequest = Static<typeof ReplayRequest>;

type ChangedMonitor = { type: MonitorType; config: MonitorConfig };

/** The fields that not every monitor has, and which monitors have them. */
const HAVE: Partial<Record<keyof ReplayChanges, (monitor: ChangedMonitor) => boolean>> = {
  downWhen: ({ type }) => type !== "SCHEDULED",
  warnDays: ({ type }) => type === "TLS",
  "expect.within": ({ type, config }) =>
    type === "HTTP" && (!("protocol" in config) || config.protocol === "http"),
};

/** Whether a monitor has a field, so that a change of it concerns the monitor. */
export function hasField(field: keyof ReplayChanges, monitor: ChangedMonitor): boolean {
  return HAVE[field]?.(monitor) ?? true;
}

/** The changes that concern a monitor. */
export function changesOf(changes: ReplayChanges, monitors: readonly ChangedMonitor[]): ReplayChanges {
  const concerning = Object.entries(changes).filter(([field]) =>
    monitors.some((monitor) => hasField(field as keyof ReplayChanges, monitor)),
  );
  return Object.fromEntries(concerning);
}

/** @throws AppError `invalid` for a field that none of the monitors has; every monitor has the others */
export function assertHad(changes: ReplayChanges, monitors: readonly ChangedMonitor[]): void {
  for (const field of Object.keys(changes) as (keyof ReplayChanges)[]) {
    const has = HAVE[field];
    if (has && !monitors.some(has)) throw fault("ofNoMonitor", { field: `changes.${field}` });
  }
}
