import type { Plan } from "../../../domain/accounts/organization.ts";
import { type ChannelType, channelConfigs } from "../../../domain/alerts/channel.ts";
import { NotifyOn } from "../../../domain/alerts/notify.ts";
import {
  assertIntervalAllowed,
  type MonitorType,
  monitorConfigs,
  parseConfig,
} from "../../../domain/monitors/monitor.ts";
import { Name } from "../../../domain/schemas/format.ts";
import { faults } from "../../../domain/schemas/validation.ts";
import { AppError } from "../../../errors.ts";

/*
 * What the API will refuse, by its own schemas and rules and so in its own words, before it is sent: of all fields, the
 * sentence that counts of each one first.
 */

interface Given {
  name: string;
  config: object;
}

export function monitorFaults(type: MonitorType, { name, config }: Given, plan: Plan): string[] {
  return [
    ...nameFaults(name),
    ...refusal(() => type !== "SCHEDULED" && assertIntervalAllowed(plan, config)),
    ...faults(monitorConfigs[type], config, "config"),
    ...refusal(() => parseConfig(type, config, plan)),
  ];
}

export function channelFaults(
  type: ChannelType,
  { name, config, notifyOn }: Given & { notifyOn: string[] },
): string[] {
  return [
    ...nameFaults(name),
    ...faults(channelConfigs[type], config, "config"),
    ...faults(NotifyOn, notifyOn, "notifyOn"),
  ];
}

export function nameFaults(name: string): string[] {
  return faults(Name, name, "name");
}

/** @param end a time in the reader's zone, as a field gives it; undefined for never */
export function endFaults(end: string | undefined): string[] {
  if (end === undefined) return [];
  if (!/^\d{4}-/.test(end)) return ["expiresAt must have a year of four digits"];
  return Date.parse(end) > Date.now() ? [] : ["expiresAt must be in the future"];
}

function refusal(judge: () => unknown): string[] {
  try {
    judge();
    return [];
  } catch (error) {
    if (error instanceof AppError) return [error.message];
    throw error;
  }
}
