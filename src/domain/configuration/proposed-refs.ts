import { SECTIONS, type Section } from "./document.ts";
import { kindOf } from "./plan.ts";
import { createRefNames } from "./ref-names.ts";
import type { StoredConfiguration } from "./stored-configuration.ts";

/** The ref of each object by its ID: the stored one, or one that is proposed. */
export type ProposedRefs = Record<Section, ReadonlyMap<string, string>>;

/** Proposes a ref for what has none, from its name (behavior 16.52): the same ones for the same objects. */
export function proposeRefs(stored: StoredConfiguration): ProposedRefs {
  const proposed = SECTIONS.map((section) => {
    const objects: readonly Named[] = stored[section];
    const nameOf = createRefNames(
      kindOf[section],
      objects.flatMap(({ ref }) => ref ?? []),
    );
    const refs = objects.map(
      (object) => [object.id, object.ref ?? nameOf(object.name ?? object.title ?? "")] as const,
    );
    return [section, new Map(refs)] as const;
  });
  return Object.fromEntries(proposed) as unknown as ProposedRefs;
}

interface Named {
  id: string;
  ref: string | null;
  name?: string;
  title?: string;
}
