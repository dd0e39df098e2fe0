import type { Lookup } from "../domain/checks/dns-lookup.ts";
import { recordTypesOf } from "../domain/checks/dns-record.ts";
import type { Observation } from "../domain/checks/observation.ts";
import type { MonitorConfig } from "../domain/monitors/monitor.ts";
import { asciiName } from "./dns/resolve.ts";
import type { ProbeInput } from "./observe.ts";

/** Queries the records of a name. If no DNS server can be reached, the check is inconclusive (behavior 4.5). */
export async function probeDns(
  config: MonitorConfig<"DNS">,
  { network, timeout }: ProbeInput,
): Promise<Observation> {
  const name = asciiName(config.hostname);
  const types = recordTypesOf(config);
  const asked = await Promise.allSettled(types.map((type) => network.dns.ask({ name, type }, timeout)));
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
