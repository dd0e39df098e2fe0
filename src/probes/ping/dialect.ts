import { addressBytes, mappedIPv4 } from "../../domain/network/client-address.ts";
import {
  AF_INET,
  AF_INET6,
  IP_MTU_DISCOVER,
  IP_RECVERR,
  IP_TTL,
  IPPROTO_ICMP,
  IPPROTO_ICMPV6,
  IPV6_MTU_DISCOVER,
  IPV6_RECVERR,
  IPV6_UNICAST_HOPS,
  libc,
  SOL_IP,
  SOL_IPV6,
} from "./libc.ts";

/**
 * The options, messages and errors of a version of IP: ip(7), ipv6(7), RFC 792, RFC 4443.
 *
 * @property host where the IP address is in a socket address of so many bytes
 * @property fromNetwork the origin of errors that the network reported
 * @property hops the option with the most hops of a packet
 * @property isUnreachable whether an error says that a packet can't be delivered
 * @property isExceeded whether an error says that a packet has passed its most hops
 */
export interface Dialect {
  protocol: number;
  level: number;
  recvErr: number;
  hops: number;
  mtuDiscover: number;
  request: number;
  reply: number;
  addressLength: number;
  host: { start: number; end: number };
  fromNetwork: number;
  isUnreachable: (type: number, code: number) => boolean;
  isExceeded: (type: number, code: number) => boolean;
}

export const DIALECTS: Record<PingFamily, Dialect> = {
  [AF_INET]: {
    protocol: IPPROTO_ICMP,
    level: SOL_IP,
    recvErr: IP_RECVERR,
    hops: IP_TTL,
    mtuDiscover: IP_MTU_DISCOVER,
    request: 8,
    reply: 0,
    addressLength: 16,
    host: { start: 4, end: 8 },
    fromNetwork: 2,
    // 3 is unreachable, of which 4 is "fragmentation needed"; 11 is too many hops.
    isUnreachable: (type, code) => (type === 3 && code !== 4) || (type === 11 && code === 0),
    isExceeded: (type, code) => type === 11 && code === 0,
  },
  [AF_INET6]: {
    protocol: IPPROTO_ICMPV6,
    level: SOL_IPV6,
    recvErr: IPV6_RECVERR,
    hops: IPV6_UNICAST_HOPS,
    mtuDiscover: IPV6_MTU_DISCOVER,
    request: 128,
    reply: 129,
    addressLength: 28,
    host: { start: 8, end: 24 },
    fromNetwork: 3,
    isUnreachable: (type, code) => type === 1 || (type === 3 && code === 0),
    isExceeded: (type, code) => type === 3 && code === 0,
  },
};

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
