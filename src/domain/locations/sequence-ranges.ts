/** The numbers from the first to the last, both included. */
export type SequenceRange = [from: number, to: number];

/**
 * The sequences of the observations that were taken from a probe, so that sending one again is harmless (behavior 13.18):
 * ascending ranges with gaps between them, stored as JSON.
 */
export type SequenceRanges = readonly SequenceRange[];

/** There are few gaps: where a probe dropped observations, and before its backlog is sent. */
const MOST_RANGES = 1000;

export function contains(ranges: SequenceRanges, sequence: number): boolean {
  return ranges.some(([from, to]) => from <= sequence && sequence <= to);
}

/** If there are too many ranges, the two with the lowest numbers become one: what is between them counts as taken. */
export function add(ranges: SequenceRanges, sequence: number): SequenceRanges {
  const before = ranges.filter(([, to]) => to < sequence - 1);
  const after = ranges.filter(([from]) => from > sequence + 1);
  const touching = ranges.slice(before.length, ranges.length - after.length);
  const joined = join([...touching, [sequence, sequence]]);
  const [first, second, ...others] = [...before, joined, ...after];
  return first && second && others.length > MOST_RANGES - 2
    ? [join([first, second]), ...others]
    : [...before, joined, ...after];
}

function join(ranges: SequenceRanges): SequenceRange {
  return [Math.min(...ranges.map(([from]) => from)), Math.max(...ranges.map(([, to]) => to))];
}
