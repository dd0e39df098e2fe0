import { type Lookup, type Observation, recordTypesOf } from "../domain/checks/observation.ts";
import type { CheckFacts, DnsFacts } from "../domain/evidence/evidence.ts";
import type { MonitorConfig } from "../domain/monitors/monitor.ts";
import { parseDnsServer } from "../domain/network/dns-server.ts";
import { answerOf, silenceFor } from "./check-facts.ts";
import type { Network } from "./connections/network.ts";
import type { DnsClient } from "./dns/dns-client.ts";
import { asciiName, worstFault } from "./dns/resolve.ts";
import type { ProbeInput } from "./observe.ts";
import { since } from "./probe-clock.ts";
import { ProbeError } from "./probe-error.ts";

/** Queries the records of a name (section 4 of the behavior). */
export async function probeDns(
  config: MonitorConfig<"DNS">,
  { network, timeout }: ProbeInput,
): Promise<Observation> {
  const dns = clientFor(config, network);
  if (dns instanceof ProbeError) return failed(dns, null);
  const start = performance.now();
  const name = asciiName(config.hostname);
  const types = recordTypesOf(config);
  const asked = await Promise.allSettled(types.map((type) => dns.ask({ name, type }, timeout)));
  const faults = asked.filter((one) => one.status === "rejected").map(({ reason }): unknown => reason);
  if (faults.length === asked.length) {
    const fault = worstFault(faults);
    return fault instanceof ProbeError
      ? failed(fault, silenceFor(since(start)))
      : { outcome: "inconclusive", message: String(fault) };
  }
  // At least one query was answered, so the servers are alive: the other query has timed out.
  const lookups = asked.map((one, at): Lookup => {
    if (one.status === "fulfilled") return one.value;
    return { recordType: types[at] ?? "A", values: [], failure: "timeout" };
  });
  const answer = { hostname: config.hostname, lookups };
  if (lookups.some(({ values }) => values.length > 0)) return { outcome: "looked_up", answer };
  return { outcome: "looked_up", answer, dns: answerOf(lookups, since(start)) };
}

function failed({ reason, message }: ProbeError, dns: DnsFacts | null): Observation {
  const facts: CheckFacts = { step: "dns", dns, tls: null, http: null };
  return { outcome: "failed", reason, facts, detail: { message } };
}

/** The client for the servers of the config, in their order, else for the servers of the operator. */
function clientFor({ servers }: MonitorConfig<"DNS">, network: Network): DnsClient | ProbeError {
  if (!servers) return network.dns;
  try {
    return network.dnsWith(servers.map(parseDnsServer).filter((server) => server !== undefined));
  } catch (error) {
    if (error instanceof ProbeError) return error;
    throw error;
  }
}
