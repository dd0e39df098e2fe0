import { kindOf } from "./plan.ts";
import type { Section, StoredConfiguration } from "./stored-configuration.ts";

const MAX_REF_LENGTH = 100;

/** Proposes the ref for a name: the same one for the same names in the same order, and each one once. */
export type RefNames = (name: string) => string;

/**
 * Refs for things of one kind that have only a name, such as `shop-front-2` for the second `Shop Front` (behavior 16.90).
 *
 * @param fallback the ref if a name has no letter and no digit of ASCII, such as `monitor`
 * @param taken refs that exist already
 */
export function createRefNames(fallback: string, taken: Iterable<string> = []): RefNames {
  const used = new Set(taken);
  /** By the ref without a number: the number that is tried next, so that many equal names are not slow. */
  const next = new Map<string, number>();
  return (name) => {
    const base = refOf(name) || fallback;
    let ref = base;
    let number = next.get(base) ?? 2;
    while (used.has(ref)) ref = numbered(base, number++);
    next.set(base, number);
    used.add(ref);
    return ref;
  };
}

function numbered(base: string, number: number): string {
  const end = `-${number}`;
  return withoutEdges(base.slice(0, MAX_REF_LENGTH - end.length)) + end;
}

/** Letters without their accents, in lower case, and a hyphen for all that a ref cannot have. Empty if nothing is left. */
function refOf(name: string): string {
  // A longer name is cut first: each step below reads it as a whole.
  const plain = name
    .slice(0, 4 * MAX_REF_LENGTH)
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "");
  const ref = plain
    .toLowerCase()
    .replaceAll("ß", "ss")
    .replaceAll(/[^a-z0-9._]+/g, "-");
  return withoutEdges(withoutEdges(ref).slice(0, MAX_REF_LENGTH));
}

function withoutEdges(ref: string): string {
  return ref.replace(/^[._-]+/, "").replace(/[._-]+$/, "");
}

/** The ref of each object by its ID: the stored ref, or a proposed ref. */
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
