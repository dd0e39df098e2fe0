import { RECORD_TYPES } from "../../domain/checks/observation.ts";
import { literal } from "../../domain/configuration/placeholder.ts";
import { isPushToken } from "../../domain/monitors/push-token.ts";
import { intervalOf, timeoutField } from "../check-fields.ts";
import type { Refusal, Surroundings } from "../http-monitor.ts";
import { clamp, type ReportOmission } from "../imported.ts";
import type { GivenMonitor } from "./given.ts";
import { type Mapped, mapHttp, timesOf, USUAL_INTERVAL } from "./requests.ts";

type Mapper = (monitor: GivenMonitor, surroundings: Surroundings) => Mapped | Refusal;

/** By the type of the monitor. */
const MAPPERS: Record<string, Mapper> = {
  HTTP: mapHttp,
  KEYWORD: mapHttp,
  API: mapHttp,
  PING: mapPing,
  PORT: mapPort,
  DNS: mapDns,
  HEARTBEAT: mapHeartbeat,
};

/** The monitor for a monitor of UptimeRobot (behavior 16.128). */
export function mapMonitor(monitor: GivenMonitor, surroundings: Surroundings): Mapped | Refusal {
  const { type } = monitor;
  const map = Object.hasOwn(MAPPERS, type) ? MAPPERS[type] : undefined;
  const shown = type.slice(0, 40);
  if (!map) return { refusal: `stillup has no monitors of the type ${JSON.stringify(shown)}`, type: shown };
  const mapped = map(monitor, surroundings);
  if ("refusal" in mapped || mapped.type === "SCHEDULED") return mapped;
  return { confirmations: confirmationsOf(monitor, surroundings.omit), ...mapped };
}

/** A check that fails is repeated so often at once, before UptimeRobot calls a monitor down. */
const RETRIES = 3;

/** UptimeRobot has a fixed number of retries for connections, and a setting for answers. */
function confirmationsOf({ retries }: GivenMonitor, omit: ReportOmission): number {
  if (retries !== undefined && retries !== RETRIES)
    omit(
      "config.applicationErrorRetries",
      `it is ${retries} for answers, and ${RETRIES} for connections; there is one number here: ${RETRIES} further checks confirm a failure`,
    );
  return RETRIES;
}

/* Connections, names and jobs. */

/** A host that may be written as a URL. */
function hostOf({ url }: GivenMonitor): string {
  return url
    .replace(/^[a-z][a-z\d+.-]*:\/\//i, "")
    .replace(/[/?#].*$/s, "")
    .replace(/^\[|\]$/g, "");
}

function omitUnused(monitor: GivenMonitor, omit: ReportOmission): void {
  if (monitor.ipFamily) omit("config.ipVersion", "only an HTTP monitor has a version of IP");
  if (monitor.thresholds.length > 0)
    omit("responseTimeThreshold", "only an HTTP monitor has a highest response time");
}

function mapPing(monitor: GivenMonitor, { omit }: Surroundings): Mapped {
  omitUnused(monitor, omit);
  const { interval, timeout } = timesOf(monitor, omit);
  const config = { host: literal(hostOf(monitor)), protocol: "icmp", interval };
  return { type: "TCP", config: { ...config, ...timeoutField({ timeout, interval }) } };
}

function mapPort(monitor: GivenMonitor, { omit }: Surroundings): Mapped | Refusal {
  omitUnused(monitor, omit);
  const [, host = hostOf(monitor), inUrl] = /^([^:]*):(\d{1,5})$/.exec(hostOf(monitor)) ?? [];
  const port = monitor.port || Number(inUrl ?? Number.NaN);
  if (!Number.isInteger(port)) return { refusal: "it has no port" };
  const { interval, timeout } = timesOf(monitor, omit);
  const config = { host: literal(host), port, interval, ...timeoutField({ timeout, interval }) };
  return { type: "TCP", config };
}

/** One monitor looks up one type of record. */
function mapDns(monitor: GivenMonitor, { omit }: Surroundings): Mapped | Refusal {
  omitUnused(monitor, omit);
  const known = monitor.records.filter(([type]) => RECORD_TYPES.some((one) => one === type));
  const [first] = known;
  if (!first && monitor.records.length > 0)
    return {
      refusal: `stillup does not look up records of the type ${monitor.records.map(([type]) => type).join(", ")}`,
    };
  for (const [type] of monitor.records)
    if (type !== first?.[0])
      omit(`config.dnsRecords.${type}`, `a monitor looks up one type of record, which is ${first?.[0]} here`);
  const interval = intervalOf(monitor.interval ?? USUAL_INTERVAL, omit);
  const config = {
    ...{ hostname: literal(hostOf(monitor).replace(/\.$/, "")), interval },
    ...(first && { recordType: first[0], ...expectedRecords(first, omit) }),
  };
  return { type: "DNS", config, ...(!first && { note: LEARNED }) };
}

/** Records that must be in the answer, among any others. */
function expectedRecords([type, values]: readonly [string, string[]], omit: ReportOmission) {
  const records = values.map((value) => literal(recordText(type, value)));
  if (records.length === 1) return { expectedAny: records };
  if (type !== "A" && type !== "AAAA")
    omit(`config.dnsRecords.${type}`, "a record of which one of these is only a part counts too");
  return { expectedContains: records };
}

/** A record as stillup writes it: without the point at the end of a name. */
function recordText(type: string, value: string): string {
  return ["CNAME", "MX", "NS", "PTR", "SRV"].includes(type) ? value.trim().replace(/\.$/, "") : value;
}

const LEARNED = "it has no records: an answer that differs from the answers of the last 7 days is Changed";

const MIN_PERIOD = 10;
const YEAR = 31_536_000;
const DAY = 86_400;

function mapHeartbeat(monitor: GivenMonitor, { ref, secrets, omit }: Surroundings): Mapped {
  const wanted = monitor.interval ?? DAY;
  const period = clamp(MIN_PERIOD, Math.round(wanted), YEAR);
  if (period !== wanted) omit("interval", `it is ${wanted} s; it is ${period} s here`);
  const grace = monitor.grace === undefined ? undefined : clamp(0, Math.round(monitor.grace), YEAR);
  const token =
    monitor.url
      .replace(/[?#].*$/s, "")
      .split("/")
      .filter(Boolean)
      .at(-1) ?? "";
  const push = isPushToken(token) ? secrets.write(token, "SCHEDULED", ref, "pushToken") : undefined;
  if (!push)
    omit("url", "its last part is no token here: the job calls the check-in URL that the page shows");
  return {
    type: "SCHEDULED",
    config: { period, ...(grace !== undefined && { grace }), ...(push && { pushToken: push }) },
    ...(push === token && { note: `its job calls /ping/${token} of this server in place of ${monitor.url}` }),
  };
}

/** Reports once the fields that many monitors have. */
export function omitShared(monitors: readonly GivenMonitor[], omit: ReportOmission): void {
  const regions = [...new Set(monitors.flatMap((monitor) => monitor.regions))];
  if (regions.length > 0)
    omit(
      "regions of monitors",
      `stillup checks from its server, and from locations of your own, and not from ${regions.join(", ")}`,
    );
  const watched = monitors.filter(({ watchesDomain }) => watchesDomain).map(hostOf);
  const domains = [...new Set(watched.map((host) => host.replace(/:\d+$/, "")))];
  if (domains.length > 0)
    omit(
      `reminders of the domains ${domains.join(", ")}`,
      "create a TLS monitor with registration for each domain whose registry says when it ends",
    );
}
