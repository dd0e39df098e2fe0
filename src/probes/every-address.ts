import type { AddressEvidence, Observation } from "../domain/checks/observation.ts";
import { PinnedNetwork } from "./connections/network.ts";
import type { IpFamily } from "./dns/resolve.ts";
import { Lifetime } from "./lifetime.ts";
import { observe, type ProbeContext, type ProbeInput, type Seen } from "./observe.ts";

/** @property family the only version of IP to use */
export interface Named {
  host: string;
  family?: IpFamily | undefined;
}

/**
 * Probes each address of a host, all at once and within one timeout (behavior 10.100).
 *
 * @param probe of one address; the first name that it resolves is the host
 */
export function probeEveryAddress(
  { host, family }: Named,
  input: ProbeInput,
  probe: (input: ProbeInput) => Promise<Observation>,
): Promise<Observation> {
  return observe(input, async (context) => {
    const { network, timeout, lifetime } = context;
    context.waitingFor = "DNS answer";
    const { addresses, omitted, extraWait } = await network.everyAddressOf(host, {
      timeout,
      family,
      listener: context,
    });
    lifetime.assertOngoing();
    context.leaveTimeout();
    const parts = addresses.map(async (address) => ({
      address,
      seen: await probe(partFor(address, context, context.start + extraWait + context.lateBy)),
    }));
    return joined(await Promise.all(parts), omitted);
  });
}

interface Part {
  address: string;
  seen: Observation;
}

/** A fault of this machine in one part says that the whole proves nothing. */
function joined(parts: Part[], omitted: number): Seen {
  const faults = parts.map(({ seen }) => seen).filter((seen) => seen.outcome === "inconclusive");
  const [fault] = [...faults.filter(({ isShortage }) => isShortage), ...faults];
  return fault ?? { outcome: "by_address", addresses: parts.flatMap(evidenceOf), omitted };
}

function evidenceOf({ address, seen }: Part): AddressEvidence[] {
  const isOfHost = seen.outcome === "reached" || seen.outcome === "certified" || seen.outcome === "failed";
  return isOfHost ? [{ address, evidence: seen }] : [];
}

/** @param startedAt later than the check if the DNS was slow about IPv6, or its servers had a fault: that is no slowness of the target */
function partFor(
  address: string,
  { network, timeout, lifetime: whole }: ProbeContext,
  startedAt: number,
): ProbeInput {
  const lifetime = new Lifetime();
  whole.add(lifetime);
  return { timeout, network: new PinnedNetwork(network, address), lifetime, startedAt };
}
