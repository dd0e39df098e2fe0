import type { TSchema } from "@sinclair/typebox";
import { isSameJson } from "../canonical-json.ts";

/** The fields of a config in the order of its schema: the stored order depends on who wrote it, and on the engine. */
export function inOrder<Config extends object>({ properties }: TSchema, config: Config): Config {
  const names = Object.keys(properties);
  const fields = Object.entries(config).toSorted(
    ([one], [other]) => names.indexOf(one) - names.indexOf(other),
  );
  return Object.fromEntries(fields) as Config;
}

/** The fields whose values are not their defaults. */
export function differing<Values extends object>(values: Values, defaults: object): Partial<Values> {
  const known = new Map(Object.entries(defaults));
  const isDefault = (name: string, value: unknown) => known.has(name) && isSameJson(known.get(name), value);
  return Object.fromEntries(
    Object.entries(values).filter(([name, value]) => value !== undefined && !isDefault(name, value)),
  ) as Partial<Values>;
}
