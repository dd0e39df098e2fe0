import { type AddressRanges, isInRanges } from "./address-range.ts";
import { addressBytes, isIP, isIPv4, mappedIPv4 } from "./ip-address.ts";

/**
 * The address of the client of a request: the nearest address that is no trusted proxy (behavior 8.16). A client can
 * invent the entries of `X-Forwarded-For` beyond that.
 *
 * @param peer the other end of the connection
 * @param forwardedFor the header, to which each proxy appends the address of its client
 */
export function clientAddress(peer: string, forwardedFor: string | null, trusted: AddressRanges): string {
  const hops = forwardedFor?.split(",").map(withoutPort) ?? [];
  let address = unmapped(peer);
  while (isInRanges(trusted, address)) {
    const previous = hops.pop();
    if (previous === undefined || !isIP(previous)) break;
    address = unmapped(previous);
  }
  return address;
}

/** The unit of a rate limit: an IPv4 address, or an IPv6 /64 network, which one client has (behavior 8.16). */
export function clientNetwork(address: string): string {
  const bytes = isIPv4(address) ? undefined : addressBytes(address);
  if (!bytes) return address;
  const groups = [0, 2, 4, 6].map((at) => (((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0)).toString(16));
  return `${groups.join(":")}::/64`;
}

/** Removes the port that some proxies append: `192.0.2.1:1234`, `[2001:db8::1]:1234`. */
function withoutPort(hop: string): string {
  const text = hop.trim();
  const [, bracketed, plain] = /^(?:\[([^\]]+)\]|([\d.]+))(?::\d+)?$/.exec(text) ?? [];
  return bracketed ?? plain ?? text;
}

/** A socket for both families reports an IPv4 address as `::ffff:192.0.2.1`, in any spelling of IPv6. */
function unmapped(address: string): string {
  if (isIPv4(address) || address.includes("%")) return address;
  const bytes = addressBytes(address);
  return (bytes && mappedIPv4(bytes)) ?? address;
}
