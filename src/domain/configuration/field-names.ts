import { isSameJson } from "../canonical-json.ts";

/*
 * The names of the fields of an entry, as an apply reports them: the fields of a config one by one, such as `config.url`.
 */

/** The fields that an entry gives. */
export function givenFieldsOf(entry: object): string[] {
  return Object.entries(entry).flatMap(([name, value]) => {
    if (value === undefined) return [];
    return name === "config" ? Object.keys(value).map((field) => `config.${field}`) : [name];
  });
}

/** The fields whose values differ, in the order of `after`. @param before the fields under the names of `after` */
export function changedFieldsOf<Fields extends object>(before: Fields, after: Fields): string[] {
  return (Object.keys(after) as (keyof Fields & string)[]).flatMap((name) => {
    const [previous, next] = [before[name], after[name]];
    if (isSameJson(previous, next)) return [];
    return name === "config" ? changedConfigFields(previous as object, next as object) : [name];
  });
}

function changedConfigFields(before: object, after: object): string[] {
  const [previous, next] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
  const names = [...new Set([...next.keys(), ...previous.keys()])];
  return names
    .filter((name) => !isSameJson(previous.get(name), next.get(name)))
    .map((name) => `config.${name}`);
}

/** The fields of the API that contain some fields, each once: `config` for `config.url`. @param others further ones */
export function apiFieldsOf(fields: readonly string[], ...others: string[]): string[] {
  return [...new Set([...others, ...fields.map((field) => field.split(".")[0] ?? field)])];
}

/** The values of some fields, under the names of the API. */
export function only<Values extends object>(fields: readonly string[], values: Values): Partial<Values> {
  const names = new Set(apiFieldsOf(fields));
  return Object.fromEntries(Object.entries(values).filter(([name]) => names.has(name))) as Partial<Values>;
}
