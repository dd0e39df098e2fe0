import { type Fact, keyOf, type Sharer } from "../../domain/causes/causes.ts";
import { factsOf } from "../../domain/causes/facts.ts";
import { groupOf } from "../../domain/monitors/status.ts";
import type { KnownMonitor, Store } from "../../store/store.ts";
import type { registrableDomain } from "../registrations/registrable-domain.ts";

/** A monitor with its facts (behavior 22.20). */
export interface MonitorWithFacts extends KnownMonitor, Sharer {
  facts: readonly Fact[];
}

/** The facts of the probed monitors of an organization, as of one reading. */
export interface OrganizationFacts {
  monitors: ReadonlyMap<string, MonitorWithFacts>;
  /** The monitors with a fact, oldest first. */
  sharersOf(fact: Fact): readonly MonitorWithFacts[];
}

/**
 * Reads the facts of all probed monitors of an organization, in slices. There is no table of facts, because healthy checks would have
 * to write to it.
 *
 * @throws AppError `not_found` if the organization does not exist
 */
export async function readFacts(
  { causes }: Pick<Store, "causes">,
  organizationId: string,
): Promise<OrganizationFacts> {
  const monitors = new Map<string, MonitorWithFacts>();
  const sharers = new Map<string, MonitorWithFacts[]>();
  // The list of public suffixes takes 130 kB: it is loaded for the first outage, not at the start.
  const { registrableDomain } = await import("../registrations/registrable-domain.ts");
  const domainOf = remembered(registrableDomain);
  for (let after: number | null = 0; after !== null; ) {
    const slice = await causes.listKnownMonitors(organizationId, { after });
    for (const known of slice.monitors) {
      const isSuspected = !known.isHealthy && groupOf[known.status] === "healthy";
      const monitor = { ...known, monitorId: known.id, isSuspected, facts: factsOf(known, domainOf) };
      monitors.set(monitor.id, monitor);
      for (const fact of monitor.facts) {
        const key = keyOf(fact);
        const some = sharers.get(key);
        if (some) some.push(monitor);
        else sharers.set(key, [monitor]);
      }
    }
    after = slice.end;
  }
  return { monitors, sharersOf: (fact) => sharers.get(keyOf(fact)) ?? [] };
}

/** Most monitors share their host with others. */
function remembered(domainOf: typeof registrableDomain): typeof registrableDomain {
  const known = new Map<string, string | null>();
  return (host) => {
    let domain = known.get(host);
    if (domain === undefined) {
      domain = domainOf(host);
      known.set(host, domain);
    }
    return domain;
  };
}
