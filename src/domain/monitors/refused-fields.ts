import { invalid } from "../../errors.ts";

/** Refuses fields that mean nothing with the others. @param when for example `with the protocol icmp` */
export function refuse<T extends object>(
  config: T,
  fields: readonly (keyof T & string)[],
  when: string,
): void {
  const given = fields.find((field) => config[field] !== undefined);
  if (given) throw invalid(`config.${given} must be left out ${when}`);
}
