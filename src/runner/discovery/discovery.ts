import { isSameJson } from "../../domain/canonical-json.ts";
import type { DiscoveryReport } from "../../domain/discovery/report.ts";
import type { DiscoverSettings } from "../../domain/discovery/settings.ts";
import type { DiscoveryEngine, EngineParts } from "./discovery-engine.ts";

/** The settings of discovery. @property defaults as in the configuration file */
export interface DiscoverySet {
  settings: DiscoverSettings;
  defaults: object;
}

/** Finds what runs here, and gives it monitors (behavior 28.70). Its modules are loaded only if it is set. */
export interface Discovery {
  /** Begins to read in the background. */
  start(): void;
  /** Follows settings that may have changed, and reads all sources again. */
  renew(): void;
  /** The first fault, in words without secrets; undefined without any. */
  fault(): string | undefined;
  /** Whether it is for an organization: false until it has been found. */
  isOf(organizationId: string): boolean;
  /** It is empty for other organizations than the one of discovery, and undefined without discovery. */
  report(organizationId: string): Promise<DiscoveryReport | undefined>;
  stop(timeout: number): Promise<unknown>;
}

/** @param current reads what is set now; undefined without discovery */
export function createDiscovery(current: () => DiscoverySet | undefined, parts: EngineParts): Discovery {
  const { clock, log } = parts;
  let engine: DiscoveryEngine | undefined;
  let used: DiscoverySet | undefined;
  let isStopped = false;
  let last: Promise<void> = Promise.resolve();

  async function follow(): Promise<void> {
    const wanted = isStopped ? undefined : current();
    if (engine && isSameJson(wanted, used)) return engine.wake();
    await engine?.stop();
    engine = undefined;
    used = wanted;
    if (!wanted) return;
    const { createDiscoveryEngine } = await import("./discovery-engine.ts");
    engine = createDiscoveryEngine(wanted, parts);
    engine.start();
  }

  /** One after the other. */
  function renew(): void {
    last = last.then(follow).catch((err) => log.error({ err }, "discovery could not be started"));
  }

  return {
    start: renew,
    renew,
    fault: () => engine?.fault(),
    isOf: (organizationId) => engine?.isOf(organizationId) ?? false,
    report: async (organizationId) => engine?.report(organizationId),
    stop(timeout) {
      isStopped = true;
      renew();
      return Promise.race([last, clock.sleep(timeout)]);
    },
  };
}
