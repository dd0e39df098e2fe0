import { expect, test } from "bun:test";
import { findCitations, findTests, readRules } from "./support/rules.ts";

const rules = await readRules();

/** Rules that no name of a test cites yet. A new rule needs a test: this list may only become shorter. */
const UNCITED = new Set(
  `
  1.1 1.5 1.6 1.7 1.9 1.11 1.12 1.13 1.14 1.15 1.17 1.18 1.19 1.22 1.23 1.25 1.28 1.29 1.32 1.34 1.35 1.36 1.37
  1.39 1.40 1.44 1.49
  2.1 2.4 2.5 2.6 2.7 2.8 2.9
  3.6 3.7 3.9 3.10 3.11 3.12 3.13 3.19
  4.1 4.3 4.12 4.13 4.14 4.15
  5.2 5.3 5.5 5.6 5.10 5.14 5.17 5.18 5.20 5.21 5.22 5.26 5.30 5.31 5.32 5.33 5.36 5.38
  6.7 6.8 6.10
  7.4 7.11 7.12 7.15 7.17 7.19 7.21 7.27 7.33 7.46 7.50 7.53 7.55 7.65 7.72
  8.1 8.2 8.3 8.11 8.12 8.13 8.14 8.15 8.17 8.19 8.20
  9.8 9.14 9.17
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
