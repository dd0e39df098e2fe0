export function median(values: number[]): number {
  return quantile(values, 0.5);
}

/** @param share 0 to 1 */
export function quantile(values: number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** The median, minimum and maximum of some runs. */
export function spread(values: number[], digits = 0): string {
  const [middle, least, most] = [median(values), Math.min(...values), Math.max(...values)];
  return `${middle.toFixed(digits)} (${least.toFixed(digits)} to ${most.toFixed(digits)})`;
}

/**
 * The order in which subjects are measured in a round, which has a number from 0 on. Each second round is reversed: a subject that is
 * measured later in a round was a tenth slower.
 */
export function inTurn<Subject>(subjects: readonly Subject[], round: number): readonly Subject[] {
  return round % 2 === 0 ? subjects : subjects.toReversed();
}

/** p50, p99 and maximum of some values. */
export function quantiles(values: number[], digits = 2): string {
  const shown = [quantile(values, 0.5), quantile(values, 0.99), quantile(values, 1)];
  const [p50, p99, most] = shown.map((value) => value.toFixed(digits));
  return `p50 ${p50} ms, p99 ${p99} ms, max ${most} ms (n = ${values.length})`;
}
