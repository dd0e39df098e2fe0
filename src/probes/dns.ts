import type { Lookup } from "../domain/checks/dns-lookup.ts";
import { recordTypesOf } from "../domain/checks/dns-record.ts";
import type { Observation } from "../domain/checks/observation.ts";
import type { MonitorConfig } from "../domain/monitors/monitor.ts";
import { parseDnsServer } from "../domain/network/dns-server.ts";
import type { Network } from "./connections/network.ts";
import type { DnsClient } from "./dns/dns-client.ts";
import { asciiName } from "./dns/resolve.ts";
import type { ProbeInput } from "./observe.ts";
import { ProbeError } from "./probe-error.ts";

/** Queries the records of a name. If no DNS server can be reached, the check is inconclusive (behavior 4.5). */
export async function probeDns(
  config: MonitorConfig<"DNS">,
  { network, timeout }: ProbeInput,
): Promise<Observation> {
  const dns = clientFor(config, network);
  if (dns instanceof ProbeError) {
    return { outcome: "failed", reason: dns.reason, detail: { message: dns.message } };
  }
  const name = asciiName(config.hostname);
  const types = recordTypesOf(config);
  const asked = await Promise.allSettled(types.map((type) => dns.ask({ name, type }, timeout)));
  const [failed, ...others] = asked.filter((one) => one.status === "rejected");
  if (failed && others.length + 1 === asked.length) {
    return { outcome: "inconclusive", message: String(failed.reason) };
  }
  // At least one query was answered, so the servers are alive: the other query has timed out.
  const lookups = asked.map((one, at): Lookup => {
    if (one.status === "fulfilled") return one.value;
    return { recordType: types[at] ?? "A", values: [], failure: "timeout" };
  });
  return { outcome: "looked_up", answer: { hostname: config.hostname, lookups } };
}

/** The client for the servers of the config, in their order, or that of the operator. */
function clientFor({ servers }: MonitorConfig<"DNS">, network: Network): DnsClient | ProbeError {
  if (!servers) return network.dns;
  try {
    return network.dnsWith(servers.map(parseDnsServer).filter((server) => server !== undefined));
  } catch (error) {
    if (error instanceof ProbeError) return error;
    throw error;
  }
}
