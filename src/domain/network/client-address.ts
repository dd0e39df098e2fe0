import { type BlockList, isIP, isIPv4, isIPv6 } from "node:net";
import { isInRanges } from "./address-range.ts";

/**
 * Who sent a request: the nearest address that is no trusted proxy. What stands further away in `X-Forwarded-For` may
 * have been made up by the client.
 *
 * @param peer the other end of the connection
 * @param forwardedFor the header, to which each proxy appends the address it was asked by
 */
export function clientAddress(peer: string, forwardedFor: string | null, trusted: BlockList): string {
  const hops = forwardedFor?.split(",").map(withoutPort) ?? [];
  let address = unmapped(peer);
  while (isInRanges(trusted, address)) {
    const before = hops.pop();
    if (before === undefined || !isIP(before)) break;
    address = unmapped(before);
  }
  return address;
}

/** What stands for one client in a limit: an IPv4 address, or the network of 64 bits that one client has of IPv6. */
export function clientNetwork(address: string): string {
  if (isIPv4(address)) return address;
  const [head = "", tail] = address.replace(/%.*/, "").split("::");
  const [front, back] = [head, tail ?? ""].map((part) => (part === "" ? [] : part.split(":")));
  const zeros = tail === undefined ? [] : Array(8 - (front?.length ?? 0) - (back?.length ?? 0)).fill("0");
  const groups = [...(front ?? []), ...zeros, ...(back ?? [])];
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":")}::/64`;
}

/** Some proxies append the port: `192.0.2.1:1234`, `[2001:db8::1]:1234`. */
function withoutPort(hop: string): string {
  const text = hop.trim();
  const [, bracketed, plain] = /^(?:\[([^\]]+)\]|([\d.]+))(?::\d+)?$/.exec(text) ?? [];
  return bracketed ?? plain ?? text;
}

/** As a socket for both families tells an IPv4 address: `::ffff:192.0.2.1`, which may also be written in other ways. */
function unmapped(address: string): string {
  if (!isIPv6(address) || address.includes("%")) return address;
  const { hostname } = new URL(`http://[${address}]`);
  const [, high, low] = /^\[::ffff:([\da-f]+):([\da-f]+)\]$/.exec(hostname) ?? [];
  if (high === undefined || low === undefined) return address;
  return [high, low]
    .flatMap((pair) => [Number.parseInt(pair, 16) >> 8, Number.parseInt(pair, 16) & 255])
    .join(".");
}
