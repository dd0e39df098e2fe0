import { expect, test } from "bun:test";
import { visibleText } from "../../../src/probes/http/visible-text.ts";

test.each([
  ["<!doctype html><title>Shop</title><h1>Open</h1>", "Shop Open"],
  ["<p>a</p><p>b</p>", "a b"],
  ["<p>a</p>\n\t<p>b</p>\r\n", "a b"],
  ["a<b>b</b>c<br>d", "abc d"],
  ["<A HREF='>'>x</A>y", "xy"],
  ["a<!-- 12:01:07 <p>hidden</p> -->b", "ab"],
  ["a<script nonce=x>if (1 < 2) '<p>no</p>'</script>b", "a b"],
  ["a<STYLE>p::after { content: 'no' }</STYLE>b", "a b"],
  ["a<script>never closed <p>b</p>", "a"],
  ["a</script>b", "a b"],
  ["Fish &amp; Chips &lt;b&gt; &#8364;5&nbsp;&euro; &bogus; &", "Fish & Chips <b> €5 € &bogus; &"],
  ["so\u00adft&shy; \u200bword", "soft word"],
  ["<textarea><b>x</b></textarea>", "<b>x</b>"],
  ["1 < 2", "1 < 2"],
  ["<td>1</td><td>23</td>", "1 23"],
  ["a <span title='b", "a"],
  ["", ""],
])("behavior 26.112: the visible text of %j is %j", (html, text) => {
  expect(visibleText(html)).toBe(text);
});

test("behavior 26.112: markup that differs only in what nobody sees has the same visible text", () => {
  const page = (nonce: string, tag: string, space: string) =>
    `<html><head><script nonce="${nonce}">var t = "${nonce}"</script><!-- ${nonce} --></head>${space}` +
    `<body class="${nonce}"><${tag}>Welcome</${tag}>${space}<p data-x=${nonce}>to the <b>shop</b></p></body></html>`;
  expect(visibleText(page("1", "h1", ""))).toBe(visibleText(page("2", "div", "\n   ")));
});

test.each([
  ["open tags", "<b>"],
  ["close tags", "</b>"],
  ["tags and close tags that never match", "<i></b>"],
  ["ends of scripts", "<script></s"],
  ["comments", "<!--"],
  ["ends of comments", "<!---->"],
  ["entities", "&amp"],
  ["attributes", "<a b='"],
])("behavior 26.112: a MiB of %s is read", (_, piece) => {
  const html = piece.repeat(2 ** 20 / piece.length);
  expect(visibleText(`first ${html}`)).toStartWith("first");
});
