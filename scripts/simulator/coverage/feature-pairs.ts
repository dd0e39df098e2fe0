import type { Ledger } from "../ledger.ts";
import { maintenanceRuns } from "../oracle/calm/windows.ts";
import type { Stretch } from "../oracle/own-faults.ts";
import { type Coverage, counted } from "./counts.ts";
import { FEATURES, type Feature, featuresOf, type Group } from "./features.ts";

const GROUPS = Object.entries(FEATURES) as [Group, readonly Feature[]][];

/** Each pair of features of two groups, in the order of `FEATURES`. */
export const PAIRS: readonly [Feature, Feature][] = GROUPS.flatMap(([, own], place) =>
  own.flatMap((one) =>
    GROUPS.slice(place + 1).flatMap(([, others]) => others.map((other): [Feature, Feature] => [one, other])),
  ),
);

export function pairName([one, other]: readonly [Feature, Feature]): string {
  return `together: ${one} + ${other}`;
}

/** The pairs of features that monitors had at the same time; by the number of monitors. */
export function featurePairs(ledger: Ledger): Coverage {
  const runs = maintenanceRuns(ledger);
  return counted(
    ledger.scenario.monitors.flatMap((monitor) => {
      const spans = featuresOf(monitor, ledger, runs);
      return PAIRS.filter(([one, other]) => overlap(spans.get(one), spans.get(other))).map(pairName);
    }),
  );
}

function overlap(some: readonly Stretch[] = [], others: readonly Stretch[] = []): boolean {
  return some.some(({ from, to }) => others.some((other) => other.from <= to && other.to >= from));
}
