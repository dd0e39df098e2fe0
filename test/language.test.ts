import { expect, test } from "bun:test";
import { findPhrases, findSentences } from "../scripts/language.ts";

const phrasesIn = (line: string, file = "docs/page.md") =>
  findPhrases(file, line).map(({ phrase }) => phrase);

test.each([
  ["The command makes a new key.", "makes a new key"],
  ["the former database is kept", "the former"],
  ["It is looked whether they are due.", "It is looked whether"],
  ["It begins anew.", "anew"],
  ["Mend the route.", "Mend"],
  ["nobody is told", "nobody is told"],
  ["Told of each attempt that fails", "Told of"],
  ["The list tells how monitors are.", "tells"],
  ["a fault of ours", "fault of ours"],
  ["a key of ours", "of ours"],
  ["No certificate could be had", "could be had"],
  ["before it comes to an end", "comes to an end"],
  ["its places stand in the databases", "stand in"],
  ["the outcome stands on the result", "stands on"],
  ["Nightly backup has not been heard of", "heard of"],
  ["the service is not well: no writes", "not well"],
  ["SIGTERM ends it well", "ends it well"],
  ["This key opens nothing", "opens nothing"],
  ["after the clock was put back", "put back"],
  ["null where there is none", "null where"],
  ["UTC where none is given", "where none is"],
  [" * @throws AppError `refused` where the file exists already", "throws AppError `refused` where the"],
  ["final, but for 408", "but for"],
  ["every endpoint but checkin", "every endpoint but"],
  ["in one statement, for there may be thousands", ", for there"],
])("%s", (line, phrase) => {
  expect(phrasesIn(line)).toEqual([phrase]);
});

test.each([
  "A latency above the baseline makes a monitor degraded, or a degraded one healthy.",
  "made-up IDs, made up by the client",
  "nobody can tell them apart, and no client can tell a replay from an original",
  "The thread waits until it is told to start.",
  "The directory where the database is stored, and the host where users sign in",
  "Results are kept for 90 days, and the value is known as well.",
  "It is known that the request failed, but for now it is not retried.",
  "havent_heard is shown as No check-in; the clock was set back.",
  "retry, for example after 5 s; for the first time",
])("accepts: %s", (line) => {
  expect(phrasesIn(line)).toEqual([]);
});

test("a sentence of a comment begins with its noun", () => {
  const inComment = (line: string) => phrasesIn(line, "src/some.ts");
  expect(inComment("/** A time. One that is skipped counts. */")).toEqual(["One that"]);
  expect(inComment("/** A time. One moment that is skipped counts. */")).toEqual([]);
});

test.each([
  ["The default role is that of the caller.", "that of"],
  ["The network is looked at each second.", "is looked"],
  ["Under the field stands what to enter.", "stands"],
])("in documentation, not in strings: %s", (line, phrase) => {
  expect(phrasesIn(line)).toEqual([phrase]);
  expect(phrasesIn(`  const text = "${line}";`, "src/some.ts")).toEqual([]);
});

test("documentation may cite code and the texts of the help", () => {
  expect(phrasesIn("| `--page-icon FILE` | default: that of stillup |")).toEqual([]);
  expect(phrasesIn("The message is `must be other than that of --base-url`.")).toEqual([]);
  expect(phrasesIn("A name is looked up by a stand-in.")).toEqual([]);
});

test.each([
  ["/** The open ones, and those that were resolved. */", "The open ones, and those that were resolved."],
  [
    "/**\n * The first one.\n * It has the one before it,\n * or one without. */",
    "It has the one before it, or one without.",
  ],
  ["// A first one that\n// follows another one.\n", "A first one that follows another one."],
])("a sentence of a comment names its nouns: %j", (text, sentence) => {
  const found = findSentences("src/some.ts", text).map(({ phrase }) => phrase.trim());
  expect(found).toEqual([sentence]);
});

test.each([
  "/** One monitor and those two channels. Fields are listed one by one. */",
  "/** The first one. The last one. */",
  "/** The first one has `one, that`. One at a time. */",
  'const text = "the one that is, or one that was";',
])("accepts: %j", (text) => {
  expect(findSentences("src/some.ts", text)).toEqual([]);
});

test("a sentence of documentation names its nouns, also if it is in several lines", () => {
  const found = (text: string) =>
    findSentences("docs/page.md", text).map(({ line, phrase }) => [line, phrase]);
  expect(found("# Title\n\nThe first one,\nand those that follow.\n")).toEqual([
    [3, "The first one, and those that follow."],
  ]);
  expect(found("- The first one\n- The last one\n")).toEqual([]);
  expect(found("| the first one | the last one |\n")).toEqual([]);
});

test("in code, only comments, strings and text of the page count", () => {
  const inCode = (line: string) => phrasesIn(line, "src/some.ts");
  expect(inCode("const former = told.of; mend(anew);")).toEqual([]);
  expect(inCode('  former: "the former key",')).toEqual(["the former"]);
  expect(inCode("  begin(); // anew")).toEqual(["anew"]);
  expect(inCode(" * Begins anew.")).toEqual(["anew"]);
  expect(phrasesIn("      <p>This key opens nothing</p>", "src/page.tsx")).toEqual(["opens nothing"]);
  expect(phrasesIn("        Nothing begins anew here", "src/page.tsx")).toEqual(["anew"]);
});

test.each([
  ["/** What a node shows of each monitor. */", "What"],
  [" * Of one seed, in the output.", "Of"],
  ["// Those in a window are left out.", "Those"],
  ["const lead = 5; // That is long.", "That"],
  ["/** The clock of a node follows that of the database. */", "that of"],
  ["  // Closes connections, also those of clients.", "those of"],
  ["/** Whether an own fault disturbed a check. */", "own fault"],
  ["/** Servers that show whether the own network works. */", "own network"],
  ["const MOST_PAGES = 10;", "MOST_PAGES"],
  ["if (size > LARGEST_BODY.keyed) refuse();", "LARGEST_BODY"],
  ["const [LONGEST_DELAY] = delays;", "LONGEST_DELAY"],
])("in code: %s", (line, phrase) => {
  expect(phrasesIn(line, "src/some.ts")).toEqual([phrase]);
});

test.each([
  "/** Shows what a node has of each monitor. Of these, two are down. */",
  " * @returns what was hit",
  'const rule = "the latency is that of the target";',
  "const almost = MAX_PAGES - 1; // most_pages",
])("accepts in code: %s", (line) => {
  expect(phrasesIn(line, "src/some.ts")).toEqual([]);
});

test("outside of code, a line may begin with any word", () => {
  expect(phrasesIn("What is proven, and what others say", "docs/page.md")).toEqual([]);
});

test("says what to write instead, and leaves out the file that has the list", () => {
  expect(findPhrases("README.md", "anew")).toEqual([{ phrase: "anew", instead: "again, new" }]);
  expect(findPhrases("scripts/language.ts", "anew")).toEqual([]);
});
