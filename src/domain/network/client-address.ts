import { addressBytes, isIP, isIPv4, mappedIPv4 } from "./ip-address.ts";

/** A network in its IPv6 form. An address is a network of one address. */
interface AddressRange {
  bytes: number[];
  /** How many leading bits of an address must equal the bits of `bytes`: 0 to 128. */
  prefix: number;
}

/** IP addresses and networks, for example the trusted proxies. */
export type AddressRanges = readonly AddressRange[];

/**
 * @param text a comma-separated list of IP addresses and networks, such as `10.0.0.0/8`
 * @returns undefined if an entry is neither
 */
export function parseAddressRanges(text: string): AddressRanges | undefined {
  const ranges = text.split(",").map((entry) => parseRange(entry.trim()));
  return ranges.every((range) => range !== undefined) ? ranges : undefined;
}

/** Whether an address is in one of the networks. An IPv4 address is equal to its IPv6 form. */
export function isInRanges(ranges: AddressRanges, address: string): boolean {
  const bytes = addressBytes(address);
  return bytes !== undefined && ranges.some((range) => contains(range, bytes));
}

function parseRange(text: string): AddressRange | undefined {
  const [network = "", digits, ...rest] = text.split("/");
  const bytes = addressBytes(network);
  if (!bytes || network.includes("%") || rest.length > 0) return undefined;
  if (digits === undefined) return { bytes, prefix: 128 };
  const longest = isIPv4(network) ? 32 : 128;
  if (!/^\d{1,3}$/.test(digits) || Number(digits) > longest) return undefined;
  return { bytes, prefix: 128 - longest + Number(digits) };
}

function contains({ bytes, prefix }: AddressRange, address: number[]): boolean {
  return bytes.every((byte, at) => {
    const bits = Math.min(8, Math.max(0, prefix - at * 8));
    const mask = 0xff & (0xff << (8 - bits));
    return (byte & mask) === ((address[at] ?? 0) & mask);
  });
}

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
