import type { RefNames } from "../../domain/configuration/ref-names.ts";
import { literals, writeMonitorConfig } from "../output-config.ts";
import type { Secrets } from "../secrets.ts";
import { cut } from "../untyped.ts";
import type { Channels } from "./channels.ts";
import { flagOf, jsonOf, type KumaData, MAX_NAME, textIn } from "./data.ts";
import type { MappedMonitor } from "./monitors.ts";

type Entry = Record<string, unknown>;

interface Written {
  channels: Channels;
  secrets: Secrets;
  data: KumaData;
  refOf: (name: string) => string;
}

/** The monitors of the document by ref. One that watches a certificate follows the first one that it is for. */
export function writeMonitors(
  monitors: readonly MappedMonitor[],
  { channels, secrets, data, refOf }: Written,
) {
  const certificates = new Map(
    certificateMonitors(monitors, { settings: data.settings, refOf }).map((one) => [one.beside[0]?.ref, one]),
  );
  const entries: Record<string, Entry> = {};
  for (const monitor of monitors) {
    entries[monitor.ref] = entryOf(monitor, { refs: channels.refsOf(monitor.row), secrets });
    const certificate = certificates.get(monitor.ref);
    if (!certificate) continue;
    const refs = [...new Set(certificate.beside.flatMap(({ row }) => channels.refsOf(row)))];
    entries[certificate.monitor.ref] = entryOf(certificate.monitor, { refs, secrets });
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
 * A TLS monitor for each server whose certificate HTTP monitors watch (behavior 16.97), after the first of these monitors.
 *
 * @returns with the monitors that it watches for, whose channels it has
 */
function certificateMonitors(
  monitors: readonly MappedMonitor[],
  { settings, refOf }: Pick<KumaData, "settings"> & { refOf: RefNames },
): { monitor: MappedMonitor; beside: MappedMonitor[] }[] {
  const servers = new Map<string, { host: string; port: number; beside: MappedMonitor[] }>();
  for (const monitor of monitors) {
    const server = serverOf(monitor);
    if (!server) continue;
    const key = `${server.host}:${server.port}`;
    const known = servers.get(key);
    if (known) known.beside.push(monitor);
    else servers.set(key, { ...server, beside: [monitor] });
  }
  const warnDays = warnDaysOf(settings);
  return [...servers.values()].flatMap(({ host, port, beside }) => {
    const [first] = beside;
    if (!first) return [];
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

function serverOf({ type, row, config }: MappedMonitor): { host: string; port: number } | undefined {
  if (!flagOf(row, "expiry_notification") || flagOf(row, "ignore_tls")) return undefined;
  if (type === "TCP") {
    const isTls = textIn(row, "smtp_security") === "secure";
    return isTls ? { host: String(config.host), port: Number(config.port) } : undefined;
  }
  const url = type === "HTTP" ? URL.parse(String(config.url)) : null;
  if (url?.protocol !== "https:") return undefined;
  return { host: url.hostname.replace(/^\[|\]$/g, ""), port: Number(url.port || 443) };
}

function warnDaysOf(settings: KumaData["settings"]): number {
  const setting = settings.find((row) => textIn(row, "key") === "tlsExpiryNotifyDays");
  const days = setting ? jsonOf(setting, "value") : undefined;
  const numbers = Array.isArray(days)
    ? days.filter((day) => Number.isInteger(day) && day >= 1 && day <= 365)
    : [];
  return numbers.length > 0 ? numbers.reduce((most, day) => Math.max(most, day), 1) : DEFAULT_DAYS;
}
