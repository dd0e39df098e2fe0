import type { Lookup } from "../domain/checks/dns-lookup.ts";
import { recordTypesOf } from "../domain/checks/dns-record.ts";
import type { Observation } from "../domain/checks/observation.ts";
import type { MonitorConfig } from "../domain/monitors/monitor.ts";
import type { ProbeContext } from "./observe.ts";
import { asciiName } from "./resolve.ts";

/** Asks the DNS for the records of a name. Where no server of ours can be reached, nothing is known of them. */
export async function probeDns(
  config: MonitorConfig<"DNS">,
  { network, timeout }: ProbeContext,
): Promise<Observation> {
  const name = asciiName(config.hostname);
  const types = recordTypesOf(config);
  const asked = await Promise.allSettled(types.map((type) => network.dns.ask({ name, type }, timeout)));
  const [failed, ...others] = asked.filter((one) => one.status === "rejected");
  if (failed && others.length + 1 === asked.length) {
    return { outcome: "inconclusive", message: String(failed.reason) };
  }
  // One family was answered: the servers are alive, and the other one was passed over in silence.
  const lookups = asked.map((one, at): Lookup => {
    if (one.status === "fulfilled") return one.value;
    return { recordType: types[at] ?? "A", values: [], failure: "timeout" };
  });
  return { outcome: "looked_up", answer: { hostname: config.hostname, lookups } };
}
