import type { EntryFault, Reading } from "./found.ts";
import { SOURCE_NAMES, type SourceName } from "./settings.ts";

/** A fault of a source, or of one of its entries. The message has no secrets. */
export interface DiscoveryFault extends EntryFault {
  source: SourceName;
}

/** A stored monitor that a source asked for. @property goneAt since when its source lacks it; null while it has it */
interface KnownMonitor {
  ref: string;
  goneAt: number | null;
}

/** The changes that follow from sources that could be read. Monitors of other sources, and of no source, are never in it. */
export interface DiscoveryPlan {
  /** The entries of a document, by ref. */
  monitors: Record<string, object>;
  missing: {
    /** Refs of monitors to note as gone, and to pause. */
    gone: string[];
    /** Refs of monitors to delete. */
    deleted: string[];
    /** Refs that are there without an entry, because of a fault. */
    kept: string[];
  };
  faults: DiscoveryFault[];
}

/** How long a process must at least have seen something as gone before it deletes history, in milliseconds (behavior 28.75). */
const SEEN_FOR = 600_000;

/** @property monotonic milliseconds of a clock that does not count the time in which this machine was off */
interface Times {
  now: number;
  monotonic: number;
}

interface Given extends Times {
  /** The readings of the sources that could be read. */
  readings: ReadonlyMap<SourceName, Reading>;
  /** The monitors of all sources. */
  stored: readonly KnownMonitor[];
  /** Milliseconds. */
  grace: number;
  /** Until when this process must see each ref as gone: see `seenGone`. */
  seen: ReadonlyMap<string, number>;
}

/** Compares what sources found with what is stored (behavior 28.71 to 28.75). */
export function planDiscovery(given: Given): DiscoveryPlan {
  const readings = [...given.readings];
  const entries = readings.flatMap(([, { found }]) => found.flatMap((one) => one.entries));
  const missing = missingOf(given);
  const isOver = (monitor: KnownMonitor) =>
    (deleteAtOf(monitor, given) ?? Number.POSITIVE_INFINITY) <= given.now;
  return {
    monitors: Object.fromEntries(entries.map(({ ref, entry }) => [ref, entry])),
    missing: {
      gone: missing.filter((monitor) => !isOver(monitor)).map(({ ref }) => ref),
      deleted: missing.filter(isOver).map(({ ref }) => ref),
      kept: readings.flatMap(([source, { faults }]) => refsWithFaults(source, faults)),
    },
    faults: readings.flatMap(([source, { faults }]) => faults.map((fault) => ({ source, ...fault }))),
  };
}

/**
 * Until when this process must see refs as gone before it deletes their monitors, in monotonic milliseconds, after sources were read. A
 * source that can't be read shows nothing as gone: its refs are counted from the next time on.
 *
 * @property asked the sources that were to be read
 */
export function seenGone({ asked, ...given }: Given & { asked: readonly SourceName[] }): Map<string, number> {
  const { seen } = given;
  const kept = [...seen].filter(([ref]) => !asked.some((source) => isOf(source, ref)));
  const gone = missingOf(given).map((monitor) => [monitor.ref, seenUntil(monitor, given)] as const);
  return new Map([...kept, ...gone]);
}

/** The rest of grace, from when a process first sees something as gone, is counted by the clock that nobody sets. */
function seenUntil(
  { ref, goneAt }: KnownMonitor,
  { now, monotonic, grace, seen }: Times & Pick<Given, "grace" | "seen">,
): number {
  const left = (goneAt ?? now) + grace - now;
  return seen.get(ref) ?? monotonic + Math.min(grace, Math.max(left, SEEN_FOR));
}

/** When a monitor is deleted, in milliseconds since 1970; null while it is there. */
export function deleteAtOf(
  monitor: KnownMonitor,
  given: Times & Pick<Given, "grace" | "seen">,
): number | null {
  const { goneAt } = monitor;
  if (goneAt === null) return null;
  // A process that has not seen it as gone begins to count now at the earliest.
  const left = seenUntil(monitor, given) - given.monotonic;
  return Math.ceil(Math.max(goneAt + given.grace, given.now + left));
}

export function sourceOf(ref: string): SourceName | undefined {
  return SOURCE_NAMES.find((source) => isOf(source, ref));
}

function isOf(source: SourceName, ref: string): boolean {
  return ref.startsWith(`${source}/`);
}

/** The monitors of the sources that were read whose ref these lack. */
function missingOf({ readings, stored }: Pick<Given, "readings" | "stored">): KnownMonitor[] {
  const refs = new Set([...readings].flatMap(([source, reading]) => refsIn(source, reading)));
  const sources = [...readings.keys()];
  return stored.filter(({ ref }) => !refs.has(ref) && sources.some((source) => isOf(source, ref)));
}

/** A fault of an entry says that it is there. */
function refsIn(source: SourceName, { found, faults }: Reading): string[] {
  return [
    ...found.flatMap(({ entries }) => entries.map(({ ref }) => ref)),
    ...refsWithFaults(source, faults),
  ];
}

function refsWithFaults(source: SourceName, faults: readonly EntryFault[]): string[] {
  return faults.flatMap(({ entry = "" }) => (isOf(source, entry) ? [entry] : []));
}
