import { type Fault, FaultsError } from "../configuration/history.ts";
import type { ParsedDocument, ParsedMonitor } from "../configuration/parse-monitor.ts";
import type { ApplyPlan, Deletion, PlannedMonitor, Step } from "../configuration/plan.ts";
import { planApply } from "../configuration/plan-apply.ts";
import {
  byRef,
  type StoredConfiguration,
  type StoredMonitor,
} from "../configuration/stored-configuration.ts";
import { fieldOf } from "../schemas/field-name.ts";
import { type EntryFault, shownText } from "./found.ts";

/** A note about a monitor whose source lacks it. @property goneAt milliseconds since 1970 */
export interface GoneNote {
  goneAt: number;
  /** Whether it was enabled when it went: then it is enabled again when it comes back. */
  wasEnabled: boolean;
}

/**
 * Refs that the sources that could be read lack. @property deleted is deleted if it is noted as gone; the others are paused
 *
 * @property kept refs that a source has, without an entry because of a fault
 */
export interface Missing {
  gone: readonly string[];
  deleted: readonly string[];
  kept?: readonly string[];
}

/** The writes of an apply of a discovery. @property notes by ID of the monitor; null deletes one */
export interface DiscoveredPlan {
  plan: ApplyPlan;
  notes: ReadonlyMap<string, GoneNote | null>;
  /** The faults of entries that were left out: their monitors stay as they are. */
  faults: EntryFault[];
}

interface Given {
  missing: Missing;
  /** By ID of the monitor. */
  notes: ReadonlyMap<string, GoneNote>;
  now: number;
}

/**
 * Plans an apply of what the sources ask for (behavior 28.14 to 28.19): as a document without `prune`, except that an entry with faults is left
 * out, and that monitors of other refs may be paused or deleted. In steps, as `planApply`.
 *
 * @param parsed with the origin `discovery`
 * @throws FaultsError with faults that are of no entry; AppError `no_subscription`
 */
export function* planDiscovered(
  { document, faults: own }: { document: ParsedDocument; faults: readonly Fault[] },
  stored: StoredConfiguration,
  { missing, notes, now }: Given,
): Generator<void, DiscoveredPlan> {
  const known = byRef(stored.monitors);
  const all = [...document.refs.monitors];
  const faults = faultsByEntry(own, all);
  let monitors = withStates(without(document.monitors, faults), { known, notes });
  for (;;) {
    const refs = { ...document.refs, monitors: new Set(monitors.keys()) };
    const parsed = { document: { ...document, monitors, refs }, faults: [] };
    const wrong = yield* faultsOf(planApply(parsed, stored, { prune: "none", now, most: Infinity }));
    if ("plan" in wrong) {
      const gone = planMissing(missing, { asked: new Set(all), known, notes, now });
      const found = [...monitors.keys()].flatMap((ref) => known.get(ref)?.id ?? []);
      const leftOut = [...faults.keys(), ...(missing.kept ?? [])].flatMap((ref) => known.get(ref)?.id ?? []);
      return {
        plan: {
          ...wrong.plan,
          monitors: [...wrong.plan.monitors, ...gone.steps],
          deletions: gone.deletions,
        },
        notes: new Map([...gone.notes, ...notesAfter({ found, leftOut }, notes, now)]),
        faults: [...faults].map(([entry, message]) => ({ entry, message })),
      };
    }
    const more = faultsByEntry(wrong.error.faults, [...monitors.keys()]);
    for (const [ref, message] of more) faults.set(ref, message);
    monitors = without(monitors, more);
  }
}

function* faultsOf(
  planning: Generator<void, ApplyPlan>,
): Generator<void, { plan: ApplyPlan } | { error: FaultsError }> {
  try {
    return { plan: yield* planning };
  } catch (error) {
    if (error instanceof FaultsError) return { error };
    throw error;
  }
}

/** The first fault of each entry, by its ref. @throws FaultsError with the others, if there are some */
export function faultsByEntry(faults: readonly Fault[], refs: readonly string[]): Map<string, string> {
  const places = new Map(refs.map((ref) => [fieldOf("monitors", ref), ref]));
  const found = new Map<string, string>();
  const others: Fault[] = [];
  for (const fault of faults) {
    const [at = ""] = ENTRY.exec(fault.path) ?? [];
    const ref = places.get(at);
    if (ref === undefined) others.push(fault);
    else if (!found.has(ref)) found.set(ref, sentenceOf(fault, fault.path.slice(at.length)));
  }
  if (others.length > 0) throw new FaultsError(others);
  return found;
}

/** The path of an entry, whose ref has a slash. */
const ENTRY = /^monitors(\["(?:[^"\\]|\\.)*"\]|\.[\w-]+)/;

/** @param place what follows the path of the entry */
function sentenceOf({ message, got }: Fault, place: string): string {
  const field = place.replace(/^\./, "");
  return `${field && `${field} `}${message}${got === undefined ? "" : `, got ${shownText(JSON.stringify(got))}`}`;
}

function without<Value>(
  entries: ReadonlyMap<string, Value>,
  left: ReadonlyMap<string, unknown>,
): Map<string, Value> {
  return new Map([...entries].filter(([ref]) => !left.has(ref)));
}

interface Known {
  known: ReadonlyMap<string, StoredMonitor>;
  notes: ReadonlyMap<string, GoneNote>;
}

/** A monitor whose entry does not say whether it is enabled stays as it is; one that comes back is as it was before it went. */
function withStates(
  monitors: ReadonlyMap<string, ParsedMonitor>,
  { known, notes }: Known,
): Map<string, ParsedMonitor> {
  return new Map(
    [...monitors].map(([ref, entry]) => {
      const before = known.get(ref);
      if (!before || entry.given.includes("enabled")) return [ref, entry];
      const wasEnabled = notes.get(before.id)?.wasEnabled ?? false;
      return [ref, { ...entry, enabled: before.enabled || wasEnabled }];
    }),
  );
}

/** Pauses what is gone, notes it, and deletes what has been noted before. @property asked the refs of all entries: they are not missing */
function planMissing(
  { gone, deleted }: Missing,
  { asked, known, notes, now }: Known & { asked: ReadonlySet<string>; now: number },
): { steps: Step<PlannedMonitor>[]; deletions: Deletion[]; notes: Map<string, GoneNote> } {
  const missing = (refs: readonly string[]) =>
    refs.flatMap((ref) => (asked.has(ref) ? [] : (known.get(ref) ?? [])));
  const ended = missing(deleted).filter(({ id }) => notes.has(id));
  const ids = new Set(ended.map(({ id }) => id));
  const paused = missing(gone).filter(({ id }) => !ids.has(id));
  const noted = paused.filter(({ id, enabled }) => enabled || !notes.has(id));
  return {
    steps: paused.filter(({ enabled }) => enabled).map(pauseOf),
    deletions: ended.map(({ id, ref }) => ({ kind: "monitor", id, ref: ref ?? "" })),
    notes: new Map(noted.map(({ id, enabled }) => [id, noteOf(notes.get(id), { enabled, now })])),
  };
}

function noteOf(before: GoneNote | undefined, { enabled, now }: { enabled: boolean; now: number }): GoneNote {
  return { goneAt: before?.goneAt ?? now, wasEnabled: enabled || (before?.wasEnabled ?? false) };
}

/** Only `enabled` is written. */
function pauseOf({ ref, id, ...monitor }: StoredMonitor): Step<PlannedMonitor> {
  const values = {
    ...monitor,
    enabled: false,
    bindings: [],
    bindingsField: "alertBindings",
    given: [],
  } as const;
  return { ref: ref ?? "", id, fields: ["enabled"], values: { ...values, bindings: [], given: [] } };
}

/** A monitor that is found is no longer gone. Its entry may be left out: then it is there too, but keeps for its repair whether it was enabled. */
function notesAfter(
  { found, leftOut }: { found: readonly string[]; leftOut: readonly string[] },
  notes: ReadonlyMap<string, GoneNote>,
  now: number,
): [string, GoneNote | null][] {
  return [
    ...found.filter((id) => notes.has(id)).map((id): [string, null] => [id, null]),
    ...leftOut.flatMap((id): [string, GoneNote][] => {
      const note = notes.get(id);
      return note ? [[id, { ...note, goneAt: now }]] : [];
    }),
  ];
}
