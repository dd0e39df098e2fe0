import type { RefNames } from "../../domain/configuration/ref-names.ts";
import { parseConfig } from "../../domain/monitors/monitor.ts";
import { AppError } from "../../errors.ts";
import { named } from "../left.ts";
import type { Report } from "../report.ts";
import { flagOf, idOf, numberOf, type Row, textOf } from "./data.ts";
import { dnsFrom } from "./dns.ts";
import { intervalOf, type Refused, type Taken } from "./fields.ts";
import type { Groups } from "./groups.ts";
import { httpFrom } from "./http.ts";
import { pushFrom } from "./push.ts";
import { tcpFrom } from "./tcp.ts";

/** A monitor that is taken over. Its texts are those of Uptime Kuma: nothing is a placeholder yet. */
export interface TakenMonitor {
  ref: string;
  row: Row;
  name: string;
  type: Taken["type"] | "TLS";
  config: Record<string, unknown>;
  enabled: boolean;
  tags: string[];
  confirmations: number;
  /** Seconds after which a channel is notified again; 0: never. */
  every: number;
}

export interface MonitorContext {
  refOf: RefNames;
  groups: Groups;
  tagsOf: (row: Row) => string[];
  report: Report;
  /** The push tokens of the monitors before. */
  tokens: Set<unknown>;
}

const TYPES: Record<string, (row: Row) => Taken | Refused> = {
  http: httpFrom,
  keyword: httpFrom,
  "json-query": httpFrom,
  port: tcpFrom,
  dns: dnsFrom,
  push: pushFrom,
};

/** The monitor for a row (behavior 16.96); undefined if it is a group or cannot be taken over, which the report then says. */
export function monitorFrom(
  row: Row,
  { refOf, groups, tagsOf, report, tokens }: MonitorContext,
): TakenMonitor | undefined {
  const name = textOf(row, "name");
  const taken = takenFrom(row, groups);
  if (taken === undefined) return undefined;
  if ("why" in taken) {
    report.leave(named("monitor", name), taken.why);
    return undefined;
  }
  const { pushToken, ...others } = taken.config;
  const isSecond = pushToken !== undefined && tokens.has(pushToken);
  if (isSecond) taken.left.push({ part: "push token", why: "another monitor has the same one" });
  tokens.add(pushToken);
  for (const { part, why } of [...taken.left, ...leftOfFields(row)])
    report.leave(named("monitor", name, part), why);
  for (const note of taken.notes) report.note(`${named("monitor", name)}: ${note}`);
  const ref = refOf(name);
  return {
    ...{ ref, row, name: name || ref, type: taken.type, config: isSecond ? others : taken.config },
    enabled: flagOf(row, "active", true) && !groups.isPaused(row),
    tags: tagsOf(row),
    confirmations: taken.type === "SCHEDULED" ? 0 : Math.min(retriesOf(row), MOST_CONFIRMATIONS),
    every: reminderOf(row),
  };
}

/** @returns undefined for a group, which is a tag here */
function takenFrom(row: Row, groups: Groups): Taken | Refused | undefined {
  const type = textOf(row, "type");
  if (groups.tagOf(idOf(row) ?? Number.NaN) !== undefined) return undefined;
  const from = Object.hasOwn(TYPES, type) ? TYPES[type] : undefined;
  if (!from) return { why: `stillup has no monitors of the type ${JSON.stringify(type.slice(0, 40))}` };
  if (flagOf(row, "upside_down")) return { why: "it is upside down: stillup has no monitors that must fail" };
  const taken = from(row);
  if ("why" in taken) return taken;
  const fault = faultOf(taken);
  return fault === undefined ? { ...taken, config: withoutUndefined(taken.config) } : { why: fault };
}

/** Why stillup would refuse the config. */
function faultOf({ type, config }: Taken): string | undefined {
  try {
    parseConfig(type, withoutUndefined(config), "enterprise");
    return undefined;
  } catch (error) {
    if (error instanceof AppError) return error.message;
    throw error;
  }
}

function withoutUndefined(config: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(config).filter(([, value]) => value !== undefined));
}

const MOST_CONFIRMATIONS = 10;
const SHORTEST_REMINDER = 300;
const LONGEST_REMINDER = 604_800;

function retriesOf(row: Row): number {
  return Math.max(0, Math.round(numberOf(row, "maxretries") ?? 0));
}

/** Uptime Kuma counts the checks between two reminders. */
function wantedReminder(row: Row): number {
  return Math.max(0, Math.round(numberOf(row, "resend_interval") ?? 0)) * intervalOf(row);
}

function reminderOf(row: Row): number {
  const wanted = wantedReminder(row);
  return wanted === 0 ? 0 : Math.min(Math.max(wanted, SHORTEST_REMINDER), LONGEST_REMINDER);
}

/** What of any monitor has no place here. */
function leftOfFields(row: Row): Taken["left"] {
  const retries = retriesOf(row);
  const isProbed = textOf(row, "type") !== "push";
  const reminder = wantedReminder(row);
  const left: Taken["left"] = [];
  if (textOf(row, "description") !== "") left.push({ part: "description", why: "a monitor has none here" });
  if (isProbed && retries > MOST_CONFIRMATIONS)
    left.push({
      part: "retries",
      why: `${retries} are more than the ${MOST_CONFIRMATIONS} confirmations that are possible`,
    });
  if (reminder !== reminderOf(row))
    left.push({ part: "reminders", why: `every ${reminder} s is not possible: it is ${reminderOf(row)} s` });
  return left;
}
