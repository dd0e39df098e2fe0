import { isIPv4, isIPv6 } from "../../domain/network/ip-address.ts";

/** The name of an IP address in the DNS. Another text is returned itself. */
export function reverseName(address: string): string {
  if (isIPv4(address)) return `${address.split(".").reverse().join(".")}.in-addr.arpa`;
  if (!isIPv6(address)) return address;
  const digits = groupsOf(address)
    .map((group) => group.padStart(4, "0"))
    .join("");
  return `${[...digits].reverse().join(".")}.ip6.arpa`;
}

/** The eight groups of an IPv6 address. */
function groupsOf(address: string): string[] {
  const [, v4] = /(\d+\.\d+\.\d+\.\d+)$/.exec(address) ?? [];
  const [a = 0, b = 0, c = 0, d = 0] = v4?.split(".").map(Number) ?? [];
  const plain =
    v4 === undefined
      ? address
      : address.replace(v4, [a * 256 + b, c * 256 + d].map((one) => one.toString(16)).join(":"));
  const [start = "", end] = plain.toLowerCase().split("::");
  const parts = (text: string) => text.split(":").filter(Boolean);
  if (end === undefined) return parts(start);
  const missing = 8 - parts(start).length - parts(end).length;
  return [...parts(start), ...Array<string>(Math.max(0, missing)).fill("0"), ...parts(end)];
}
