import { expect, test } from "bun:test";
import { isCommonPassword } from "../../../src/runner/people/sign-in.ts";

test.each([
  ["123456789012", true],
  ["qwertyuiop123", true],
  ["1q2w3e4r5t6y", true],
  ["passwordpassword", true],
  ["password2024", true],
  ["password123!", true],
  ["p@ssw0rd2024", true],
  ["!!welcome2025", true],
  ["dragon dragon", false],
  ["dragondragon1", true],
  [" ".repeat(12), true],
  ["ababababababab", true],
  ["1111111111222", true],
  ["x".repeat(33), false],
  ["dragons of ana", false],
  ["4u8-kqvj-fzk1", false],
  ["password", false],
  ["correct horse battery staple", false],
  ["a password of ana", false],
  ["123456", false],
  ["", false],
])("behavior 19.10: %p is one of the most common: %p", async (password, isCommon) => {
  expect(await isCommonPassword(password)).toBe(isCommon);
});
