import { Type } from "@sinclair/typebox";
import { AppError } from "../../errors.ts";

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
  throw new AppError("invalid", `dependsOn must be at most ${MOST} different ones, got ${unique.length}`);
}

/** The monitors on which each monitor depends directly, by any kind of key. */
export type DependencyGraph<Key> = ReadonlyMap<Key, readonly Key[]>;

/**
 * Asserts that a monitor depends neither on itself nor on one that depends on it (behavior 14.4).
 *
 * @param graph of the organization, before the change
 * @param dependsOn in the order of the request
 * @throws AppError `invalid` that names the entry
 */
export function assertAcyclic<Key>(
  graph: DependencyGraph<Key>,
  monitor: Key,
  dependsOn: readonly Key[],
): void {
  for (const [at, parent] of dependsOn.entries()) {
    if (parent === monitor) throw new AppError("invalid", `dependsOn.${at} must be another monitor`);
    if (ancestorsOf(graph, parent).has(monitor))
      throw new AppError("invalid", `dependsOn.${at} must not depend on this monitor itself`);
  }
}

/** All monitors that a monitor depends on, directly or not. */
function ancestorsOf<Key>(graph: DependencyGraph<Key>, monitor: Key): Set<Key> {
  const found = new Set<Key>();
  const waiting = [...(graph.get(monitor) ?? [])];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (found.has(next)) continue;
    found.add(next);
    waiting.push(...(graph.get(next) ?? []));
  }
  return found;
}
