import { expect, test } from "bun:test";
import { basename } from "node:path";
import { findCitations, findTests, readRules, readSections } from "./support/documentation/rules.ts";

const rules = await readRules();
const sections = await readSections();

test("the numbers of rules are unique and ascend within their section", () => {
  const places = rules.map(({ number }) => number.split(".").map(Number) as [number, number]);
  const wrong = places.filter(([section, place], at) => {
    const [previousSection, previousPlace] = places[at - 1] ?? [0, 0];
    return section === previousSection ? place <= previousPlace : section < previousSection;
  });
  expect(wrong).toEqual([]);
  expect(rules.length).toBeGreaterThan(200);
});

test("docs/behavior/README.md has every section, and is one screen", async () => {
  const contents = await Bun.file("docs/behavior/README.md").text();
  const missing = sections.filter(({ path, text }) => {
    const [, heading = ""] = /^# (.+)$/m.exec(text) ?? [];
    return !contents.includes(`| [${heading}](${basename(path)}) |`);
  });
  expect(missing.map(({ path }) => path)).toEqual([]);
  expect(contents.split("\n").length).toBeLessThanOrEqual(40);
});

test("a section has only its own rules, and its contents have every part with its first rule", () => {
  for (const { path, text } of sections) {
    const number = String(Number.parseInt(basename(path), 10));
    const others = [...text.matchAll(/^- \*\*(\d+)\.\d+\*\*/gm)].filter(([, section]) => section !== number);
    expect({ path, others: others.map(([rule]) => rule) }).toEqual({ path, others: [] });
    const contents = text.slice(0, text.search(/^## /m));
    const missing = [...text.matchAll(/^## (.+)$/gm)].filter(({ 1: heading = "", index }) => {
      const [, first] = /^- \*\*(\d+\.\d+)\*\*/m.exec(text.slice(index)) ?? [];
      return !new RegExp(`${RegExp.escape(`[${heading}]`)}\\(#[\\w-]+\\) ${first}[.,]`).test(contents);
    });
    expect({ path, missing: missing.map(([heading]) => heading) }).toEqual({ path, missing: [] });
  }
});

test("every rule that a comment or the name of a test cites exists", async () => {
  const known = new Set(rules.map(({ number }) => number));
  const citations = await findCitations();
  expect(citations.filter(({ rule }) => !known.has(rule))).toEqual([]);
  expect(citations.length).toBeGreaterThan(0);
});

test("every rule is in the name of a test", async () => {
  const tests = await findTests();
  expect(rules.map(({ number }) => number).filter((number) => !tests.has(number))).toEqual([]);
});
