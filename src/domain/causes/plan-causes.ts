import {
  type Cause,
  FACT_KINDS,
  type Fact,
  findCausesInSteps,
  isCounterexample,
  keyOf,
  type SharersOf,
  type Worse,
} from "./causes.ts";

/** An open outage of a monitor, since the monitor last got worse. @property causePk of its open cause; null without one */
export interface Trouble {
  outagePk: number;
  monitorId: string;
  at: number;
  causePk: number | null;
}

/** @property monitorIds of its members, those that have recovered too */
export interface OpenCause extends Fact {
  pk: number;
  startedAt: number;
  monitorIds: readonly string[];
}

/** The changes of causes. Causes and outages are named by their numbers. */
export interface CausePlan {
  refuted: number[];
  joined: { causePk: number; outagePk: number }[];
  opened: (Fact & Pick<Cause, "startedAt"> & { outagePks: number[] })[];
  /** The monitors that are to be checked before more is known. */
  pending: string[];
  /** The outages that may get a cause, as far as is known now. */
  undecided: number[];
}

/** @property since older troubles without a cause stay so; milliseconds since 1970 */
export interface CauseSituation {
  troubles: readonly Trouble[];
  open: readonly OpenCause[];
  factsOf: (monitorId: string) => readonly Fact[];
  sharersOf: SharersOf;
  since: number;
}

/** Plans how causes change (behavior 22.21 to 22.23), in steps: other work may run between them. */
export function* planCauses({
  troubles,
  open,
  factsOf,
  sharersOf,
  since,
}: CauseSituation): Generator<void, CausePlan> {
  const [refuted, lasting] = split(open, (cause) => isRefuted(cause, sharersOf));
  const gone = new Set(refuted.map(({ pk }) => pk));
  const byStrength = lasting.toSorted(
    (one, other) =>
      other.monitorIds.length - one.monitorIds.length ||
      FACT_KINDS.indexOf(one.kind) - FACT_KINDS.indexOf(other.kind),
  );
  const joined: CausePlan["joined"] = [];
  const single = new Map<string, Trouble & Worse>();
  for (const trouble of troubles) {
    if (trouble.causePk !== null && !gone.has(trouble.causePk)) continue;
    const facts = factsOf(trouble.monitorId);
    const keys = new Set(facts.map(keyOf));
    const cause = byStrength.find((one) => trouble.at >= one.startedAt && keys.has(keyOf(one)));
    if (cause) joined.push({ causePk: cause.pk, outagePk: trouble.outagePk });
    else if (trouble.at >= since) single.set(trouble.monitorId, { ...trouble, facts });
    yield;
  }
  const { causes, pending, undecided } = yield* findCausesInSteps([...single.values()], sharersOf);
  const outagesOf = (ids: readonly string[]) => ids.flatMap((id) => single.get(id)?.outagePk ?? []);
  const opened = causes.map(({ kind, value, startedAt, monitorIds }) => {
    return { kind, value, startedAt, outagePks: outagesOf(monitorIds) };
  });
  return { refuted: [...gone], joined, opened, pending, undecided: outagesOf(undecided) };
}

function isRefuted(cause: OpenCause, sharersOf: SharersOf): boolean {
  const members = new Set(cause.monitorIds);
  return sharersOf(cause).some(
    (one) => !members.has(one.monitorId) && isCounterexample(one, cause.startedAt),
  );
}

function split<Item>(items: readonly Item[], isFirst: (item: Item) => boolean): [Item[], Item[]] {
  const { first = [], second = [] } = Object.groupBy(items, (item) => (isFirst(item) ? "first" : "second"));
  return [first, second];
}
