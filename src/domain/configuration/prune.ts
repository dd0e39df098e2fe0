import { SECTIONS, type Section } from "./document.ts";
import type { Fault } from "./fault.ts";
import type { ParsedDocument } from "./parsed-document.ts";
import { type Deletion, kindOf, type PruneMode } from "./plan.ts";
import type { StoredConfiguration } from "./stored-configuration.ts";

/** From this number of objects of a kind, not more than a fifth of them is deleted (behavior 16.34). */
const BRAKED_FROM = 10;
const FIFTH = 5;

/** In the order of their deletion: what names other objects first. */
const sections = SECTIONS.toReversed();

/** The stored objects with a ref that a document lacks, and a fault for each kind of which there are too many. */
export function planDeletions(
  { refs }: ParsedDocument,
  stored: StoredConfiguration,
  prune: PruneMode,
): { deletions: Deletion[]; faults: Fault[] } {
  const [deletions, faults]: [Deletion[], Fault[]] = [[], []];
  if (prune === "none") return { deletions, faults };
  for (const section of sections) {
    const kind = kindOf[section];
    const named = stored[section].flatMap(({ id, ref }) => (ref === null ? [] : [{ kind, id, ref }]));
    const missing = named.filter(({ ref }) => !refs[section].has(ref));
    deletions.push(...missing);
    const isBraked = prune === "some" && named.length >= BRAKED_FROM;
    if (isBraked && missing.length * FIFTH > named.length)
      faults.push(tooMany(section, missing.length, named.length));
  }
  return { deletions, faults };
}

function tooMany(section: Section, missing: number, all: number): Fault {
  const why = "more than a fifth of them is deleted only with prune=all";
  return { path: section, message: `lacks ${missing} of the ${all} that have a ref: ${why}` };
}
