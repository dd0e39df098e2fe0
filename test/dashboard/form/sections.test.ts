import { expect, test } from "bun:test";
import { describeSection, matchesField, sayField } from "../../../src/dashboard/web/form/sections.tsx";

test("behavior 16.287: a closed section says what is set in it, or its fields if nothing is", () => {
  expect(
    describeSection([
      { label: "Method", set: sayField("Method", "POST") },
      { label: "Body", set: "" },
      { label: "Follow … redirects", set: sayField("Follow … redirects", "5") },
    ]),
  ).toBe("Method: POST · Follow 5 redirects");
  expect(describeSection(["Method", "Body", "Follow … redirects"].map((label) => ({ label, set: "" })))).toBe(
    "Method, Body, Follow redirects",
  );
});

test.each([
  ["head", "config.headers", "Request headers", true],
  ["request head", "config.headers", "Request headers", true],
  ["eader", "config.headers", "Request headers", false],
  ["keyword", "config.expect.contains", "The body contains", true],
  ["Self-signed", "config.verifyTls", "Accept a certificate that is not valid", true],
  ["timeout", "config.timeout", "Time limit of a check, in seconds", true],
  ["timeout", "config.headers", "Request headers", false],
])("behavior 16.288: the search for %p in %p, %p: %p", (text, name, label, isFound) => {
  expect(matchesField(text, { name, label, section: "", hint: "" })).toBe(isFound);
});
