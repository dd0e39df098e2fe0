import { type Found, shownText } from "./found.ts";
import type { DiscoveryFault } from "./plan-discovery.ts";
import type { SourceName } from "./settings.ts";

/** A stored monitor that a source asked for. @property goneAt since when its source lacks it; null while it has it */
export interface DiscoveredMonitor {
  id: string;
  ref: string;
  name: string;
  goneAt: number | null;
}

/** The knowledge of discovery about an organization. Times are in milliseconds since 1970. */
export interface DiscoveryReport {
  /** @property readAt when it was last read; null before */
  sources: { source: SourceName; found: number; readAt: number | null; unwatched: number }[];
  /** @property monitorId null if it is no monitor, because it has a fault */
  entries: {
    source: SourceName;
    ref: string;
    name: string;
    monitorId: string | null;
    goneAt: number | null;
    deleteAt: number | null;
  }[];
  faults: DiscoveryFault[];
  unwatched: { source: SourceName; name: string; draft: object | null }[];
}

export const NO_DISCOVERY: DiscoveryReport = { sources: [], entries: [], faults: [], unwatched: [] };

/** @property found the things of its last read that succeeded @property readAt when that was */
interface KnownSource {
  found: readonly Found[];
  readAt: number | null;
  faults: readonly DiscoveryFault[];
}

/** @param deleteAt when a monitor will be deleted */
export function reportDiscovery(
  sources: ReadonlyMap<SourceName, KnownSource>,
  {
    stored,
    addresses,
    deleteAt,
  }: {
    stored: readonly DiscoveredMonitor[];
    /** Where monitors of the organization have a target. */
    addresses: ReadonlySet<string>;
    deleteAt: (monitor: DiscoveredMonitor) => number | null;
  },
): DiscoveryReport {
  const refs = new Set(stored.map(({ ref }) => ref));
  const report: DiscoveryReport = { sources: [], entries: [], faults: [], unwatched: [] };
  for (const [source, known] of sources) {
    const { found, readAt, faults } = known;
    const { count, unwatched } = judgeFound(found, { refs, addresses });
    report.sources.push({ source, found: count, readAt, unwatched: unwatched.length });
    report.unwatched.push(...unwatched.map(({ name, draft }) => ({ source, name, draft })));
    report.faults.push(...faults);
    const monitors = stored.filter(({ ref }) => ref.startsWith(`${source}/`));
    report.entries.push(
      ...monitors.map((monitor) => ({
        source,
        ref: monitor.ref,
        name: monitor.name,
        monitorId: monitor.id,
        goneAt: monitor.goneAt,
        deleteAt: deleteAt(monitor),
      })),
      ...entriesWithoutMonitor(known, refs).map((entry) => ({ source, ...entry, ...NO_MONITOR })),
    );
  }
  report.entries.sort((one, other) => (one.ref < other.ref ? -1 : 1));
  return report;
}

/** How many of the things that run are not excluded, and those among them that no monitor watches (behavior 28.83). */
function judgeFound(
  found: readonly Found[],
  { refs, addresses }: { refs: ReadonlySet<string>; addresses: ReadonlySet<string> },
): { count: number; unwatched: Found[] } {
  const running = found.filter(({ isRunning, isExcluded }) => isRunning && !isExcluded);
  const isWatched = (one: Found) =>
    one.entries.some(({ ref }) => refs.has(ref)) || one.addresses.some((address) => addresses.has(address));
  return { count: running.length, unwatched: running.filter((one) => !isWatched(one)) };
}

const NO_MONITOR = { monitorId: null, goneAt: null, deleteAt: null };

/** Entries with faults, and entries that no node has applied yet. */
function entriesWithoutMonitor({ found, faults }: KnownSource, refs: ReadonlySet<string>) {
  const entries = found.flatMap((one) => one.entries);
  const named = entries.map(({ ref, entry }) => [ref, nameIn(entry) ?? ref] as const);
  const wrong = faults.flatMap(({ source, entry = "" }) => (entry.startsWith(`${source}/`) ? [entry] : []));
  const all = new Map([...wrong.map((ref) => [ref, ref] as const), ...named]);
  return [...all].filter(([ref]) => !refs.has(ref)).map(([ref, name]) => ({ ref, name }));
}

/** The name of an entry, which may have a fault. */
function nameIn(entry: object): string | undefined {
  const { name } = entry as { name?: unknown };
  return typeof name === "string" ? shownText(name) : undefined;
}

/** Whether anything may be watched only by its address: else no address needs to be read. */
export function mayBeUnwatched(sources: Iterable<KnownSource>): boolean {
  return [...sources].some(({ found }) =>
    found.some(({ isRunning, isExcluded, addresses }) => isRunning && !isExcluded && addresses.length > 0),
  );
}
