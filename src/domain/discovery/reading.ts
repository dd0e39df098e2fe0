import { isObject, isSameJson } from "../canonical-json.ts";
import { type EntryFault, type Found, type Reading, SourceFault } from "./found.ts";

/** The most things of one source. */
export const MAX_FOUND = 10_000;

/**
 * The reading of a source, without contradictions. Equal entries of a ref are one monitor; unequal ones are a fault of it (behavior
 * 28.35). A ref with a fault is in no entry, so that its monitor stays as it is.
 */
export function settle(found: readonly Found[], faults: readonly EntryFault[]): Reading {
  const wrong = new Map(faults.map(({ entry = "", message }) => [entry, message]));
  const first = new Map<string, { entry: object; name: string }>();
  const unequal: EntryFault[] = [];
  for (const { name, entries } of found)
    for (const { ref, entry } of entries) {
      const known = first.get(ref);
      if (!known) first.set(ref, { entry, name });
      else if (!wrong.has(ref) && !isSameJson(known.entry, entry)) {
        const message = unequalMessage(known, { entry, name });
        wrong.set(ref, message);
        unequal.push({ entry: ref, message });
      }
    }
  return {
    found: found.map((one) => ({ ...one, entries: one.entries.filter(({ ref }) => !wrong.has(ref)) })),
    faults: [...faults, ...unequal],
  };
}

interface Named {
  entry: object;
  name: string;
}

function unequalMessage(one: Named, other: Named): string {
  const names = one.name === other.name ? `${one.name} twice` : `${one.name} and by ${other.name}`;
  const fields = differences(one.entry, other.entry, "");
  return `is described by ${names} with different values of ${fields.join(", ")}: all must be equal`;
}

/** The names of the fields that differ, at most a few; a config has fields of its own. */
function differences(one: object, other: object, at: string): string[] {
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  const [values, others] = [new Map(Object.entries(one)), new Map(Object.entries(other))];
  const different = names.filter((name) => !isSameJson(values.get(name) ?? null, others.get(name) ?? null));
  return different.slice(0, 5).flatMap((name) => {
    const [value, another] = [values.get(name), others.get(name)];
    const isConfig = at === "" && name === "config" && isObject(value) && isObject(another);
    return isConfig ? differences(value, another, "config.") : [`${at}${name}`];
  });
}

/** @throws SourceFault if there are too many */
export function assertFew(count: number, things: string): void {
  if (count > MAX_FOUND)
    throw new SourceFault(
      `there are ${count} ${things}: at most ${MAX_FOUND.toLocaleString("en")} can be read`,
    );
}

/** A map from text to text, such as labels; none is an empty one. @throws SourceFault if it is something else */
export function textsOf(value: unknown, at: string): ReadonlyMap<string, string> {
  if (value === undefined || value === null) return new Map();
  if (!isObject(value)) throw new SourceFault(`${at} must be an object with texts`);
  const texts = Object.entries(value).map(([name, text]) => {
    if (typeof text !== "string") throw new SourceFault(`${at} must be an object with texts`);
    return [name, text] as const;
  });
  return new Map(texts);
}

/** Whether a text is `false`; another text than `true` is a fault. */
export function enableOf(text: string | undefined): { isExcluded: boolean; fault?: string } {
  const word = text?.trim().toLowerCase() ?? "true";
  if (word === "true" || word === "false") return { isExcluded: word === "false" };
  return { isExcluded: false, fault: "must be true or false" };
}
