import { expect, test } from "bun:test";
import { cachedMarkdown } from "../../src/status-page/markdown.ts";

test("behavior 15.46: a text is rendered once", () => {
  const rendered = cachedMarkdown("**once**");
  expect(rendered.markup).toBe("<p><strong>once</strong></p>\n");
  expect(cachedMarkdown("**once**")).toBe(rendered);
});

test("behavior 15.46: a limited number of texts is kept", () => {
  const first = cachedMarkdown("first");
  for (let number = 0; number < 300; number++) cachedMarkdown(`${number} ${"a".repeat(9000)}`);
  expect(cachedMarkdown("first")).not.toBe(first);
  expect(cachedMarkdown("first").markup).toBe(first.markup);
});
