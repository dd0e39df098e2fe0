import type { Section } from "./document.ts";
import { kindOf } from "./plan.ts";
import { createRefNames } from "./ref-names.ts";
import type { StoredConfiguration } from "./stored-configuration.ts";

/** The ref of each object by its ID: the stored one, or one that is proposed. */
export type ProposedRefs = Record<Section, ReadonlyMap<string, string>>;

/** Proposes a ref for what has none, from its name (behavior 16.52): the same ones for the same objects. */
export function proposeRefs(stored: StoredConfiguration): ProposedRefs {
  return {
    channels: refsOf("channels", stored),
    monitors: refsOf("monitors", stored),
    maintenances: refsOf("maintenances", stored),
    pages: refsOf("pages", stored),
  };
}

function refsOf(section: Section, stored: StoredConfiguration): Map<string, string> {
  const objects: readonly Named[] = stored[section];
  const nameOf = createRefNames(
    kindOf[section],
    objects.flatMap(({ ref }) => ref ?? []),
  );
  return new Map(objects.map(({ id, ref, name, title }) => [id, ref ?? nameOf(name ?? title ?? "")]));
}

interface Named {
  id: string;
  ref: string | null;
  name?: string;
  title?: string;
}
