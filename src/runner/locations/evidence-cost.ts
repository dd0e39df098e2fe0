import type { SentObservation } from "../../domain/locations/protocol.ts";

/** A digest is computed of each DNS record: of so many, that costs as much as to record an observation without any. */
const RECORDS = 10;

/** The cost of recording some observations, in that of a usual one (behavior 13.37). */
export function costOf(observations: readonly Pick<SentObservation, "evidence">[]): number {
  return observations.reduce((sum, { evidence }) => sum + 1 + Math.floor(recordsIn(evidence) / RECORDS), 0);
}

/** Counts before the evidence is validated, which has a cost too. */
function recordsIn(evidence: unknown): number {
  const lookups = Object(Object(evidence).answer).lookups;
  if (!Array.isArray(lookups)) return 0;
  return lookups.reduce((sum: number, lookup) => sum + lengthOf(Object(lookup).values), 0);
}

function lengthOf(value: unknown): number {
  return Array.isArray(value) ? value.length : 0;
}
