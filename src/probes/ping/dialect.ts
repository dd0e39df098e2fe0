import {
  AF_INET,
  AF_INET6,
  IP_MTU_DISCOVER,
  IP_RECVERR,
  IPPROTO_ICMP,
  IPPROTO_ICMPV6,
  IPV6_MTU_DISCOVER,
  IPV6_RECVERR,
  SOL_IP,
  SOL_IPV6,
} from "./libc.ts";
import type { PingFamily } from "./ping-address.ts";

/**
 * The options, messages and errors of a version of IP: ip(7), ipv6(7), RFC 792, RFC 4443.
 *
 * @property host where the IP address is in a socket address of so many bytes
 * @property fromNetwork the origin of errors that the network reported
 * @property isUnreachable whether an error says that a packet can't be delivered
 */
export interface Dialect {
  protocol: number;
  level: number;
  recvErr: number;
  mtuDiscover: number;
  request: number;
  reply: number;
  addressLength: number;
  host: { start: number; end: number };
  fromNetwork: number;
  isUnreachable: (type: number, code: number) => boolean;
}

export const DIALECTS: Record<PingFamily, Dialect> = {
  [AF_INET]: {
    protocol: IPPROTO_ICMP,
    level: SOL_IP,
    recvErr: IP_RECVERR,
    mtuDiscover: IP_MTU_DISCOVER,
    request: 8,
    reply: 0,
    addressLength: 16,
    host: { start: 4, end: 8 },
    fromNetwork: 2,
    // 3 is unreachable, of which 4 is "fragmentation needed"; 11 is too many hops.
    isUnreachable: (type, code) => (type === 3 && code !== 4) || (type === 11 && code === 0),
  },
  [AF_INET6]: {
    protocol: IPPROTO_ICMPV6,
    level: SOL_IPV6,
    recvErr: IPV6_RECVERR,
    mtuDiscover: IPV6_MTU_DISCOVER,
    request: 128,
    reply: 129,
    addressLength: 28,
    host: { start: 8, end: 24 },
    fromNetwork: 3,
    isUnreachable: (type, code) => type === 1 || (type === 3 && code === 0),
  },
};
