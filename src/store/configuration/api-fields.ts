/** The fields of the API that contain some fields of a plan, each once: `config` for `config.url`. @param others further ones */
export function apiFieldsOf(fields: readonly string[], ...others: string[]): string[] {
  return [...new Set([...others, ...fields.map((field) => field.split(".")[0] ?? field)])];
}
