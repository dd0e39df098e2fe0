import type { DnsServer } from "../domain/network/dns-server.ts";
import type { NetworkCheck } from "../domain/network/network-check.ts";

/** Whether connections to loopback, private, link-local and other special-purpose addresses are allowed. */
export const PRIVATE_TARGETS = ["allow", "deny"] as const;
export type PrivateTargets = (typeof PRIVATE_TARGETS)[number];

/** The network settings of the operator, for probes and deliveries. They are sent to the probe thread unchanged. */
export interface ProbeSettings {
  /** The DNS servers for all lookups; if undefined, the servers of the system. */
  dnsServers?: DnsServer[];
  privateTargets: PrivateTargets;
  /** Servers used to test this machine's network. If undefined, the network counts as online. */
  networkCheck?: NetworkCheck[];
}
