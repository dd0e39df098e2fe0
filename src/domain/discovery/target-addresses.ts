import type { MonitorConfig, MonitorType } from "../monitors/monitor.ts";

/**
 * The addresses at which a monitor watches something (behavior 28.24): `host`, and `host:port` if its port is known, in lower case, with
 * brackets around an IPv6 address before a port. This machine has the addresses of both of its names.
 */
export function targetAddresses(type: MonitorType, config: MonitorConfig): string[] {
  const { url, steps, host, port, hostname } = config as Partial<Target>;
  if (type === "SCHEDULED") return [];
  if (type === "DNS") return addressesAt(hostname);
  if (type === "TLS") return addressesAt(host, port ?? 443);
  if (type === "TCP") return addressesAt(host, port);
  return [url, ...(steps ?? []).map((step) => step.url)].flatMap(addressesOfUrl);
}

interface Target {
  url: string;
  steps: { url: string }[];
  host: string;
  port: number;
  hostname: string;
}

function addressesOfUrl(text = ""): string[] {
  const url = URL.parse(text);
  return url ? addressesAt(url.hostname, Number(url.port) || (url.protocol === "https:" ? 443 : 80)) : [];
}

function addressesAt(host = "", port?: number): string[] {
  const plain = host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, "$1")
    .replace(/\.$/, "");
  const names = THIS_MACHINE.includes(plain) ? THIS_MACHINE : [plain];
  return names.flatMap((name) => (port === undefined ? [name] : [name, hostAndPort(name, port)]));
}

const THIS_MACHINE = ["localhost", "127.0.0.1"];

/** `host:port`, with brackets around an IPv6 address. */
export function hostAndPort(host: string, port: number): string {
  return `${host.includes(":") ? `[${host}]` : host}:${port}`;
}
