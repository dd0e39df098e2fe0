import { isIP, isIPv4, isIPv6 } from "./client-address.ts";

/** A DNS server. */
export interface DnsServer {
  address: string;
  port: number;
}

const PORT = 53;

/** @param text a comma-separated list of `ip[:port]`; an IPv6 address with a port is in brackets */
export function parseDnsServers(text: string): DnsServer[] | undefined {
  const servers = text.split(",").map((one) => parseDnsServer(one.trim()));
  return servers.every((one) => one !== undefined) ? servers : undefined;
}

/** The DNS servers of `/etc/resolv.conf`. Without any, it is the one on this machine (resolv.conf(5)). */
export function parseResolvConf(text: string): DnsServer[] {
  const addresses = [...text.matchAll(/^\s*nameserver\s+(\S+)/gm)].map(([, address = ""]) => address);
  // A link-local address keeps its zone: `fe80::1%eth0`.
  const usable = addresses.filter((address) => isIP(address.replace(/%.*/, "")));
  return (usable.length > 0 ? usable : ["127.0.0.1"]).map((address) => ({ address, port: PORT }));
}

/** @param text `ip[:port]`; an IPv6 address with a port is in brackets */
export function parseDnsServer(text: string): DnsServer | undefined {
  if (isIP(text)) return { address: text, port: PORT };
  const [, bracketed, plain, digits] = /^(?:\[(.+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
  const port = digits === undefined ? PORT : Number(digits);
  if (port < 1 || port > 65_535) return undefined;
  if (bracketed !== undefined && isIPv6(bracketed)) return { address: bracketed, port };
  return plain !== undefined && isIPv4(plain) ? { address: plain, port } : undefined;
}
