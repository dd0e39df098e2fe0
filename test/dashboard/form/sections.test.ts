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
  ["head", "Request headers", true],
  ["request head", "Request headers", true],
  ["eader", "Request headers", false],
  ["keyword", "The body contains", true],
  ["Self-signed", "Accept a certificate that is not valid", true],
  ["timeout", "Time limit of a check, in seconds", true],
  ["timeout", "Request headers", false],
])("behavior 16.288: the search for %p in %p: %p", (text, label, isFound) => {
  expect(matchesField(text, { label, section: "", hint: "" })).toBe(isFound);
});
