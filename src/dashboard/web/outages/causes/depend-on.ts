import type { FactKind } from "../../../../domain/causes/causes.ts";
import { kindOf, type MonitorKind } from "../../../../domain/monitors/kinds/kinds.ts";
import type { MonitorSummary } from "../../data/api.ts";

/** The kinds of monitors that are nearest to a fact: one of them is suggested as the dependency of the others. */
const nearest: Record<FactKind, readonly MonitorKind[]> = {
  address: ["PING", "TCP"],
  host: ["PING", "TCP"],
  network: ["PING", "TCP"],
  certificate: ["TLS"],
  domain: ["DNS", "PING"],
  location: ["PING", "TCP"],
  tag: ["PING", "TCP"],
};

type Member = Pick<MonitorSummary, "id" | "name" | "type" | "dependsOn"> & { config: object };

/** The monitor on which the others of a cause most probably depend. Undefined without monitors. */
export function suggestDependency<One extends Pick<Member, "type" | "config">>(
  kind: FactKind,
  monitors: readonly One[],
): One | undefined {
  const rank = ({ type, config }: One) => {
    const at = nearest[kind].indexOf(kindOf(type, config));
    return at < 0 ? nearest[kind].length : at;
  };
  return monitors.toSorted((one, other) => rank(one) - rank(other))[0];
}

/** @property before the IDs of the monitors that it depends on now */
export interface PlannedDependency {
  id: string;
  name: string;
  before: string[];
  after: string[];
}

/**
 * Plans that the monitors of a cause depend on one of them.
 *
 * @param ancestors the IDs of the monitors that this one depends on, directly or not: with them, the dependencies would be a circle
 * @returns `skipped` has the monitors of such a circle; those that depend on it already are in neither list
 */
export function planDependencies(
  parent: string,
  members: readonly Member[],
  ancestors: ReadonlySet<string>,
): { changes: PlannedDependency[]; skipped: Member[] } {
  const others = members.filter(({ id, dependsOn }) => id !== parent && !dependsOn.includes(parent));
  const [skipped = [], free = []] = [true, false].map((isAncestor) =>
    others.filter(({ id }) => ancestors.has(id) === isAncestor),
  );
  const changes = free.map(({ id, name, dependsOn }) => ({
    id,
    name,
    before: dependsOn,
    after: [...dependsOn, parent],
  }));
  return { changes, skipped };
}
