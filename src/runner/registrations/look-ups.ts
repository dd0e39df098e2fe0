import type { Clock } from "../../clock.ts";
import { afterLookUp, type LookUp, type StoredRegistration } from "../../domain/registration/look-up.ts";
import { serverFor } from "../../domain/registration/rdap-servers.ts";
import type { Logger } from "../../log.ts";
import type { Claimant, Store } from "../../store/store.ts";
import { askRegistry } from "./ask-registry.ts";
import type { RequestOptions } from "./rdap-request.ts";
import { createRegistryTurns } from "./registry-turns.ts";
import type { ServerList } from "./server-list.ts";

/** How long a look-up may take with all its redirects, in milliseconds. */
const TIMEOUT = 15_000;

const FAILED = "the registration of a domain could not be looked up";

/** Asks the registries about domains that are due, and stores what they say. */
export interface LookUps {
  /**
   * Looks up a domain. Others may share the look-up, or have made it meanwhile.
   *
   * @returns undefined if its registry had no turn for it
   * @throws if the database fails
   */
  run(domain: string): Promise<StoredRegistration | undefined>;
  /** Whether a registry of the list is responsible for a domain. */
  hasRegistry(domain: string): Promise<boolean>;
  stop(): Promise<void>;
}

export function createLookUps({
  store,
  clock,
  claimant,
  log,
  servers,
  jitter,
  ...request
}: {
  store: Pick<Store, "registrations" | "claims">;
  clock: Pick<Clock, "now" | "monotonic" | "sleep">;
  claimant: () => Claimant;
  log: Pick<Logger, "warn">;
  servers: Pick<ServerList, "current">;
  /** From 0 to 1. */
  jitter: () => number;
} & Pick<RequestOptions, "resolve" | "signal">): LookUps {
  const turns = createRegistryTurns({ store, clock, claimant, longest: TIMEOUT });
  /** Registrations that could not be stored yet. */
  const unsaved = new Map<string, StoredRegistration>();
  const running = new Map<string, Promise<StoredRegistration | undefined>>();

  async function start(domain: string): Promise<StoredRegistration | undefined> {
    const server = serverFor(await servers.current(), domain);
    if (server === undefined) return undefined;
    const registry = new URL(server).host;
    return turns.take(registry, () => lookUp(domain, { server, registry }));
  }

  async function lookUp(
    domain: string,
    { server, registry }: { server: string; registry: string },
  ): Promise<StoredRegistration> {
    // Another node, or the wait for the turn of the registry, may have made it superfluous.
    const before = unsaved.get(domain) ?? (await store.registrations.find(domain));
    if (before && before.nextAt > clock.now()) return unsaved.has(domain) ? save(before) : before;
    const asked = { ...request, timeout: TIMEOUT, now: clock.now };
    const result = (await pauseOf(registry)) ?? (await askRegistry(server, domain, asked));
    const after = afterLookUp(before, { domain, registry, result }, { now: clock.now(), jitter: jitter() });
    // This server stops, which says nothing about the registry.
    if (request.signal.aborted) return before ?? after;
    if ("message" in result) log.warn({ domain, registry, cause: result.message }, FAILED);
    return save(after);
  }

  /** If the database fails, no registry is asked again for that. */
  async function save(registration: StoredRegistration): Promise<StoredRegistration> {
    unsaved.set(registration.domain, registration);
    await store.registrations.save(registration);
    unsaved.delete(registration.domain);
    return registration;
  }

  async function pauseOf(registry: string): Promise<LookUp | undefined> {
    const until = await store.registrations.findPause(registry, clock.now());
    if (until === null) return undefined;
    const retryAfter = until - clock.now();
    return { outcome: "unanswered", message: "the registry asked for a pause", retryAfter };
  }

  return {
    run(domain) {
      const known = running.get(domain);
      if (known) return known;
      const started = start(domain).finally(() => running.delete(domain));
      running.set(domain, started);
      return started;
    },
    hasRegistry: async (domain) => serverFor(await servers.current(), domain) !== undefined,
    async stop() {
      turns.stop();
      await Promise.allSettled(running.values());
    },
  };
}
