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

/* The functions of `node:net`, for code that also runs in a browser. */

const BYTE = "(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)";
const IPV4 = `${BYTE}(?:\\.${BYTE}){3}`;
const IS_IPV4 = new RegExp(`^${IPV4}$`);
/** Groups of an IPv6 address. An IPv4 address at the end counts as two groups. */
const IS_GROUPS = new RegExp(`^(?:[\\da-f]{1,4}:)*(?:[\\da-f]{1,4}|(${IPV4}))$`, "i");
const ZONE = /%[\da-z.:-]+$/i;

export function isIPv4(text: string): boolean {
  return IS_IPV4.test(text);
}

/** With or without a zone, such as `fe80::1%eth0`. `URL` of Bun is no substitute: it rejects `::1:2:3:4:192.0.2.1`. */
export function isIPv6(text: string): boolean {
  const [before = "", after, ...more] = text.replace(ZONE, "").split("::");
  if (more.length > 0) return false;
  if (after === undefined) return countGroups(before) === 8;
  return !before.includes(".") && countGroups(before) + countGroups(after) < 8;
}

export function isIP(text: string): boolean {
  return isIPv4(text) || isIPv6(text);
}

/**
 * The 16 bytes of an IPv6 address without its zone, or of an IPv4 address in its IPv6 form `::ffff:192.0.2.1`.
 *
 * @returns undefined if the text is no address
 */
export function addressBytes(text: string): number[] | undefined {
  if (isIPv4(text)) return [...MAPPED_PREFIX, ...text.split(".").map(Number)];
  if (!isIPv6(text)) return undefined;
  const [front = [], back = []] = text.replace(ZONE, "").split("::").map(bytesOfGroups);
  return [...front, ...new Array<number>(16 - front.length - back.length).fill(0), ...back];
}

/** The order of addresses as numbers: IPv4 addresses are in their IPv6 form. */
export function compareAddresses(one: string, other: string): number {
  const [own = [], others = []] = [addressBytes(one), addressBytes(other)];
  const at = own.findIndex((byte, index) => byte !== others[index]);
  return at < 0 ? 0 : (own[at] ?? 0) - (others[at] ?? 0);
}

/** The IPv4 address in an IPv6 address such as `::ffff:192.0.2.1`; undefined if there is none. */
export function mappedIPv4(bytes: number[]): string | undefined {
  return MAPPED_PREFIX.every((byte, at) => bytes[at] === byte) ? bytes.slice(12).join(".") : undefined;
}

const MAPPED_PREFIX = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff];

/** @returns NaN if the text is not a list of groups */
function countGroups(text: string): number {
  if (text === "") return 0;
  const [found, ipv4] = IS_GROUPS.exec(text) ?? [];
  return found === undefined ? Number.NaN : text.split(":").length + (ipv4 === undefined ? 0 : 1);
}

/** @param text groups as `2001:db8`, the last one maybe an IPv4 address */
function bytesOfGroups(text: string): number[] {
  if (text === "") return [];
  return text.split(":").flatMap((group) => {
    if (group.includes(".")) return group.split(".").map(Number);
    const value = Number.parseInt(group, 16);
    return [value >> 8, value & 255];
  });
}
