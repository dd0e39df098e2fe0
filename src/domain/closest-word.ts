/**
 * The known word that a mistyped one most probably is: at most a third of its letters differ.
 *
 * @returns undefined if no word is close enough
 */
export function closestWord(typed: string, words: readonly string[]): string | undefined {
  const most = Math.max(1, Math.floor(typed.length / 3));
  const close = words
    .filter((word) => Math.abs(word.length - typed.length) <= most)
    .map((word) => ({ word, distance: distance(typed, word) }))
    .filter((one) => one.distance <= most);
  return close.toSorted((one, other) => one.distance - other.distance)[0]?.word;
}

/** How many letters must be inserted, deleted or replaced (Levenshtein). */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (const letter of one) {
    const [first = 0] = row;
    const next = [first + 1];
    for (let column = 1; column < row.length; column++) {
      const [left = 0, above = 0, diagonal = 0] = [next[column - 1], row[column], row[column - 1]];
      const replaced = diagonal + (letter === other[column - 1] ? 0 : 1);
      next.push(Math.min(left + 1, above + 1, replaced));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
