import { BlockList, isIPv6 } from "node:net";

/**
 * Addresses that are not public: all that IANA lists as special-purpose, and a few more. The IPv4 ranges also apply to IPv4
 * addresses embedded in IPv6.
 */
const RANGES = [
  "0.0.0.0/8", // this network; 0.0.0.0 connects to this machine
  "10.0.0.0/8", // private
  "100.64.0.0/10", // carrier-grade NAT
  "127.0.0.0/8", // loopback
  "168.63.129.16/32", // Azure: the services of the host of a virtual machine
  "169.254.0.0/16", // link-local; the metadata services of clouds
  "172.16.0.0/12", // private
  "192.0.0.0/24", // protocol assignments
  "192.0.2.0/24", // documentation
  "192.31.196.0/24", // AS112: sinks for queries about private addresses
  "192.52.193.0/24", // multicast tunnels
  "192.88.99.0/24", // relays of 6to4
  "192.168.0.0/16", // private
  "192.175.48.0/24", // AS112
  "198.18.0.0/15", // benchmarks
  "198.51.100.0/24", // documentation
  "203.0.113.0/24", // documentation
  "224.0.0.0/4", // multicast
  "240.0.0.0/4", // reserved, broadcast
  "::/96", // unspecified, loopback, IPv4-compatible
  "::ffff:0:0:0/96", // IPv4-translated
  "64:ff9b:1::/48", // translation to private IPv4
  "100::/64", // discarded
  "100:0:0:1::/64", // dummy addresses
  "2001::/23", // protocol assignments, with Teredo, which reaches hosts behind a NAT
  "2001:db8::/32", // documentation
  "2620:4f:8000::/48", // AS112
  "3fff::/20", // documentation
  "5f00::/16", // identifiers of segment routing
  "fc00::/7", // unique-local
  "fe80::/10", // link-local
  "fec0::/10", // site-local
  "ff00::/8", // multicast
];

const blocked = new BlockList();
for (const range of RANGES) {
  const [network = "", prefix] = range.split("/");
  blocked.addSubnet(network, Number(prefix), familyOf(network));
  if (familyOf(network) === "ipv4") blockEmbedded(network, Number(prefix));
}

/** Blocks an IPv4 network as NAT64 and 6to4 embed it. `BlockList` handles IPv4-mapped addresses itself. */
function blockEmbedded(network: string, prefix: number): void {
  const hex = Buffer.from(network.split(".").map(Number)).toString("hex").replace(/^.{4}/, "$&:");
  blocked.addSubnet(`64:ff9b::${hex}`, 96 + prefix, "ipv6");
  blocked.addSubnet(`2002:${hex}::`, 16 + prefix, "ipv6");
}

/** Whether `--private-targets deny` forbids connections to an IP address (behavior 1.21). */
export function isPrivateAddress(address: string): boolean {
  const bare = address.replace(/%.*/, "");
  return blocked.check(bare, familyOf(bare));
}

function familyOf(address: string): "ipv4" | "ipv6" {
  return isIPv6(address) ? "ipv6" : "ipv4";
}
