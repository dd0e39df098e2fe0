/** The values of some rows by column, in the order of the keys: each is one parameter, for `unnest`. */
export function arraysOf<Row, Key extends keyof Row>(
  rows: readonly Row[],
  keys: readonly Key[],
): Row[Key][][] {
  return keys.map((key) => rows.map((row) => row[key]));
}
