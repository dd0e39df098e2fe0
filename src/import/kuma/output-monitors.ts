import type { RefNames } from "../../domain/configuration/placeholder.ts";
import { cut, named, type Report } from "../imported.ts";
import { literals, type Secrets, writeMonitorConfig } from "../output-config.ts";
import type { Channels } from "./channels.ts";
import { flagOf, jsonOf, type KumaData, MAX_NAME, textIn } from "./fields.ts";
import type { MappedMonitor } from "./monitors.ts";

type Entry = Record<string, unknown>;

interface Written {
  channels: Channels;
  secrets: Secrets;
  data: KumaData;
  refOf: (name: string) => string;
  report: Report;
}

/** The monitors of the document by ref. A monitor that watches a certificate follows the first monitor that the certificate is for. */
export function writeMonitors(
  monitors: readonly MappedMonitor[],
  { channels, secrets, data, refOf, report }: Written,
) {
  const warnDays = warnDaysOf(data.settings, report, monitors);
  const certificates = new Map(
    certificateMonitors(monitors, { warnDays, refOf }).map((one) => [one.beside[0]?.ref, one]),
  );
  const entries: Record<string, Entry> = {};
  for (const monitor of monitors) {
    const refs = channels.refsOf(monitor.row);
    const lost = channels.lostOf(monitor.row);
    if (refs.length === 0 && lost > 0)
      report.omit(
        named("monitor", monitor.name, "notifications"),
        `none was taken over of ${lost}: it notifies nobody`,
      );
    const warning = watchesCertificate(monitor) && monitor.type === "HTTP" ? { expiryWarning: warnDays } : {};
    const config = { ...monitor.config, ...warning };
    entries[monitor.ref] = entryOf({ ...monitor, config }, { refs, secrets });
    const certificate = certificates.get(monitor.ref);
    if (!certificate) continue;
    const all = [...new Set(certificate.beside.flatMap(({ row }) => channels.refsOf(row)))];
    entries[certificate.monitor.ref] = entryOf(certificate.monitor, { refs: all, secrets });
  }
  return entries;
}

/** The channels are always named, because a monitor without this field gets the default ones of the organization. */
function entryOf(
  { ref, name, type, config, enabled, tags, confirmations, every }: MappedMonitor,
  { refs, secrets }: { refs: string[]; secrets: Secrets },
): Entry {
  const shown = cut(name, MAX_NAME);
  return {
    ...(shown !== ref && { name: literals(shown) }),
    type,
    config: writeMonitorConfig(config, { type, ref, secrets }),
    ...(!enabled && { enabled }),
    ...(confirmations > 0 && { confirmations }),
    ...(tags.length > 0 && { tags }),
    ...(every > 0 && refs.length > 0
      ? { alertBindings: refs.map((alertChannelId) => ({ alertChannelId, every })) }
      : { alertChannelIds: refs }),
  };
}

/** When Uptime Kuma notifies of the end of a certificate, unless its settings say otherwise; days. */
const DEFAULT_DAYS = 21;

/** Seconds. */
const INTERVAL = 3600;

/**
 * A TLS monitor for each mail server whose certificate TCP monitors watch (behavior 16.97), after the first of these monitors.
 * A certificate of an HTTP monitor is a warning of that monitor.
 *
 * @returns with the monitors that it watches for, whose channels it has
 */
function certificateMonitors(
  monitors: readonly MappedMonitor[],
  { warnDays, refOf }: { warnDays: number; refOf: RefNames },
): { monitor: MappedMonitor; beside: MappedMonitor[] }[] {
  const watching = monitors.filter((monitor) => monitor.type === "TCP" && watchesCertificate(monitor));
  const servers = Map.groupBy(watching, ({ config }) => `${config.host}:${config.port}`);
  return [...servers.values()].flatMap((beside) => {
    const [first] = beside;
    if (!first) return [];
    const { host, port } = first.config;
    const name = `${first.name.slice(0, 150)} (certificate)`;
    const monitor: MappedMonitor = {
      ...first,
      ...{ ref: refOf(name), name, type: "TLS", confirmations: 0, every: 0 },
      config: { host, port, interval: INTERVAL, warnDays },
      enabled: beside.some(({ enabled }) => enabled),
    };
    return [{ monitor, beside }];
  });
}

/** Uptime Kuma watches a certificate that it has verified. */
function watchesCertificate({ type, row, config }: MappedMonitor): boolean {
  if (!flagOf(row, "expiry_notification") || flagOf(row, "ignore_tls")) return false;
  if (type === "TCP") return textIn(row, "smtp_security") === "secure";
  return type === "HTTP" && config.protocol === undefined && /^https:/i.test(String(config.url));
}

/** The first of the days before the end at which Uptime Kuma notifies: stillup warns once, from then on. */
function warnDaysOf(
  settings: KumaData["settings"],
  report: Report,
  monitors: readonly MappedMonitor[],
): number {
  const setting = settings.find((row) => textIn(row, "key") === "tlsExpiryNotifyDays");
  const days = setting ? jsonOf(setting, "value") : undefined;
  const given = Array.isArray(days) ? days : [];
  const numbers = given.filter((day) => Number.isInteger(day) && day >= 1 && day <= MAX_DAYS);
  const first = numbers.length > 0 ? Math.max(...numbers) : DEFAULT_DAYS;
  const lost = given.filter((day) => day !== first);
  if (lost.length > 0 && monitors.some(watchesCertificate))
    report.omit(
      "days of certificates",
      `there is one warning, ${first} days before the end, and none at ${lost.slice(0, 20).join(", ")}`,
    );
  return first;
}

const MAX_DAYS = 365;
