import { expect, test } from "bun:test";
import { findCitations, findTests, readRules } from "./support/rules.ts";

const rules = await readRules();

/** Rules that no name of a test cites yet. A new rule needs a test: this list may only become shorter. */
const UNCITED = new Set(
  `
  1.9 1.11 1.12 1.13 1.17 1.19 1.22 1.29 1.32 1.39 1.49
  2.5 2.6 2.7
  5.5 5.6 5.10 5.14 5.20 5.21 5.22
  6.8 6.10
  7.11 7.12
  8.2
  9.8
  `.match(/\S+/g),
);

test("the numbers of rules are unique and ascend within their section", () => {
  const places = rules.map(({ number }) => number.split(".").map(Number) as [number, number]);
  const wrong = places.filter(([section, place], at) => {
    const [previousSection, previousPlace] = places[at - 1] ?? [0, 0];
    return section === previousSection ? place <= previousPlace : section < previousSection;
  });
  expect(wrong).toEqual([]);
  expect(rules.length).toBeGreaterThan(200);
});

test("every rule that a comment or the name of a test cites exists", async () => {
  const known = new Set(rules.map(({ number }) => number));
  const citations = await findCitations();
  expect(citations.filter(({ rule }) => !known.has(rule))).toEqual([]);
  expect(citations.length).toBeGreaterThan(0);
});

test("every rule is in the name of a test, except those in the list", async () => {
  const tests = await findTests();
  const missing = rules.map(({ number }) => number).filter((number) => !tests.has(number));
  expect(missing.filter((number) => !UNCITED.has(number))).toEqual([]);
});
