import { expect, test } from "bun:test";
import { isPagePassword } from "../../../src/domain/pages/page-password.ts";

test.each([
  ["é".repeat(7), false],
  ["é".repeat(8), true],
  ["é".repeat(200), true],
  ["é".repeat(201), false],
  ["😀".repeat(8), true],
])("behavior 21.30: the length of %p is the same in each form of its characters", (text, isAccepted) => {
  for (const form of ["NFC", "NFD"]) expect(isPagePassword(text.normalize(form))).toBe(isAccepted);
});
