/*
 * The texts of SQL that both engines share are in the words of PostgreSQL. SQLite knows all of them, except for the first
 * four of these.
 */
const SPELLINGS: readonly [RegExp, string][] = [
  [/= ANY\(\$(\d+)(::\w+\[\])?\)/g, "IN (SELECT value FROM json_each(?$1))"],
  [/(\w+)::jsonb \? \$(\d+)/g, "EXISTS (SELECT 1 FROM json_each($1) WHERE value = ?$2)"],
  // The type of a parameter, or of null. Any other conversion is a `CAST`.
  [/(\$\d+|NULL)::\w+/g, "$1"],
  [/\$(\d+)/g, "?$1"],
  // SQLite prepares a statement again for each run if its plan may depend on a parameter. Its plan never depends on `+?`.
  [/\?\d*/g, "+$&"],
];

/** A text of PostgreSQL, or of SQLite, as SQLite runs it fastest. No text has a question mark in a string. */
export function spelled(text: string): string {
  return SPELLINGS.reduce((sql, [pattern, spelling]) => sql.replace(pattern, spelling), text);
}
