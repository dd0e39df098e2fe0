/*
 * One cause of many failures (behavior 22): the smallest set of shared facts without a counterexample.
 */

/** Kinds of facts of a probed monitor. Of facts that explain the same monitors, the first kind wins. */
export const FACT_KINDS = ["address", "certificate", "host", "network", "domain", "location", "tag"] as const;
export type FactKind = (typeof FACT_KINDS)[number];

/** Something that monitors share, and that fails with all of them. */
export interface Fact {
  kind: FactKind;
  value: string;
}

/** A monitor that got worse and has not recovered. Times are milliseconds since 1970. */
export interface Worse {
  monitorId: string;
  at: number;
  facts: readonly Fact[];
}

/** A monitor with a fact. @property checkedAt when its latest conclusive check began; null before the first one */
export interface Sharer {
  monitorId: string;
  isEnabled: boolean;
  isHealthy: boolean;
  checkedAt: number | null;
}

/** A fact that explains some failures. @property startedAt of the first of them */
export interface Cause extends Fact {
  startedAt: number;
  monitorIds: string[];
  /** How many monitors of the organization have the fact. */
  sharers: number;
}

/** @property pending monitors that decide about a fact, and have not been checked since the first failure */
interface Candidate extends Cause {
  pending: string[];
}

/** The fewest monitors that a cause explains. */
const FEWEST = 3;

/** They get worse within this time, in milliseconds. */
const WITHIN = 90_000;

/**
 * Finds what explains failures (behavior 22.21). Where no fact explains all, the facts that explain most do. The rest stays single.
 *
 * @param sharersOf the monitors with a fact, those that got worse too
 * @returns the causes, and the monitors to be checked before others can be known
 */
export function findCauses(
  worse: readonly Worse[],
  sharersOf: (fact: Fact) => readonly Sharer[],
): { causes: Cause[]; pending: string[] } {
  const left = new Map(worse.map((one) => [one.monitorId, one]));
  const causes: Cause[] = [];
  const pending = new Set<string>();
  let candidates = candidatesOf(left, sharersOf);
  while (candidates.length > 0) {
    const [{ pending: undecided, ...best }] = candidates.toSorted(byStrength) as [Candidate];
    if (undecided.length === 0) causes.push(best);
    for (const one of undecided) pending.add(one);
    for (const one of best.monitorIds) left.delete(one);
    candidates = candidatesOf(left, sharersOf);
  }
  return { causes, pending: [...pending].sort() };
}

/** The facts that enough failures share, and that nothing refutes. */
function candidatesOf(
  left: ReadonlyMap<string, Worse>,
  sharersOf: (fact: Fact) => readonly Sharer[],
): Candidate[] {
  const shared = Map.groupBy(
    [...left.values()].flatMap((one) => one.facts.map((fact) => ({ fact, one }))),
    ({ fact }) => keyOf(fact),
  );
  return [...shared.values()].flatMap((all) => {
    const failures = together(all.map(({ one }) => one));
    const [{ fact }] = all as [(typeof all)[number]];
    return failures.length < FEWEST ? [] : (candidateOf(fact, failures, sharersOf(fact)) ?? []);
  });
}

/** The first failures that are close enough to each other; none if they are too few. */
function together(failures: readonly Worse[]): Worse[] {
  const sorted = failures.toSorted(
    (one, other) => one.at - other.at || compare(one.monitorId, other.monitorId),
  );
  for (const [from, { at }] of sorted.entries()) {
    const close = sorted.slice(from).filter((one) => one.at - at <= WITHIN);
    if (close.length >= FEWEST) return close;
  }
  return [];
}

/** @param failures the first one first @returns null if a monitor refutes it */
function candidateOf(
  { kind, value }: Fact,
  failures: readonly Worse[],
  sharers: readonly Sharer[],
): Candidate | null {
  const [{ at: startedAt }] = failures as [Worse];
  const members = new Set(failures.map(({ monitorId }) => monitorId));
  const others = sharers.filter(({ monitorId, isEnabled }) => isEnabled && !members.has(monitorId));
  if (others.some((one) => isCounterexample(one, startedAt))) return null;
  const pending = others.filter(({ checkedAt }) => checkedAt === null || checkedAt <= startedAt);
  return {
    ...{ kind, value, startedAt, sharers: sharers.length },
    monitorIds: [...members],
    pending: pending.map(({ monitorId }) => monitorId),
  };
}

/** Whether a monitor shows that its fact explains nothing. @param startedAt of the first failure */
export function isCounterexample(
  { isEnabled, isHealthy, checkedAt }: Omit<Sharer, "monitorId">,
  startedAt: number,
): boolean {
  return isEnabled && isHealthy && checkedAt !== null && checkedAt > startedAt;
}

/** The fact that explains most; of equals that which fewest monitors share, then the order of the kinds. */
function byStrength(one: Candidate, other: Candidate): number {
  return (
    other.monitorIds.length - one.monitorIds.length ||
    one.sharers - other.sharers ||
    FACT_KINDS.indexOf(one.kind) - FACT_KINDS.indexOf(other.kind) ||
    compare(one.value, other.value)
  );
}

export function keyOf({ kind, value }: Fact): string {
  return `${kind} ${value}`;
}

function compare(one: string, other: string): number {
  return one < other ? -1 : Number(one > other);
}

/** @param value shown, such as the name of a certificate @param count of monitors */
export function titleOf(
  { kind, value }: Fact,
  count: number,
  { endsAfter, isOnlyLocation = false }: { endsAfter?: string | undefined; isOnlyLocation?: boolean } = {},
): string {
  const monitors = count === 1 ? "1 monitor" : `${count} monitors`;
  if (isOnlyLocation) return `${monitors}: everything checked from here`;
  const end = endsAfter === undefined ? "" : `; the path ends after ${endsAfter}`;
  return `${monitors} ${WORDS[kind]} ${value}${end}`;
}

const WORDS: Record<FactKind, string> = {
  address: "at",
  host: "at",
  network: "in",
  domain: "in",
  certificate: "with the certificate",
  tag: "tagged",
  location: "checked from",
};
