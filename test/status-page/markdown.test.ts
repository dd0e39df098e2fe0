import { expect, test } from "bun:test";
import { renderMarkdown } from "../../src/status-page/markdown.ts";

const rendered = (text: string) => renderMarkdown(text).markup.trim();

test("behavior 15.46: an update is CommonMark: emphasis, lists, quotes, code and line breaks", () => {
  expect(rendered("**a** _b_ `c`\nd")).toBe("<p><strong>a</strong> <em>b</em> <code>c</code><br>\nd</p>");
  expect(rendered("- a\n- b")).toBe("<ul>\n<li>a</li>\n<li>b</li>\n</ul>");
  expect(rendered("> a\n\n```\n<b>\n```")).toContain("<pre><code>&lt;b&gt;\n</code></pre>");
});

test("behavior 15.46: a heading is bold text, because it is no part of the outline of the page", () => {
  expect(rendered("# Big\n## Small")).toBe("<p><strong>Big</strong></p>\n<p><strong>Small</strong></p>");
});

test("behavior 15.46: HTML is shown as text", () => {
  expect(rendered("<script>alert(1)</script> <b onclick=x>y</b>")).toBe(
    "<p>&lt;script&gt;alert(1)&lt;/script&gt; &lt;b onclick=x&gt;y&lt;/b&gt;</p>",
  );
  expect(rendered('<img src="x">')).not.toContain("<img");
});

test("behavior 15.46: links lead to web sites and e-mail addresses, and pass nothing on", () => {
  const link = '<a href="https://a.example/" rel="nofollow noopener noreferrer">';
  expect(rendered("[a](https://a.example/)")).toBe(`<p>${link}a</a></p>`);
  expect(rendered("see https://a.example/")).toBe(`<p>see ${link}https://a.example/</a></p>`);
  expect(rendered("[m](mailto:a@b.example)")).toContain('href="mailto:a@b.example"');
});

test.each([
  "javascript:alert(1)",
  "JaVaScRiPt:alert(1)",
  "data:text/html,x",
  "vbscript:x",
  "file:///x",
  "//x",
  "/keys",
])("behavior 15.46: %s is no link", (url) => {
  expect(rendered(`[a](${url})`)).not.toContain("<a");
  expect(rendered(`<${url}>`)).not.toContain("<a");
  expect(rendered(`[a]\n\n[a]: ${url}`)).not.toContain("<a");
});

test("behavior 15.46: pictures are links, and tables are text, because they need other hosts or inline styles", () => {
  expect(rendered("![a](https://a.example/a.png)")).not.toContain("<img");
  expect(rendered("| a | b |\n| --: | --- |\n| 1 | 2 |")).not.toMatch(/<table|style=/);
});

test.each([
  ["brackets", "[".repeat(9000)],
  ["URLs in one word", "https://a.example/b&".repeat(400)],
])("behavior 15.46: many %s are text, because their links cost too much to find", (_, text) => {
  expect(rendered(`**a** ${text} [x](https://b.example/)`)).toStartWith("<p><strong>a</strong> ");
  expect(rendered(`${text} [x](https://b.example/)`)).not.toContain("<a ");
});
