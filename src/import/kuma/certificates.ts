import type { RefNames } from "../../domain/configuration/ref-names.ts";
import { flagOf, jsonOf, type KumaData, textOf } from "./data.ts";
import type { TakenMonitor } from "./monitors.ts";

/** When Uptime Kuma notifies of the end of a certificate, unless its settings say otherwise; days. */
const DEFAULT_DAYS = 21;

/** Seconds. */
const INTERVAL = 3600;

/**
 * A TLS monitor for each server whose certificate HTTP monitors watch (behavior 16.97), after the first of these monitors.
 *
 * @returns with the monitors that it watches for, whose channels it has
 */
export function certificateMonitors(
  monitors: readonly TakenMonitor[],
  { settings, refOf }: Pick<KumaData, "settings"> & { refOf: RefNames },
): { monitor: TakenMonitor; beside: TakenMonitor[] }[] {
  const servers = new Map<string, { host: string; port: number; beside: TakenMonitor[] }>();
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
    const monitor: TakenMonitor = {
      ...first,
      ...{ ref: refOf(name), name, type: "TLS", confirmations: 0, every: 0 },
      config: { host, port, interval: INTERVAL, warnDays },
      enabled: beside.some(({ enabled }) => enabled),
    };
    return [{ monitor, beside }];
  });
}

function serverOf({ type, row, config }: TakenMonitor): { host: string; port: number } | undefined {
  if (!flagOf(row, "expiry_notification") || flagOf(row, "ignore_tls")) return undefined;
  if (type === "TCP") {
    const isTls = textOf(row, "smtp_security") === "secure";
    return isTls ? { host: String(config.host), port: Number(config.port) } : undefined;
  }
  const url = type === "HTTP" ? URL.parse(String(config.url)) : null;
  if (url?.protocol !== "https:") return undefined;
  return { host: url.hostname.replace(/^\[|\]$/g, ""), port: Number(url.port || 443) };
}

function warnDaysOf(settings: KumaData["settings"]): number {
  const setting = settings.find((row) => textOf(row, "key") === "tlsExpiryNotifyDays");
  const days = setting ? jsonOf(setting, "value") : undefined;
  const numbers = Array.isArray(days)
    ? days.filter((day) => Number.isInteger(day) && day >= 1 && day <= 365)
    : [];
  return numbers.length > 0 ? numbers.reduce((most, day) => Math.max(most, day), 1) : DEFAULT_DAYS;
}
