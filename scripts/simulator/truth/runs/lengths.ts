import type { Draw } from "../draw.ts";

const MINUTE = 60_000;

/** After so many runs, the limit is learned. */
const KNOWN_AFTER = 5;

/** How long the runs of a job take. */
export interface Lengths {
  /** The length of the next run that is as long as it may be: at most 1.5 times the longest of the last ones. Milliseconds. */
  next(): number;
  /** A run ended `ok` after this time. */
  ended(length: number): void;
  /** How long a run may take; null while it is unknown. */
  limit(): number | null;
}

/**
 * Lengths that are steady, drift, jump as far as they may, or have two sizes.
 *
 * @param typical milliseconds @param longest none is longer @param remembered how many of the last ones @param maxRunTime milliseconds, if it is configured
 */
export function createLengths(
  draw: Draw,
  {
    typical,
    longest,
    remembered,
    maxRunTime,
  }: { typical: number; longest: number; remembered: number; maxRunTime: number | undefined },
): Lengths {
  const kind = draw.pick(["steady", "drift", "jump", "two sizes"] as const);
  const spread = draw.spread(0.01, 0.3);
  const share = draw.spread(0.02, 0.3);
  const known: number[] = [];
  let center = typical;
  const lengths: Lengths = {
    next() {
      const limit = lengths.limit();
      const most = Math.min(limit ?? longest, longest);
      if (kind === "drift") center = within(center * draw.between(0.93, 1.08), typical / 4, typical * 4);
      // A limit becomes known while longer runs are open.
      if (limit === null) return Math.floor(Math.min(typical * draw.between(0.8, 1), most));
      const isJump = kind === "jump" && draw.chance(share);
      const isLarge = kind === "two sizes" && draw.chance(share);
      const wanted = isJump ? most : center * (isLarge ? 4 : 1) * draw.between(1 - spread, 1 + spread);
      return Math.max(1, Math.floor(Math.min(wanted, most)));
    },
    ended(length) {
      known.push(length);
      if (known.length > remembered) known.shift();
    },
    limit() {
      if (maxRunTime !== undefined) return maxRunTime;
      if (known.length < KNOWN_AFTER) return null;
      const most = Math.max(...known);
      return Math.max(1.5 * most, most + MINUTE);
    },
  };
  return lengths;
}

function within(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most);
}
