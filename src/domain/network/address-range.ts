import { BlockList, isIP, isIPv4 } from "node:net";

/** @param text a comma-separated list of IP addresses and of ranges as `10.0.0.0/8` */
export function parseAddressRanges(text: string): BlockList | undefined {
  const ranges = new BlockList();
  return text.split(",").every((one) => add(ranges, one.trim())) ? ranges : undefined;
}

export function isInRanges(ranges: BlockList, address: string): boolean {
  return ranges.check(address, familyOf(address));
}

function add(ranges: BlockList, text: string): boolean {
  const [network = "", prefix, ...rest] = text.split("/");
  if (!isIP(network) || rest.length > 0) return false;
  const family = familyOf(network);
  if (prefix === undefined) {
    ranges.addAddress(network, family);
    return true;
  }
  if (!/^\d{1,3}$/.test(prefix) || Number(prefix) > (family === "ipv4" ? 32 : 128)) return false;
  ranges.addSubnet(network, Number(prefix), family);
  return true;
}

function familyOf(address: string): "ipv4" | "ipv6" {
  return isIPv4(address) ? "ipv4" : "ipv6";
}
