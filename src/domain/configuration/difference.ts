import { isSameJson } from "../canonical-json.ts";
import { changedConfigFields } from "./given-fields.ts";

/**
 * The names of the fields whose values differ, in the order of `after`; those of a config one by one: `config.url`.
 *
 * @param before the fields under the names of `after`
 */
export function changedFieldsOf<Fields extends object>(before: Fields, after: Fields): string[] {
  return (Object.keys(after) as (keyof Fields & string)[]).flatMap((name) => {
    const [previous, next] = [before[name], after[name]];
    if (isSameJson(previous, next)) return [];
    return name === "config" ? changedConfigFields(previous as object, next as object) : [name];
  });
}
