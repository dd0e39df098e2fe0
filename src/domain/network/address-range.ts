import { addressBytes, isIPv4 } from "./ip-address.ts";

/** A network in its IPv6 form. An address is a network of one address. */
interface AddressRange {
  bytes: number[];
  /** How many leading bits of an address must be those of `bytes`: 0 to 128. */
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
