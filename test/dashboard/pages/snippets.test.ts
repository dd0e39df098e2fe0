import { expect, test } from "bun:test";
import {
  badgeSnippets,
  badgeUrl,
  embedSnippets,
  offeredKinds,
  pageLinks,
} from "../../../src/dashboard/web/pages/page-snippets.tsx";

const pageUrl = "https://status.example.com/status/shop";
const status = { pageUrl, component: null, kind: "status" as const, alt: "Status of Shop" };

test("behavior 15.93: a badge is offered as HTML, Markdown, an image and an endpoint of shields.io", () => {
  expect(badgeSnippets(status)).toEqual([
    {
      label: "HTML",
      text: `<a href="${pageUrl}"><img src="${pageUrl}/badge.svg" alt="Status of Shop"></a>`,
    },
    { label: "Markdown", text: `[![Status of Shop](${pageUrl}/badge.svg)](${pageUrl})` },
    { label: "Image URL", text: `${pageUrl}/badge.svg` },
    { label: "shields.io endpoint", text: `${pageUrl}/badge.json` },
  ]);
});

test("behavior 15.93: a badge of a component says what it shows, except for its status", () => {
  const uptime = { ...status, component: "a b", kind: "uptime" as const };
  expect(badgeUrl(uptime, "svg")).toBe(`${pageUrl}/components/a%20b/badge.svg?kind=uptime`);
  expect(badgeUrl({ ...uptime, kind: "status" }, "json")).toBe(`${pageUrl}/components/a%20b/badge.json`);
});

test("behavior 15.93: a name with special characters stays text in HTML and in Markdown", () => {
  const [html, markdown] = badgeSnippets({ ...status, alt: `a "b" <i>&\n[x](y)` });
  expect(html?.text).toContain('alt="a &quot;b&quot; &lt;i&gt;&amp;\n[x](y)"');
  expect(markdown?.text).toStartWith('[![a "b" \\<i\\>& \\[x\\](y)](https://');
});

test("behavior 15.93: only components have an uptime, and a latency only if the page shows it", () => {
  expect(offeredKinds(null, true)).toEqual(["status"]);
  expect(offeredKinds("x", false)).toEqual(["status", "uptime"]);
  expect(offeredKinds("x", true)).toEqual(["status", "uptime", "latency"]);
});

test("behavior 15.93: a page has addresses for readers, feed readers and programs", () => {
  expect(pageLinks(pageUrl).map(({ text }) => text)).toEqual([
    pageUrl,
    `${pageUrl}/feed.atom`,
    `${pageUrl}/api/v2/summary.json`,
  ]);
});

test("behavior 17.27: the frame for other sites is offered if a site may embed the page", () => {
  const page = { title: 'Shop "A"', embedOrigins: ["https://www.example.com"] };
  expect(embedSnippets(page, "https://up.example/status/shop")).toEqual([
    {
      label: "Frame",
      text: '<iframe src="https://up.example/status/shop?embed" title="Shop &quot;A&quot;" width="100%" height="600" style="border:0"></iframe>',
    },
  ]);
  expect(embedSnippets({ ...page, embedOrigins: [] }, "https://up.example/status/shop")).toEqual([]);
});
