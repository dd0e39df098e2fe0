import { describe, expect, test } from "bun:test";
import { assertPassword, comparedPassword } from "../../../src/domain/people/password.ts";
import { emailKey } from "../../../src/domain/people/person.ts";

const refusal = (password: string) => {
  try {
    assertPassword(password, {
      email: "Ana.Long@Example.com",
      isCommon: comparedPassword(password) === "qwertyuiop12",
    });
  } catch (error) {
    return (error as Error).message;
  }
  return null;
};

describe("behavior 19.10: a password", () => {
  test.each([
    "x".repeat(12),
    "x".repeat(1024),
    "é".repeat(12),
    "😀".repeat(12),
    "            ",
    "correct horse",
  ])("is accepted: %p", (password) => expect(refusal(password)).toBeNull());

  test.each([
    ["x".repeat(11), "password must have at least 12 characters"],
    ["😀".repeat(11), "password must have at least 12 characters"],
    // Each letter and its accent are one character after the normalization.
    ["e\u0301".repeat(11), "password must have at least 12 characters"],
    ["x".repeat(1025), "password must have at most 1024 characters"],
    ["ana.long@EXAMPLE.com", "password must not be the e-mail address"],
    ["QwertyUiop12", "password must not be one of the most common: choose another one"],
  ])("%p is refused: %s", (password, message) => {
    expect(refusal(password)).toBe(message);
    expect(message).not.toContain(password);
  });
});

test.each([
  ["Ana@Example.COM ", "ana@example.com"],
  ["ÄNA@example.com", "Äna@example.com"],
  ["İ@x", "İ@x"],
])(
  "behavior 19.1: addresses are compared without the case of the letters of ASCII only: %p",
  (email, key) => {
    expect(emailKey(email)).toBe(key);
  },
);
