import { addressBytes, mappedIPv4 } from "../../domain/network/ip-address.ts";
import { AF_INET, AF_INET6, libc } from "./libc.ts";

export type PingFamily = typeof AF_INET | typeof AF_INET6;

/**
 * The address of a target, as the system takes it.
 *
 * @property bytes `struct sockaddr_in` or `struct sockaddr_in6`, see ip(7) and ipv6(7)
 * @property hostAt where the IP address is in the bytes
 */
export interface PingAddress {
  family: PingFamily;
  bytes: Uint8Array;
  hostAt: number;
}

/** The address of this machine, which answers for the unspecified address. */
const LOOPBACK = { [AF_INET]: [127, 0, 0, 1], [AF_INET6]: [...new Array(15).fill(0), 1] };

/** @param address an IP address, maybe with a zone, as `fe80::1%eth0` */
export function pingAddress(address: string): PingAddress {
  const all = addressBytes(address) ?? [];
  const isIPv4 = mappedIPv4(all) !== undefined;
  const family = isIPv4 ? AF_INET : AF_INET6;
  const host = isIPv4 ? all.slice(12) : all;
  const hostAt = isIPv4 ? 4 : 8;
  const buffer = new ArrayBuffer(isIPv4 ? 16 : 28);
  const [bytes, view] = [new Uint8Array(buffer), new DataView(buffer)];
  view.setUint16(0, family, true);
  // An answer does not come from the unspecified address.
  bytes.set(host.some((byte) => byte > 0) ? host : LOOPBACK[family], hostAt);
  const [, zone] = address.split("%");
  if (zone !== undefined) view.setUint32(24, interfaceNumber(zone), true);
  return { family, bytes, hostAt };
}

/** @returns 0 if there is no such interface */
function interfaceNumber(zone: string): number {
  return /^\d+$/.test(zone) ? Number(zone) : libc().if_nametoindex(Buffer.from(`${zone}\0`));
}
