/** The values of some rows by column, in the order of the keys: each is one parameter, for `unnest`. */
export function arraysOf<Row, Key extends keyof Row>(rows: readonly Row[], keys: readonly Key[]): unknown[] {
  return keys.map((key) => arrayOf(rows.map((row) => row[key])));
}

/** One parameter of values. Numbers and bytes become the text of an array, because `pg` takes several times as long. */
export function arrayOf(values: readonly unknown[]): unknown {
  if (values.every((value) => value === null || typeof value === "number"))
    return `{${JSON.stringify(values).slice(1, -1)}}`;
  if (values.every((value) => value === null || value instanceof Uint8Array))
    return `{${values.map((value) => (value === null ? "NULL" : `"\\\\x${value.toHex()}"`)).join(",")}}`;
  return values;
}
