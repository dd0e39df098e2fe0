import { isSameJson } from "../canonical-json.ts";

/** The names of the fields of an entry, those of its config one by one: `config.url`. */
export function givenFieldsOf(entry: object): string[] {
  return Object.entries(entry).flatMap(([name, value]) => {
    if (value === undefined) return [];
    return name === "config" ? Object.keys(value).map((field) => `config.${field}`) : [name];
  });
}

/** The names of the fields of a config whose values differ, with `config.` in front. */
export function changedConfigFields(before: object, after: object): string[] {
  const [previous, next] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
  const names = [...new Set([...next.keys(), ...previous.keys()])];
  return names
    .filter((name) => !isSameJson(previous.get(name), next.get(name)))
    .map((name) => `config.${name}`);
}
