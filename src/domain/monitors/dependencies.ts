import { Type } from "@sinclair/typebox";
import { fault } from "../faults/fault.ts";

const MOST = 8;

/** Behavior 14.4. */
export const DependsOn = Type.Array(Type.String(), {
  description:
    `The IDs of up to ${MOST} monitors without which this one can't be up, such as the router in front of it: while ` +
    "one of them is down, the notifications of this one are muted.",
  examples: [["gwMk6bQBonMDcGzUMCvgWu"]],
});

/** Each once. @throws AppError `invalid` if there are too many */
export function uniqueDependencies(ids: readonly string[]): string[] {
  const unique = [...new Set(ids)];
  if (unique.length <= MOST) return unique;
  throw fault("different", { field: "dependsOn", count: MOST, got: unique.length });
}

/** The monitors that one depends on, or those that depend on it; directly or not. */
export const RELATIONS = ["dependencies", "dependents"] as const;
export type Relation = (typeof RELATIONS)[number];

/** The most related monitors that are listed, without the monitor itself. */
export const MAX_RELATED = 1000;

/** The monitors on which each monitor depends directly, all by their numbers. */
export type DependencyGraph = ReadonlyMap<number, readonly number[]>;

/**
 * Asserts that a monitor depends neither on itself nor on one that depends on it (behavior 14.4).
 *
 * @param graph of the organization, before the change
 * @param dependsOn in the order of the request
 * @throws AppError `invalid` that names the entry
 */
export function assertAcyclic(graph: DependencyGraph, monitor: number, dependsOn: readonly number[]): void {
  for (const [at, parent] of dependsOn.entries()) {
    if (parent === monitor) throw fault("dependsOnItself", { field: `dependsOn.${at}` });
    if (ancestorsOf(graph, parent).includes(monitor))
      throw fault("dependsInCircle", { field: `dependsOn.${at}` });
  }
}

/**
 * The monitors that a monitor depends on, directly or not, each once: the nearest first, and equally near ones in the order of
 * their numbers (behavior 14.10).
 */
export function ancestorsOf(graph: DependencyGraph, monitor: number): number[] {
  const found = new Set([monitor]);
  let level = [monitor];
  while (level.length > 0) {
    const next = new Set(level.flatMap((one) => graph.get(one) ?? []));
    level = [...next.difference(found)].toSorted((one, other) => one - other);
    for (const one of level) found.add(one);
  }
  found.delete(monitor);
  return [...found];
}
