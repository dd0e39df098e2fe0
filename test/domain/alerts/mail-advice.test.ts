import { expect, test } from "bun:test";
import { mailAdvice } from "../../../src/domain/alerts/mail-advice.ts";

const failed = (
  answer?: string,
  error = "the mail server could not be reached: the connection was refused",
) => ({ outcome: "failed", error, final: false, ...(answer && { answer }) }) as const;

test.each([
  ["no mail server", failed(undefined, "this server can't send e-mail: --smtp-url is not set"), /^Start the/],
  ["no connection", failed(), /host and port in --smtp-url/],
  ["a missing sign-in", failed("530 5.7.0"), /requires a sign-in/],
  ["a wrong password", failed("535 5.7.8"), /rejected the user or the password/],
  ["a refused recipient", failed("550 5.1.1"), /sender or the recipient/],
  ["a temporary refusal", failed("451 4.7.1"), /Try again in some minutes/],
])("behavior 16.333: says what to do about %s", (_, attempt, advice) => {
  expect(mailAdvice(attempt)).toMatch(advice);
});

test("says nothing about an e-mail that was sent, and about a code that says no more", () => {
  expect(mailAdvice({ outcome: "delivered", answer: "250" })).toBeNull();
  expect(mailAdvice(failed("552 5.3.4"))).toBeNull();
});
