import { expect, test } from "bun:test";
import { closestWord } from "../../src/domain/closest-word.ts";

const WORDS = ["channels", "monitors", "maintenances", "pages", "defaults", "url"];

test.each([
  ["monitor", "monitors"],
  ["chanels", "channels"],
  ["maintenance", "maintenances"],
  ["defualts", "defaults"],
  ["page", "pages"],
  ["uri", "url"],
  ["x", undefined],
  ["", undefined],
  ["version", undefined],
  ["monitors", "monitors"],
])("behavior 9.105: %p is closest to %p", (typed, word) => {
  expect(closestWord(typed, WORDS)).toBe(word);
});
