import type { Clock } from "../../clock.ts";
import { createSources } from "../../discovery/sources.ts";
import type { Author } from "../../domain/accounts/audit.ts";
import { FaultsError } from "../../domain/configuration/history.ts";
import { faultsByEntry } from "../../domain/discovery/plan-discovered.ts";
import type { DiscoveryFault } from "../../domain/discovery/plan-discovery.ts";
import {
  type DiscoveryReport,
  mayBeUnwatched,
  NO_DISCOVERY,
  reportDiscovery,
} from "../../domain/discovery/report.ts";
import { DEFAULT_GRACE } from "../../domain/discovery/settings.ts";
import { omit } from "../../domain/pick.ts";
import { oneLine, truncate } from "../../domain/truncate.ts";
import type { Logger } from "../../log.ts";
import { chosenOrganization } from "../../store/accounts/chosen-organization.ts";
import { withInterval } from "../../store/discovery/apply-discovered.ts";
import type { Claimant, Store } from "../../store/store.ts";
import type { DiscoverySet } from "./discovery.ts";
import { type ApplyFound, createDiscoveryRounds, newestEdit } from "./discovery-rounds.ts";

export interface EngineParts {
  store: Store;
  clock: Clock;
  claimant: () => Claimant;
  log: Logger;
  /** The organization of the settings; optional while there is exactly one. */
  organizationId: string | undefined;
  /** See `applyDocument`. */
  confirm: (organizationId: string, document: unknown, origin: "discovery") => Promise<void>;
  /** Called after changes: monitors may be due, and alerts may have to be sent. */
  wake: () => void;
}

/** Discovery with certain settings. */
export interface DiscoveryEngine {
  start(): void;
  /** Reads all sources. */
  wake(): void;
  fault(): string | undefined;
  isOf(organizationId: string): boolean;
  report(organizationId: string): Promise<DiscoveryReport>;
  stop(): Promise<void>;
}

export function createDiscoveryEngine(
  { settings, defaults }: DiscoverySet,
  parts: EngineParts,
): DiscoveryEngine {
  const { store } = parts;
  const { grace = DEFAULT_GRACE } = settings;
  const rounds = createDiscoveryRounds({
    ...parts,
    sources: createSources(settings),
    grace: grace * 1000,
    defaults,
    findOrganization: () => chosenOrganization(store, { flag: "--config-org", given: parts.organizationId }),
    apply: applyFound(parts),
  });

  /** They are read again after an edit: 50,000 monitors take 0.2 s. */
  let addresses: { edit: string; found: Promise<ReadonlySet<string>> } | undefined;

  async function findAddresses(organizationId: string): Promise<ReadonlySet<string>> {
    const edit = await newestEdit(store, organizationId);
    if (addresses?.edit !== edit) {
      const found = store.discovery.listTargets(organizationId).then((targets) => new Set(targets));
      addresses = { edit, found };
      found.catch(() => {
        addresses = undefined;
      });
    }
    return addresses.found;
  }

  function known() {
    const states = [...rounds.sources()];
    return new Map(
      states.map(([source, { reading, readAt, faults }]) => [
        source,
        { found: reading?.found ?? [], readAt, faults },
      ]),
    );
  }

  return {
    start: rounds.start,
    wake: rounds.wake,
    fault: () => faultInHealth(rounds.faults()),
    isOf: (organizationId) => organizationId === rounds.organizationId(),
    async report(organizationId) {
      if (organizationId !== rounds.organizationId()) return NO_DISCOVERY;
      const sources = known();
      const stored = await store.discovery.list(organizationId);
      const needsAddresses = mayBeUnwatched(sources.values());
      return reportDiscovery(sources, {
        stored,
        addresses: needsAddresses ? await findAddresses(organizationId) : new Set(),
        deleteAt: rounds.deleteAt,
      });
    },
    stop: rounds.stop,
  };
}

/** Everybody may read the health of a server: it has no text of labels and targets, which can have a token (behavior 28.79). */
function faultInHealth(faults: readonly DiscoveryFault[]): string | undefined {
  const first = faults.find(({ entry }) => entry === undefined) ?? faults[0];
  if (!first) return undefined;
  const { source, entry, message } = first;
  if (entry === undefined) return `${source}: ${truncate(oneLine(message), MAX_HEALTH)}`;
  const count = faults.filter((fault) => fault.source === source).length;
  return `${source}: ${count === 1 ? "1 entry has a fault" : `${count} entries have faults`}`;
}

/** Characters: `stillup health` reads 64 KiB. */
const MAX_HEALTH = 500;

/** Entries that this server refuses are left out, as those with other faults. */
export function applyFound({
  store,
  clock,
  confirm,
}: Pick<EngineParts, "store" | "clock" | "confirm">): ApplyFound {
  return async (organizationId, { defaults, monitors }, { missing, isDryRun }) => {
    const completed = withInterval(defaults);
    const refused = await refusedBy(
      (left) => confirm(organizationId, { defaults: completed, monitors: left }, "discovery"),
      monitors,
    );
    const document = { defaults: completed, monitors: omit(monitors, [...refused.keys()]) };
    const now = clock.now();
    const author: Author = { actor: ACTOR, address: null, at: now };
    const kept = [...missing.kept, ...refused.keys()];
    const { changes, faults } = await store
      .as(author)
      .discovery.apply(organizationId, document, { ...missing, kept, isDryRun }, now);
    const own = [...refused].map(([entry, message]) => ({ entry, message }));
    return { changes, faults: [...own, ...faults] };
  };
}

/**
 * The first fault of each refused entry, by ref. One answer has some of the faults: what is left is confirmed until none is refused.
 *
 * @throws FaultsError for a fault that is of no entry
 */
async function refusedBy(
  confirm: (monitors: Record<string, object>) => Promise<void>,
  monitors: Record<string, object>,
): Promise<Map<string, string>> {
  const refused = new Map<string, string>();
  for (;;) {
    const left = omit(monitors, [...refused.keys()]);
    try {
      await confirm(left);
      return refused;
    } catch (error) {
      if (!(error instanceof FaultsError)) throw error;
      const found = faultsByEntry(error.faults, Object.keys(left));
      for (const [ref, message] of found) refused.set(ref, message);
    }
  }
}

/** The audit log has each change with the name of discovery. */
const ACTOR: Author["actor"] = { type: "cli", id: null, name: "discovery" };
