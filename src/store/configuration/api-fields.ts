/** The fields of the API that contain some fields of a plan, each once: `config` for `config.url`. @param others further ones */
export function apiFieldsOf(fields: readonly string[], ...others: string[]): string[] {
  return [...new Set([...others, ...fields.map((field) => field.split(".")[0] ?? field)])];
}

/** The values of some fields of a plan, under the names of the API. */
export function only<Values extends object>(fields: readonly string[], values: Values): Partial<Values> {
  const names = new Set(apiFieldsOf(fields));
  return Object.fromEntries(Object.entries(values).filter(([name]) => names.has(name))) as Partial<Values>;
}
