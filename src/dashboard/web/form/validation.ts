import { type Plan, planLimits } from "../../../domain/accounts/organization.ts";
import {
  type ChannelConfig,
  type ChannelType,
  channelConfigSchema,
  parseChannelConfig,
} from "../../../domain/alerts/channel.ts";
import { NotifyOn } from "../../../domain/alerts/notify.ts";
import { formatDuration, SECOND } from "../../../domain/duration.ts";
import { LocationIds } from "../../../domain/locations/location.ts";
import {
  assertIntervalAllowed,
  type MonitorConfig,
  type MonitorType,
  monitorConfigs,
  parseConfig,
} from "../../../domain/monitors/monitor.ts";
import { Tags, uniqueTags } from "../../../domain/monitors/tags.ts";
import { Name } from "../../../domain/schemas/format.ts";
import { faults, type SaidFault } from "../../../domain/schemas/validation.ts";
import { AppError } from "../../../errors.ts";
import { pageFault } from "./page-fault.ts";

/* Validates values before they are sent, by the schemas and rules of the API. The fault that the API would find comes first. */

interface Values {
  name: string;
  config: object;
}

/** @param stored the config of the monitor that is edited, with `•••` for its secrets */
export function monitorFaults(
  type: MonitorType,
  { name, config }: Values,
  plan: Plan,
  stored?: object,
): SaidFault[] {
  return [
    ...nameFaults(name),
    ...(type === "SCHEDULED" ? durationFaults(config) : intervalFaults(plan, config)),
    ...faults(monitorConfigs[type], config, "config"),
    ...ruleFaults(() => parseConfig(type, config, plan, stored as MonitorConfig | undefined)),
  ];
}

const { period, grace, maxRunTime } = monitorConfigs.SCHEDULED.properties;

/** In units, as the form shows the durations of a job, and not in seconds. */
function durationFaults(config: object): SaidFault[] {
  return Object.entries({ period, grace, maxRunTime }).flatMap(([name, { minimum = 0, maximum = 0 }]) => {
    const seconds = (config as Record<string, unknown>)[name];
    if (typeof seconds !== "number" || (seconds >= minimum && seconds <= maximum)) return [];
    const least = minimum === 0 ? "0 s" : formatDuration(minimum * SECOND);
    return [pageFault("durationFromTo", `config.${name}`, { least, most: formatDuration(maximum * SECOND) })];
  });
}

/** Whoever runs the server has the largest plan, and does not know it as a plan. */
function intervalFaults(plan: Plan, config: object): SaidFault[] {
  const found = ruleFaults(() => assertIntervalAllowed(plan, config));
  const least = planLimits.enterprise.minimumInterval;
  return plan === "enterprise"
    ? found.map(({ field }) => pageFault("intervalLeast", field, { least }))
    : found;
}

/** @param stored the config of the channel that is edited, with `•••` for its secrets */
export function channelFaults(
  type: ChannelType,
  { name, config, notifyOn }: Values & { notifyOn: string[] },
  stored?: object,
): SaidFault[] {
  return [
    ...nameFaults(name),
    ...faults(channelConfigSchema(type, config), config, "config"),
    ...ruleFaults(() => parseChannelConfig(type, config, stored as ChannelConfig | undefined)),
    ...faults(NotifyOn, notifyOn, "notifyOn"),
  ];
}

/** @param ids the locations that check a monitor; undefined if the form does not offer any */
export function locationFaults(ids: string[] | undefined): SaidFault[] {
  return ids === undefined ? [] : faults(LocationIds, ids, "locations");
}

/** @param tags undefined if the form does not offer any */
export function tagFaults(tags: string[] | undefined): SaidFault[] {
  return tags === undefined ? [] : [...faults(Tags, tags, "tags"), ...ruleFaults(() => uniqueTags(tags))];
}

export function nameFaults(name: string): SaidFault[] {
  return faults(Name, name, "name");
}

/** @param expiry the value of a `datetime-local` field, in the reader's zone; undefined for a key that never expires */
export function keyExpiryFaults(expiry: string | undefined): SaidFault[] {
  if (expiry === undefined) return [];
  if (!/^\d{4}-/.test(expiry)) return [pageFault("fourDigitYear", "expiresAt", {})];
  return Date.parse(expiry) > Date.now() ? [] : [pageFault("inFuture", "expiresAt", {})];
}

/** The fault of a rule that no form breaks. */
const UNKNOWN = { code: "", field: "", values: {} };

/** The fault of a rule that throws. */
export function ruleFaults(rule: () => unknown): SaidFault[] {
  try {
    rule();
    return [];
  } catch (error) {
    if (error instanceof AppError) return [{ ...(error.fault ?? UNKNOWN), sentence: error.message }];
    throw error;
  }
}
