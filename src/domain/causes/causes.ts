import type { Hop } from "../evidence/evidence.ts";

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

/**
 * A monitor with a fact.
 *
 * @property isHealthy what its latest conclusive check saw @property isSuspected whether that saw trouble that is not confirmed yet
 * @property checkedAt when that check began; null before the first one
 */
export interface Sharer {
  monitorId: string;
  isEnabled: boolean;
  isHealthy: boolean;
  isSuspected: boolean;
  checkedAt: number | null;
}

/** A fact that explains some failures. @property startedAt of the first of them */
export interface Cause extends Fact {
  startedAt: number;
  monitorIds: string[];
  /** How many monitors of the organization have the fact. */
  sharers: number;
}

/** A cause as outages and notifications show it. */
export interface ShownCause extends Fact {
  id: string;
  title: string;
}

/**
 * The parts of the title of a cause.
 *
 * @property value shown, such as the name of a certificate @property count of monitors
 */
export interface CauseWords extends Fact {
  count: number;
  endsAfter?: string | undefined;
  isOnlyLocation: boolean;
}

/** A cause as messages show it: those in another language than English have a title of their own (behavior 27.41). */
export interface NotifiedCause extends ShownCause {
  words?: CauseWords;
}

/**
 * @property pending monitors that decide about a fact, and have not been checked since the first failure
 * @property others how many more monitors may fail with the fact
 */
interface Candidate extends Cause {
  pending: string[];
  others: number;
}

/** The fewest monitors that a cause explains. */
export const FEWEST = 3;

/** So many failures with a fact may have one cause: the others with the fact are checked, and notifications wait for that. */
export const FEWEST_SUSPECTED = 2;

/** They get worse within this time, in milliseconds. */
export const WITHIN = 90_000;

/**
 * The causes of failures.
 *
 * @property pending the monitors to be checked before others can be known
 * @property undecided the failed monitors that may get a cause, as far as is known now
 */
export interface FoundCauses {
  causes: Cause[];
  pending: string[];
  undecided: string[];
}

/** The monitors with a fact, those that got worse too. */
export type SharersOf = (fact: Fact) => readonly Sharer[];

/** Finds what explains failures (behavior 22.21). Where no fact explains all, the facts that explain most do. The rest stays single. */
export function findCauses(worse: readonly Worse[], sharersOf: SharersOf): FoundCauses {
  const steps = findCausesInSteps(worse, sharersOf);
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** Like `findCauses`, in steps of a fact each: other work may run between them. */
export function* findCausesInSteps(
  worse: readonly Worse[],
  sharersOf: SharersOf,
): Generator<void, FoundCauses> {
  const left = new Map(worse.map((one) => [one.monitorId, one]));
  const shared = sharedFacts(worse);
  const found = yield* chooseInSteps({ shared, left, sharersOf, fewest: FEWEST });
  const suspected = yield* chooseInSteps({ shared, left, sharersOf, fewest: FEWEST_SUSPECTED });
  const causes = found.filter(({ pending }) => pending.length === 0);
  // If two failures share a fact with no third monitor, nothing more will be known.
  const open = [
    ...found.filter(({ pending }) => pending.length > 0),
    ...suspected.filter(({ others }) => others > 0),
  ];
  return {
    causes: causes.map(({ pending: _, others: __, ...cause }) => cause),
    pending: [...new Set(open.flatMap(({ pending }) => pending))].sort(),
    undecided: open.flatMap(({ monitorIds }) => monitorIds),
  };
}

interface Choice {
  shared: ReadonlyMap<string, Shared>;
  /** Loses the failures that the chosen facts explain. */
  left: Map<string, Worse>;
  sharersOf: SharersOf;
  fewest: number;
}

/** Chooses the fact that explains most failures, then that which explains most of the others, while one explains enough. */
function* chooseInSteps(choice: Choice): Generator<void, Candidate[]> {
  const { shared, left } = choice;
  const candidates = new Map<string, Candidate>();
  let changed: Iterable<string> = shared.keys();
  const chosen: Candidate[] = [];
  for (;;) {
    for (const key of changed) {
      const candidate = candidateOf(shared.get(key), choice);
      if (candidate) candidates.set(key, candidate);
      else candidates.delete(key);
      yield;
    }
    const [first, ...others] = candidates.values();
    if (!first) return chosen;
    const best = others.reduce((best, one) => (byStrength(one, best) < 0 ? one : best), first);
    chosen.push(best);
    const facts = best.monitorIds.flatMap((one) => left.get(one)?.facts ?? []);
    for (const one of best.monitorIds) left.delete(one);
    changed = new Set(facts.map(keyOf));
  }
}

interface Shared {
  fact: Fact;
  /** The first one first. */
  failures: Worse[];
}

/** The failures with each fact, by its key. */
function sharedFacts(worse: readonly Worse[]): Map<string, Shared> {
  const shared = new Map<string, Shared>();
  const sorted = worse.toSorted((one, other) => one.at - other.at || compare(one.monitorId, other.monitorId));
  for (const one of sorted)
    for (const fact of one.facts) {
      const key = keyOf(fact);
      const known = shared.get(key);
      if (known) known.failures.push(one);
      else shared.set(key, { fact, failures: [one] });
    }
  return shared;
}

/** @returns null if too few of the failures that are left share the fact, or a monitor refutes it */
function candidateOf(
  shared: Shared | undefined,
  { left, sharersOf, fewest }: Omit<Choice, "shared">,
): Candidate | null {
  if (!shared || shared.failures.length < fewest) return null;
  const present = shared.failures.filter(({ monitorId }) => left.has(monitorId));
  const failures = together(present, fewest);
  return failures.length < fewest ? null : candidateFor(shared.fact, failures, sharersOf(shared.fact));
}

/** The first failures that are close enough to each other; none if they are too few. @param sorted the first one first */
function together(sorted: readonly Worse[], fewest: number): readonly Worse[] {
  for (let from = 0; from + fewest <= sorted.length; from++) {
    const until = Number(sorted[from]?.at) + WITHIN;
    if (Number(sorted[from + fewest - 1]?.at) > until) continue;
    const end = sorted.findLastIndex(({ at }) => at <= until);
    return sorted.slice(from, end + 1);
  }
  return [];
}

/** @param failures the first one first @returns null if a monitor refutes it */
function candidateFor(
  { kind, value }: Fact,
  failures: readonly Worse[],
  sharers: readonly Sharer[],
): Candidate | null {
  const [{ at: startedAt }] = failures as [Worse];
  const members = new Set(failures.map(({ monitorId }) => monitorId));
  const pending: string[] = [];
  let suspected = 0;
  // Most large facts are refuted by one of the first monitors.
  for (const one of sharers) {
    if (!one.isEnabled || members.has(one.monitorId)) continue;
    if (isCounterexample(one, startedAt)) return null;
    if (one.checkedAt === null || one.checkedAt <= startedAt) pending.push(one.monitorId);
    else if (one.isSuspected) suspected++;
  }
  const others = pending.length + suspected;
  return {
    ...{ kind, value, startedAt, sharers: sharers.length, others },
    monitorIds: [...members],
    pending,
  };
}

/** Whether a monitor shows that its fact explains nothing. @param startedAt of the first failure */
export function isCounterexample(
  { isEnabled, isHealthy, checkedAt }: Pick<Sharer, "isEnabled" | "isHealthy" | "checkedAt">,
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

export function titleOf({ kind, value, count, endsAfter, isOnlyLocation }: CauseWords): string {
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

/** The router after which all paths end, as its address; null if they have none in common (behavior 22.24). */
export function commonEnd(paths: readonly (readonly Pick<Hop, "address">[])[]): string | null {
  const ends = new Set(
    paths.map((path) => path.findLast(({ address }) => address !== null)?.address ?? null),
  );
  const [end = null] = ends.size === 1 ? ends : [];
  return end;
}
