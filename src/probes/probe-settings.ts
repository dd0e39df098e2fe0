import type { DnsServer } from "../domain/network/dns-server.ts";

/** Whether loopback, private and link-local addresses may be connected to. */
export const PRIVATE_TARGETS = ["allow", "deny"] as const;
export type PrivateTargets = (typeof PRIVATE_TARGETS)[number];

/** What the operator has set for the probes and for what is posted. It goes to the probe thread as it is. */
export interface ProbeSettings {
  /** The servers for all look-ups; without them, those of the system. */
  dnsServers?: DnsServer[];
  privateTargets: PrivateTargets;
}
