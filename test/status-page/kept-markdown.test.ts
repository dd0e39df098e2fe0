import { expect, test } from "bun:test";
import { keptMarkdown } from "../../src/status-page/kept-markdown.ts";

test("behavior 15.46: a text is rendered once", () => {
  const rendered = keptMarkdown("**once**");
  expect(rendered.markup).toBe("<p><strong>once</strong></p>\n");
  expect(keptMarkdown("**once**")).toBe(rendered);
});

test("behavior 15.46: a limited number of texts is kept", () => {
  const first = keptMarkdown("first");
  for (let number = 0; number < 300; number++) keptMarkdown(`${number} ${"a".repeat(9000)}`);
  expect(keptMarkdown("first")).not.toBe(first);
  expect(keptMarkdown("first").markup).toBe(first.markup);
});
