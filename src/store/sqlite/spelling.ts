type Spelling = readonly [
  pattern: RegExp,
  spelling: string | ((text: string, ...groups: string[]) => string),
];

/*
 * The texts of SQL that both engines share are in the words of PostgreSQL. SQLite knows all other ones. One transaction writes at
 * a time, so nothing is to be locked.
 */
const SPELLINGS: readonly Spelling[] = [
  [/= ANY\(\$(\d+)(::\w+\[\])?\)/g, "IN (SELECT value FROM json_each(?$1))"],
  [/(\w+)::jsonb \? \$(\d+)/g, "EXISTS (SELECT 1 FROM json_each($1) WHERE value = ?$2)"],
  [
    /json_to_recordset\(\$(\d+)\) AS (\w+) \(([^)]+)\)/g,
    (_, place = "", name, columns = "") => recordsOf({ place, columns, name }),
  ],
  [/\s+FOR (NO KEY )?UPDATE( OF \w+)?( SKIP LOCKED)?/g, ""],
  [/\bleast\(/g, "min("],
  // The type of a parameter, or of null. Any other conversion is a `CAST`.
  [/(\$\d+|NULL)::\w+/g, "$1"],
  [/\$(\d+)/g, "?$1"],
  // SQLite prepares a statement again for each run if its plan may depend on a parameter. Its plan never depends on `+?`.
  [/\?\d*/g, "+$&"],
];

/** A text of PostgreSQL, or of SQLite, as SQLite runs it fastest. No text has a question mark in a string. */
export function spelled(text: string): string {
  return SPELLINGS.reduce((sql, [pattern, spelling]) => sql.replace(pattern, spelling as string), text);
}

/** Rows that are one parameter, in JSON. @param columns with their types; SQLite takes the types of the values in JSON */
function recordsOf({
  place,
  columns,
  name,
}: {
  place: string;
  columns: string;
  name: string | undefined;
}): string {
  const values = columns.split(",").map((column) => {
    const [field] = column.trim().split(" ");
    return `value ->> '${field}' AS ${field}`;
  });
  return `(SELECT ${values.join(", ")} FROM json_each(?${place})) AS ${name}`;
}
