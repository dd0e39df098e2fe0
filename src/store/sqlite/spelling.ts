/*
 * The texts of SQL that both engines share are in the words of PostgreSQL. SQLite knows all of them, except for these.
 */
const SPELLINGS: readonly [RegExp, string][] = [
  [/= ANY\(\$(\d+)(::\w+\[\])?\)/g, "IN (SELECT value FROM json_each(?$1))"],
  [/(\w+)::jsonb \? \$(\d+)/g, "EXISTS (SELECT 1 FROM json_each($1) WHERE value = ?$2)"],
  // The type of a parameter, or of null. Any other conversion is a `CAST`.
  [/(\$\d+|NULL)::\w+/g, "$1"],
  [/\$(\d+)/g, "?$1"],
];

/** A text of PostgreSQL as SQLite spells it. A text of SQLite stays the same. */
export function spelled(text: string): string {
  return SPELLINGS.reduce((sql, [pattern, spelling]) => sql.replace(pattern, spelling), text);
}
