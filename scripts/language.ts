/**
 * Fails on phrases that are hard to read for an international reader, or wrong English: `bun scripts/language.ts`. A
 * pattern is as precise as it must be to accept correct English, and matches within one line.
 */
const TO_BE = "(?:is|are|was|were|be|been|being)";

/** Things that are created. "makes a monitor degraded" uses "make" in another sense. */
const THINGS =
  "(?:keys?|organi[sz]ations?|monitors?|channels?|databases?|director(?:y|ies)|folders?|files?|index(?:es)?|tables?|sessions?|users?|releases?|containers?|threads?|sockets?|bindings?|certificates?)\\b";

/** Patterns ignore case and begin at the beginning of a word. Later rows do not see the text that an earlier row matched. */
const PHRASES: [pattern: string, instead: string][] = [
  [
    `(?:make|makes|making|made) (?:an? |the |its |one )?(?:new |first |owner )*${THINGS}(?!['’-]| \\W?(?:degraded|healthy|up|down))`,
    "create, created",
  ],
  [
    `${TO_BE} made (?:by (?:an?|the) |if|when|for other |last\\b|meanwhile|or (?:changed|deleted))`,
    "created",
  ],
  [`${THINGS} (?:that )?(?:can't|cannot|could not) be made`, "cannot be created"],
  ["the former|former [a-z]+|formerly", "previous, previously"],
  ["anew", "again, new"],
  ["mend(?:s|ed|ing)?", "fix"],
  ["nobody (?:is|was) (?:told|alarmed)", "nobody is notified"],
  [`${TO_BE} (?:not |never |also |then |only |first |last )?told(?! to\\b)`, "is notified, is reported"],
  [
    "told (?:to (?:the|an?|it|them)|of|whether|that|each|when|what|as|only|not|twice)\\b",
    "called for, notified of, reported",
  ],
  ["tells?\\b(?![^.,;]{0,30} (?:apart|from)\\b)", "say, report, return, notify"],
  ["alarms? nobody", "does not notify anybody, causes no miss"],
  ["fault of ours", "fault of stillup itself, internal error"],
  ["of ours", "our own (or leave it out)"],
  [
    "it (?:is|was|has been) (?:looked|tried|waited|asked|kept|said|told) (?:whether|for|that|if)",
    "an active sentence with a subject",
  ],
  ["(?:is|was|are|were|be|been) (?:looked whether|waited for)", "is expected, checks whether"],
  ["(?:may|might|can|could|to) be had", "is available, could not get"],
  ["(?:come|comes|coming|came) to (?:an end|its end|the end|nothing|run|stand)", "end, run, have no effect"],
  ["what [a-z' ]{1,30}(?:comes|came) to", "the result of"],
  ["stands? in\\b(?! the way| for)", "is in, the content of"],
  [
    "stands? (?:for|on|beside|behind|before|under|elsewhere|right|alone on|now|then|at)\\b",
    "is, represents, follows",
  ],
  ["(?:stands?|standing|stood) still", "stall, block"],
  ["hea(?:r|rs|rd) of", "know, check in"],
  ["heard from", "check in (label: No check-in)"],
  ["not well(?! (?:known|kept|formed|defined|suited))", "unhealthy"],
  [`(?:${TO_BE}|all|part) (?:all )?well(?= *(?:[.,;:)"'\`]|$|again\\b|while\\b))`, "healthy"],
  ["(?:ends?|ended) (?:it |them )?well", "stop cleanly"],
  ["opens? nothing", "is rejected, is invalid"],
  ["put(?:s|ting)? (?:it )?back", "restore (a clock: set back)"],
  ["by heart", "from memory (or name what it knows)"],
  [`(?:${TO_BE}) no matter`, "does not matter"],
  ["in the place of", "instead of, replaces"],
  ["(?:null|nothing|undefined) where", "null if"],
  ["where there (?:is|are|was|were|has|never)", "if there is"],
  [
    "where (?:none|nothing|neither|nobody|no [a-z]+) (?:is|are|was|were|ran|runs|comes|came|has|can)",
    "if none is",
  ],
  [
    "where (?:it|that|one|they) (?:is|was|are|were) (?:not |no |left out|given|set|known|wrong|shorter|longer|late|missing|rare|too)",
    "if it is",
  ],
  ["throws .*\\bwhere (?:the|an?|another|it|one|this|that|our|none)", "if"],
  ["but for\\b(?! (?:now|each|all)\\b)", "except for"],
  ["(?:every|any|no|all) [a-z]+ but (?!not\\b|with\\b|in\\b)", "except"],
  ["[,;] for (?:it|they|there|we|nobody|nothing|making) ", "because"],
];

/** Of comments in code, and of the prose of documentation. */
const WRITTEN: [pattern: RegExp, instead: string][] = [
  [/\b(?:that|those) of\b/gi, "the noun again, or another sentence"],
  [new RegExp(`\\b${TO_BE} looked(?! (?:up|for)\\b)`, "gi"), "an active sentence: checks, reads"],
  [/\bstands?\b(?!-)/gi, "is, has, represents"],
];

/** Only of comments in code. A comment begins with the noun or the verb of its sentence. */
const COMMENT_PHRASES: [pattern: RegExp, instead: string][] = [
  ...WRITTEN,
  [/^(?:What|Of|That|Those)\b/g, "the noun that it is about"],
  [
    /(?<=[.?!] )(?:One|Those|Others?) (?:that|which|who|is|was|are|were|has|had|can|may)\b/g,
    "the noun that it is about",
  ],
  [/\bown (?:network|fault)s?\b/gi, "the network of this server, a fault of stillup itself"],
];

/**
 * A pronoun instead of a noun. "one" and "those" before a noun are correct English, so only words that cannot follow a noun's place
 * show the pronoun.
 */
const AFTER_PRONOUN =
  "(?=[.,;:)]|$| (?:that|which|who|whose|is|was|are|were|has|had|have|does|did|do|for|in|on|with|without|by|at|to|and|or|if|while|before|after|from|until|can|may|must|than|as|not|no|be|it|they|about)\\b)";
const PRONOUN = new RegExp(
  `\\bones\\b|\\b(?<!one by )(?:one|those)\\b(?! by one\\b| at a time\\b)${AFTER_PRONOUN}`,
  "gi",
);

/** Only of names in code. */
const OLD_CONSTANTS = /\b(?:MOST|LARGEST|LONGEST)_[A-Z]\w*/g;

/** Files that may have the phrases, and why. */
const ALLOWED = new Map([
  ["scripts/language.ts", "has the list"],
  ["test/language.test.ts", "has samples"],
]);

/** Tables of texts in other languages than English, whose names are a tag such as `de.ts` or `pt-BR.ts`. */
const OTHER_LANGUAGES = /\/languages\/(?!en\.ts)[a-z]{2}(-[A-Z]{2})?\.ts$/;

const KINDS = /\.(?:tsx?|md|sh|css|html)$|^scripts\/[^.]+$/;
const patterns = PHRASES.map(([text, instead]) => ({ regex: new RegExp(`\\b(?:${text})`, "gi"), instead }));

interface Found {
  phrase: string;
  instead: string;
}

/** The phrases in one line of a file that must not be there. In code, only comments, texts and constants count. */
export function findPhrases(file: string, line: string): Found[] {
  const found: Found[] = [];
  if (ALLOWED.has(file)) return found;
  const isCode = /\.tsx?$/.test(file);
  if (isCode) found.push(...findInCode(line));
  let rest = isCode ? proseOf(line) : line;
  for (const { regex, instead } of patterns) {
    rest = rest.replaceAll(regex, (phrase) => {
      found.push({ phrase: phrase.trim(), instead });
      return "|";
    });
  }
  if (file.endsWith(".md") && !isSetting(line)) found.push(...findIn(withoutCode(rest), WRITTEN));
  return found;
}

/** Phrases of comments, and names of constants. */
function findInCode(line: string): Found[] {
  const phrases = findIn(commentOf(line), COMMENT_PHRASES);
  const names = (line.match(OLD_CONSTANTS) ?? []).map((phrase) => ({ phrase, instead: "MAX_…" }));
  return [...phrases, ...names];
}

function findIn(text: string, phrases: [pattern: RegExp, instead: string][]): Found[] {
  return phrases.flatMap(([pattern, instead]) =>
    (text.match(pattern) ?? []).map((phrase) => ({ phrase, instead })),
  );
}

/** Whether a line of documentation is in the table of settings, which has the texts of the help. */
function isSetting(line: string): boolean {
  return /^\| `--/.test(line);
}

function withoutCode(line: string): string {
  return line.replace(/`[^`]*`/g, "``");
}

/** Sentences of comments and documentation with two or more pronouns that lack their noun. @property line where the comment or paragraph begins */
export function findSentences(file: string, text: string): (Found & { line: number })[] {
  if (ALLOWED.has(file)) return [];
  const parts = /\.tsx?$/.test(file) ? COMMENT : /\.md$/.test(file) ? PARAGRAPH : undefined;
  return [...(parts ? text.matchAll(parts) : [])].flatMap(({ 0: part, index }) => {
    const line = text.slice(0, index).split("\n").length;
    const wrong = sentencesOf(part).filter((sentence) => (sentence.match(PRONOUN) ?? []).length >= 2);
    return wrong.map((phrase) => ({ phrase, instead: "the nouns", line }));
  });
}

const COMMENT = /^[ \t]*\/\*[\s\S]*?\*\/|(?:^[ \t]*\/\/.*\n?)+|\s\/\/ .*$/gm;
/** A row of a table, or a paragraph or entry of a list with the lines that continue it. */
const PARAGRAPH = /^[ \t]*\|.*$|^(?![ \t]*\|).+(?:\n(?![ \t]*(?:[|#-]|\d+\.|$)).+)*/gm;

/** The sentences of a comment or a paragraph, without its marks and code. A sentence ends with the cell of a table, too. */
function sentencesOf(part: string): string[] {
  const lines = part.replace(/^\s*\/\*\*?|\*\/\s*$/g, " ").split("\n");
  const text = lines.map((line) => line.replace(/^\s*(?:\*|\/\/)\s?/, "")).join(" ");
  return withoutCode(text)
    .replace(/\s+/g, " ")
    .split(/(?<=[.;:?!|])\s+|\s+(?=@)/);
}

/** The comment of a line of code, without its marks; "" if it has none. */
function commentOf(line: string): string {
  return /^\s*(?:\/\*\*?|\*|\/\/)\s+(.*)|\s\/\/ (.*)$/.exec(line)?.slice(1).join("") ?? "";
}

/** The comments and string literals of a line of code, or the whole line if it has no code, as in JSX or a template. */
function proseOf(line: string): string {
  const text = line.trim();
  if (/^(?:\/?\*|\/\/)/.test(text)) return text;
  if (!/[=(){};[\]]/.test(text)) return /\s/.test(text) ? text : "";
  return (text.match(/"[^"]*"|`[^`]*(?:`|$)|\/\/ .*|\/\*.*|>[^<>{}=]+</g) ?? []).join("\n");
}

if (import.meta.main) {
  const files = (await Bun.$`git ls-files`.text()).split("\n");
  let count = 0;
  for (const file of files.filter((file) => KINDS.test(file) && !OTHER_LANGUAGES.test(file))) {
    const text = await Bun.file(file).text();
    const phrases = text
      .split("\n")
      .flatMap((row, at) => findPhrases(file, row).map((found) => ({ ...found, line: at + 1 })));
    for (const { phrase, instead, line } of [...phrases, ...findSentences(file, text)]) {
      console.error(`${file}:${line}: "${phrase}": write "${instead}" instead`);
      count++;
    }
  }
  if (count > 0) console.error(`${count} phrases to rewrite`);
  process.exit(count > 0 ? 1 : 0);
}
