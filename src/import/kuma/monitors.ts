import type { RefNames } from "../../domain/configuration/ref-names.ts";
import { parseConfig } from "../../domain/monitors/monitor.ts";
import { isPushToken } from "../../domain/monitors/push-token.ts";
import { faultIn } from "../checked.ts";
import { named, type Report } from "../imported.ts";
import { flagOf, idOf, MAX_NAME, numberOf, type Row, textIn } from "./data.ts";
import { mysqlFrom, postgresFrom, redisFrom } from "./databases.ts";
import { dnsFrom } from "./dns.ts";
import { intervalOf, type Mapped, type OmittedPart, omittedInterval, type Refused } from "./fields.ts";
import { grpcFrom } from "./grpc.ts";
import { httpFrom } from "./http.ts";
import type { Groups } from "./tags.ts";
import { pingFrom, smtpFrom, tcpFrom } from "./tcp.ts";
import { webSocketFrom } from "./websocket.ts";

/** A monitor that is taken over. It has the texts of Uptime Kuma: nothing is a placeholder yet. */
export interface MappedMonitor {
  ref: string;
  row: Row;
  name: string;
  type: Mapped["type"] | "TLS";
  config: Record<string, unknown>;
  enabled: boolean;
  tags: string[];
  confirmations: number;
  /** Seconds after which a channel is notified again; 0: never. */
  every: number;
}

interface MonitorContext {
  refOf: RefNames;
  groups: Groups;
  tagsOf: (row: Row) => string[];
  report: Report;
  /** The push tokens of the monitors before. */
  tokens: Set<unknown>;
}

const TYPES: Record<string, (row: Row) => Mapped | Refused> = {
  http: httpFrom,
  keyword: httpFrom,
  "json-query": httpFrom,
  port: tcpFrom,
  dns: dnsFrom,
  push: pushFrom,
  ping: pingFrom,
  smtp: smtpFrom,
  redis: redisFrom,
  postgres: postgresFrom,
  mysql: mysqlFrom,
  "websocket-upgrade": webSocketFrom,
  "grpc-keyword": grpcFrom,
};

/** The monitor for a row (behavior 16.96); undefined if it is a group or cannot be taken over, which the report then says. */
export function monitorFrom(
  row: Row,
  { refOf, groups, tagsOf, report, tokens }: MonitorContext,
): MappedMonitor | undefined {
  const name = textIn(row, "name");
  const taken = mappedFrom(row, groups);
  if (taken === undefined) return undefined;
  if ("why" in taken) {
    report.lose(named("monitor", name), taken.why, taken.type);
    return undefined;
  }
  const { pushToken, ...others } = taken.config;
  const isSecond = pushToken !== undefined && tokens.has(pushToken);
  if (isSecond) taken.omitted.push({ part: "push token", why: "another monitor has the same one" });
  tokens.add(pushToken);
  for (const { part, why } of [...taken.omitted, ...omittedFields(row)])
    report.omit(named("monitor", name, part), why);
  for (const note of taken.notes) report.note(`${named("monitor", name)}: ${note}`);
  const ref = refOf(name);
  return {
    ...{ ref, row, name: name || ref, type: taken.type, config: isSecond ? others : taken.config },
    enabled: flagOf(row, "active", true) && !groups.isPaused(row) && taken.isPaused !== true,
    tags: tagsOf(row),
    confirmations: taken.type === "SCHEDULED" ? 0 : Math.min(retriesOf(row), MAX_CONFIRMATIONS),
    every: reminderOf(row),
  };
}

/** @returns undefined for a group, which is a tag here */
function mappedFrom(row: Row, groups: Groups): Mapped | Refused | undefined {
  const type = textIn(row, "type");
  if (groups.tagOf(idOf(row)) !== undefined) return undefined;
  const from = Object.hasOwn(TYPES, type) ? TYPES[type] : undefined;
  const shown = type.slice(0, 40);
  if (!from) return { why: `stillup has no monitors of the type ${JSON.stringify(shown)}`, type: shown };
  if (flagOf(row, "upside_down")) return { why: "it is upside down: stillup has no monitors that must fail" };
  const taken = from(row);
  if ("why" in taken) return taken;
  const config = withoutUndefined(taken.config);
  const fault = faultIn(() => parseConfig(taken.type, config, "enterprise"));
  return fault === undefined ? { ...taken, config } : { why: fault };
}

function withoutUndefined(config: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(config).filter(([, value]) => value !== undefined));
}

const MAX_CONFIRMATIONS = 10;
const MIN_REMINDER = 300;
const MAX_REMINDER = 604_800;

function retriesOf(row: Row): number {
  return Math.max(0, Math.round(numberOf(row, "maxretries") ?? 0));
}

/** Uptime Kuma counts the checks between two reminders. */
function wantedReminder(row: Row): number {
  return Math.max(0, Math.round(numberOf(row, "resend_interval") ?? 0)) * intervalOf(row);
}

function reminderOf(row: Row): number {
  const wanted = wantedReminder(row);
  return wanted === 0 ? 0 : Math.min(Math.max(wanted, MIN_REMINDER), MAX_REMINDER);
}

/** Parts of monitors of all types that are not taken over. */
function omittedFields(row: Row): OmittedPart[] {
  const retries = retriesOf(row);
  const isProbed = textIn(row, "type") !== "push";
  const reminder = wantedReminder(row);
  const omitted: OmittedPart[] = [];
  if ([...textIn(row, "name")].length > MAX_NAME)
    omitted.push({ part: "name", why: `it has more than ${MAX_NAME} characters: it is cut` });
  if (textIn(row, "description") !== "")
    omitted.push({ part: "description", why: "a monitor has none here" });
  if (isProbed && retries > MAX_CONFIRMATIONS)
    omitted.push({
      part: "retries",
      why: `${retries} are more than the ${MAX_CONFIRMATIONS} confirmations that are possible, which it has here`,
    });
  if (reminder !== reminderOf(row))
    omitted.push({
      part: "reminders",
      why: `every ${reminder} s is not possible: it is ${reminderOf(row)} s`,
    });
  return omitted;
}

/** Type `push`: silence is one failed check, and each retry is one more interval. */
function pushFrom(row: Row): Mapped {
  const wanted = numberOf(row, "interval") || MIN_PERIOD;
  const period = Math.max(intervalOf(row), MIN_PERIOD);
  const retries = Math.max(0, Math.round(numberOf(row, "maxretries") ?? 0));
  const retryInterval = Math.round(numberOf(row, "retry_interval") ?? 0) || intervalOf(row);
  const grace = GRACE + Math.min(retries * retryInterval, MAX_GRACE);
  const token = textIn(row, "push_token");
  const isUsable = isPushToken(token);
  const omitted = intervalOf(row) === period ? omittedInterval(row) : [];
  if (intervalOf(row) < period)
    omitted.push({
      part: "interval",
      why: `it is ${wanted} s; the shortest period is ${period} s, which it is here`,
    });
  if (retries * retryInterval > MAX_GRACE)
    omitted.push({
      part: "retries",
      why: `they take ${retries * retryInterval} s, and the longest are ${MAX_GRACE} s, which they are here`,
    });
  if (!isUsable) omitted.push({ part: "push token", why: "it must be 8 to 64 letters and digits" });
  return {
    type: "SCHEDULED",
    config: { period, grace, ...(isUsable && { pushToken: token }) },
    omitted,
    notes: [],
  };
}

/** Seconds that a job may be late in addition to its retries. */
const GRACE = 60;
const MAX_GRACE = 30_000_000;

/** Seconds. */
const MIN_PERIOD = 10;
