/** A search finds entries: a section of a page, or a row of the page "From your word to ours". */
export interface Entry {
  href: string;
  title: string;
  /** The heading below the title of the page; empty for its first part. */
  heading: string;
  text: string;
  /** HTML of the answer itself, if it is one line. */
  answer?: string;
  /** The words of the title, the heading and the text, from the one that counts most. */
  words: [string[], string[], string[]];
}

/** Pages for people who change stillup: their words count less. */
const FOR_DEVELOPERS =
  /^\/guide\/(behavior|laboratory|by-hand|storage|CONTRIBUTING|CHANGELOG|trust|result-segments)/;

/** Adds the words by which a search finds an entry. */
export function withWords<E extends Omit<Entry, "words">>(entry: E): E & Pick<Entry, "words"> {
  return { ...entry, words: [wordsOf(entry.title), wordsOf(entry.heading), wordsOf(entry.text)] };
}

/** The worth of a word in a title, a heading and a text. */
const WORTH = [12, 8, 1];
const MAX_FOUND = 20;

/** @returns the best entries first. An entry has all words of the query, or it counts far less */
export function search<E extends Entry>(entries: readonly E[], query: string): E[] {
  const asked = wordsOf(query).slice(0, 12);
  if (asked.length === 0) return [];
  return entries
    .map((entry) => ({ entry, score: scoreOf(entry, asked) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, MAX_FOUND)
    .map(({ entry }) => entry);
}

function scoreOf({ href, answer, words }: Entry, asked: string[]): number {
  let found = 0;
  let score = 0;
  for (const word of asked) {
    const worth = Math.max(...words.map((some, at) => (WORTH[at] ?? 0) * frequency(some, word)));
    if (worth > 0) found++;
    score += worth;
  }
  const share = found / asked.length;
  const rank = FOR_DEVELOPERS.test(href) ? 0.2 : answer === undefined ? 1 : 1.5;
  return score * share ** 4 * rank;
}

/** From 0 to 2: how often a word, or one that begins with it, is among others. */
function frequency(words: string[], asked: string): number {
  const count = words.filter((word) => word === asked || (asked.length > 3 && word.startsWith(asked))).length;
  return count === 0 ? 0 : Math.min(2, 1 + Math.log2(count) / 4);
}

/** Words that every sentence has. */
const COMMON = new Set(
  "a an and are as at be by can do for from how i in is it my of on or the to what when with".split(" "),
);

/** The words of a text in lower case, without the ending of a plural, and without those that say nothing. */
export function wordsOf(text: string): string[] {
  return (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])
    .filter((word) => !COMMON.has(word))
    .map((word) => (word.length > 3 ? word.replace(/(?<!s)s$/, "") : word));
}
