import type { SeedOptions } from "../run-seed.ts";

/** A rule of the product that is replaced by a wrong one, to show that seeds find it. */
export interface DeliberateFault {
  name: string;
  /** The parts between which it lies. */
  seam: string;
  /** The behavior of a product with this fault. */
  effect: string;
  /** @property file below `src` @property from text that occurs in it once */
  edits: { file: string; from: string; to: string }[];
  /** The world whose seeds find it. */
  world: SeedOptions;
  /** The first seed that finds it, and the rule that it then breaks. Null: no seed has found it yet. */
  caughtBy: { seed: number; rule: string } | null;
}
