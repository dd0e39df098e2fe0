import type { Status } from "../../../../domain/monitors/status.ts";

/** The parts of a monitor that the graph shows. */
export interface GraphMonitor {
  id: string;
  name: string;
  status: Status;
  enabled: boolean;
  dependsOn: readonly string[];
}

/** @property distance from the monitor in the middle: negative for those that it depends on */
interface GraphColumn {
  distance: number;
  monitors: GraphMonitor[];
  /** How many more are not shown. */
  hidden: number;
}

export interface Graph {
  /** From the most distant monitors that it depends on, to the most distant ones that depend on it. */
  columns: GraphColumn[];
  /** How many are not shown because they are too distant. */
  tooDistant: { dependsOn: number; dependents: number };
}

const MAX_IN_COLUMN = 6;
const MAX_COLUMNS = 3;

/**
 * The monitors that a monitor depends on and its dependents, directly or not. Null if there are none. Each monitor is in
 * the column of its longest path, so that no line is within a column.
 */
export function graphAround(id: string, monitors: readonly GraphMonitor[]): Graph | null {
  const known = new Map(monitors.map((one) => [one.id, one]));
  const center = known.get(id);
  if (!center) return null;
  const parentsOf = (one: GraphMonitor) => one.dependsOn.flatMap((parent) => known.get(parent) ?? []);
  const childrenById = childrenOfEach(monitors);
  const childrenOf = (one: GraphMonitor) => childrenById.get(one.id) ?? [];
  const before = distances(center, parentsOf);
  const after = distances(center, childrenOf);
  if (before.size + after.size === 0) return null;
  const left = columnsOf(before);
  const right = columnsOf(after);
  const middle = { distance: 0, monitors: [center], hidden: 0 };
  return {
    columns: [
      ...left.shown.map((column) => ({ ...column, distance: -column.distance })).toReversed(),
      middle,
      ...right.shown,
    ],
    tooDistant: { dependsOn: left.tooDistant, dependents: right.tooDistant },
  };
}

function childrenOfEach(monitors: readonly GraphMonitor[]): Map<string, GraphMonitor[]> {
  const pairs = monitors.flatMap((child) => child.dependsOn.map((parent) => ({ parent, child })));
  const byParent = Map.groupBy(pairs, ({ parent }) => parent);
  return new Map([...byParent].map(([parent, found]) => [parent, found.map(({ child }) => child)]));
}

/** The length of the longest way to each monitor that can be reached. The server refuses cycles; the limit is for safety. */
function distances(
  from: GraphMonitor,
  next: (one: GraphMonitor) => GraphMonitor[],
): Map<GraphMonitor, number> {
  const found = new Map<GraphMonitor, number>();
  let last = new Set([from]);
  for (let distance = 1; last.size > 0 && distance <= MAX_DISTANT; distance++) {
    last = new Set([...last].flatMap(next));
    for (const one of last) found.set(one, distance);
  }
  found.delete(from);
  return found;
}

const MAX_DISTANT = 100;

function columnsOf(found: Map<GraphMonitor, number>) {
  const shown: GraphColumn[] = [];
  let tooDistant = 0;
  for (const [distance, entries] of Map.groupBy(found, ([, distance]) => distance)) {
    const all = entries.map(([monitor]) => monitor);
    const monitors = all.slice(0, MAX_IN_COLUMN);
    if (distance > MAX_COLUMNS) tooDistant += all.length;
    else shown.push({ distance, monitors, hidden: all.length - monitors.length });
  }
  return { shown: shown.sort((a, b) => a.distance - b.distance), tooDistant };
}

/**
 * The names of the monitors that mute others while nobody is notified of themselves, because no enabled channel is bound to them
 * (behavior 14.96).
 *
 * @param parents the IDs of the monitors that a monitor depends on directly
 * @param monitors those, and all that they depend on
 */
export function silentParents(parents: readonly string[], monitors: readonly Dependent[]): string[] {
  const known = new Map(monitors.map((one) => [one.id, one]));
  // It grows while it is walked.
  const ids = new Set(parents);
  for (const id of ids) for (const next of known.get(id)?.dependsOn ?? []) ids.add(next);
  return [...known.values()]
    .filter(({ id, isNotified }) => ids.has(id) && !isNotified)
    .map(({ name }) => name);
}

interface Dependent {
  id: string;
  name: string;
  dependsOn: readonly string[];
  /** Whether an enabled channel is bound to it. */
  isNotified: boolean;
}
