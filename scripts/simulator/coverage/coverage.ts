import type { Ledger } from "../ledger.ts";
import { type Coverage, sumOf } from "./counts.ts";
import { featurePairs } from "./feature-pairs.ts";
import { interruptionsOf } from "./interruptions.ts";
import { transitionsOf } from "./transitions.ts";
import type { Interruptions } from "./work.ts";

/** Counts all that one world did. */
export function coverageOf(ledger: Ledger, interruptions: Interruptions): Coverage {
  return sumOf([featurePairs(ledger), transitionsOf(ledger), interruptionsOf(ledger, interruptions)]);
}
