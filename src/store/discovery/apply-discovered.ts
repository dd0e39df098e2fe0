import { type Fault, plainFaults } from "../../domain/configuration/history.ts";
import { parseInSteps } from "../../domain/configuration/parse-document.ts";
import type { ParsedMonitor } from "../../domain/configuration/parse-monitor.ts";
import { type Change, changesOf } from "../../domain/configuration/plan.ts";
import type { StoredConfiguration } from "../../domain/configuration/stored-configuration.ts";
import type { EntryFault } from "../../domain/discovery/found.ts";
import {
  type DiscoveredPlan,
  type GoneNote,
  type Missing,
  planDiscovered,
} from "../../domain/discovery/plan-discovered.ts";
import { isPinged } from "../../domain/locations/ping-access.ts";
import type { MonitorConfig } from "../../domain/monitors/monitor.ts";
import { pushTokenOf } from "../../domain/monitors/push-token.ts";
import { fieldOf } from "../../domain/schemas/field-name.ts";
import { AppError } from "../../errors.ts";
import { organizationPk } from "../accounts/organizations.ts";
import { planAndSave, type WritingEngine } from "../configuration/apply-configuration.ts";
import type { OwnedPlan } from "../configuration/prepare-plan.ts";
import { readConfiguration } from "../configuration/read-configuration.ts";
import { withStoredPlacements } from "../locations/monitor-locations.ts";
import { assertCheckable } from "../monitors/update-monitors.ts";
import { inTurns } from "../turns.ts";
import type { Tx } from "../tx.ts";
import { findGone, saveNotes } from "./discovered.ts";

/** The monitors that sources ask for, in the form of a document. @property monitors by ref, such as `docker/web` */
export interface DiscoveredDocument {
  defaults?: object;
  monitors: Readonly<Record<string, object>>;
}

/** @property faults of the entries that were left out */
export interface DiscoveredOutcome {
  changes: Change[];
  faults: EntryFault[];
}

/**
 * Gives an organization the monitors that sources ask for, in one transaction with its rows in the audit log (behavior 28.14 to 28.19).
 *
 * @param options.isDryRun whether nothing is changed. Default: `false`
 * @param now milliseconds since 1970
 * @throws FaultsError with faults that are of no entry; AppError `no_subscription`, `not_found`
 */
export async function applyDiscovered(
  engine: WritingEngine,
  organizationId: string,
  { defaults, monitors }: DiscoveredDocument,
  { isDryRun = false, ...missing }: Missing & { isDryRun?: boolean },
  now: number,
): Promise<DiscoveredOutcome> {
  const unreadable = faultsOf(monitors);
  const plain = Object.entries(monitors).filter(([ref]) => !unreadable.has(ref));
  const value = { defaults: withInterval(defaults), monitors: Object.fromEntries(plain) };
  const parsed = await inTurns(parseInSteps(value, "discovery"));
  const tokens = [...parsed.document.monitors.values()].flatMap(({ config }) => pushTokenOf(config) ?? []);
  const load = async (tx: Tx): Promise<Stored> => {
    const organization = await organizationPk(tx, organizationId);
    return {
      stored: await readConfiguration({ ...tx, now }, { organizationId, tokens }),
      notes: await findGone(tx, organization),
      refused: await refusedPings(tx, organization, parsed.document.monitors),
    };
  };
  const there = [...unreadable.keys()];
  const planned = async ({ stored, notes, refused }: Stored): Promise<Planned> => {
    const judged = { ...parsed, faults: [...parsed.faults, ...refused] };
    const given = { missing: without(missing, there), notes, now };
    return {
      owner: { organizationId, plan: stored.organization.plan },
      people: new Map(),
      ...(await inTurns(planDiscovered(judged, stored, given))),
    };
  };
  const hasWork = ({ plan, notes }: Planned) => !isDryRun && changesOf(plan).length + notes.size > 0;
  const saveMore = (tx: Tx, { notes }: Planned) => saveNotes(tx, notes);
  const { plan, faults } = await planAndSave(engine, { load, planned, hasWork, saveMore }, now);
  const others = [...unreadable].map(([entry, message]) => ({ entry, message }));
  return { changes: changesOf(plan), faults: [...others, ...faults] };
}

/** Seconds between two checks of a discovered monitor. */
const INTERVAL = 60;

/** For entries that do not give an interval (behavior 28.14). */
export function withInterval(defaults: DiscoveredDocument["defaults"] = {}): object {
  const { config } = defaults as { config?: object };
  return { ...defaults, config: { interval: INTERVAL, ...config } };
}

type Planned = OwnedPlan & DiscoveredPlan;

interface Stored {
  stored: StoredConfiguration;
  notes: ReadonlyMap<string, GoneNote>;
  refused: Fault[];
}

/** The entries that no document can have, by ref: one of them must not make all others wrong. */
function faultsOf(monitors: DiscoveredDocument["monitors"]): Map<string, string> {
  return new Map(
    Object.entries(monitors).flatMap(([ref, entry]) => {
      const faults = plainFaults({ monitors: { [ref]: entry } });
      return faults.map(({ message }) => [ref, message] as const);
    }),
  );
}

/** The entries whose pings this machine or a location can't send. Unknown locations are found later. */
async function refusedPings(
  tx: Tx,
  organization: number,
  monitors: ReadonlyMap<string, ParsedMonitor>,
): Promise<Fault[]> {
  const known = new Map<string, string | undefined>();
  const faults: Fault[] = [];
  for (const [ref, entry] of monitors) {
    if (!isPinged(entry.config)) continue;
    const place = JSON.stringify([entry.locations, entry.downWhen]);
    if (!known.has(place)) known.set(place, await refusalOf(tx, organization, entry));
    const message = known.get(place);
    if (message !== undefined) faults.push({ path: fieldOf("monitors", ref), message });
  }
  return faults;
}

async function refusalOf(tx: Tx, organization: number, entry: ParsedMonitor): Promise<string | undefined> {
  try {
    const monitor = { ...entry, config: entry.config as MonitorConfig };
    await assertCheckable(tx, await withStoredPlacements(tx, organization, [monitor]));
    return undefined;
  } catch (error) {
    if (error instanceof AppError) return error.message;
    throw error;
  }
}

function without({ gone, deleted, kept = [] }: Missing, refs: readonly string[]): Missing {
  const isMissing = (ref: string) => !refs.includes(ref);
  return { gone: gone.filter(isMissing), deleted: deleted.filter(isMissing), kept: [...kept, ...refs] };
}
