import { endpointOf } from "../evidence/failure.ts";
import type { MonitorConfig, MonitorType } from "../monitors/monitor.ts";
import { addressBytes, isIP, isIPv4, mappedIPv4 } from "../network/client-address.ts";
import { FACT_KINDS, type Fact, keyOf } from "./causes.ts";

/** The last good check of a monitor at one location. @property location `here`, or its name */
export interface GoodAt {
  location: string;
  address: string | null;
  certificate: string | null;
}

/** A monitor with all that its facts depend on. */
export interface FactSubject {
  type: MonitorType;
  config: MonitorConfig;
  tags: readonly string[];
  /** By location. A location without a good check has none. */
  good: readonly GoodAt[];
}

/**
 * The facts of a monitor, in the order of their kinds (behavior 22.20). A job has none, a DNS monitor no address and no certificate.
 *
 * @param domainOf the registrable domain of a host; null if it has none
 */
export function factsOf(
  { type, config, tags, good }: FactSubject,
  domainOf: (host: string) => string | null,
): Fact[] {
  if (type === "SCHEDULED") return [];
  const host = endpointOf(config).host.toLowerCase().replace(/\.$/, "");
  const isName = host !== "" && !isIP(host);
  const domain = isName ? domainOf(host) : null;
  const places = good.flatMap(({ location, address, certificate }): Fact[] => [
    ...(type === "DNS" || address === null
      ? []
      : [
          { kind: "address" as const, value: address },
          { kind: "network" as const, value: networkOf(address) },
        ]),
    ...(type === "DNS" || certificate === null ? [] : [{ kind: "certificate" as const, value: certificate }]),
    { kind: "location", value: location },
  ]);
  const facts: Fact[] = [
    ...places,
    ...(host === "" ? [] : [{ kind: "host" as const, value: host }]),
    ...(domain === null ? [] : [{ kind: "domain" as const, value: domain }]),
    ...tags.map((value) => ({ kind: "tag" as const, value })),
  ];
  return [...new Map(facts.map((fact) => [keyOf(fact), fact])).values()].sort(byKind);
}

function byKind(one: Fact, other: Fact): number {
  return FACT_KINDS.indexOf(one.kind) - FACT_KINDS.indexOf(other.kind) || (one.value < other.value ? -1 : 1);
}

/** The bytes of the network of an address: /24 of IPv4, /48 of IPv6. */
const NETWORK_BYTES = { ipv4: 3, ipv6: 6 };

/** The network of an address, such as `203.0.113.0/24` or `2001:db8:7::/48`. */
export function networkOf(address: string): string {
  const bytes = addressBytes(address.replace(/%.*/, ""));
  if (!bytes) return address;
  const old = isIPv4(address) ? address : mappedIPv4(bytes);
  if (old !== undefined) return `${old.split(".").slice(0, NETWORK_BYTES.ipv4).join(".")}.0/24`;
  const words = [0, 2, 4].map((at) => (((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0)).toString(16));
  while (words.at(-1) === "0") words.pop();
  return `${words.join(":")}::/48`;
}
