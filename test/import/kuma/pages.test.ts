import { expect, test } from "bun:test";
import { importedFrom, kumaMonitor } from "../../support/import/kuma.ts";

const MONITORS = [
  kumaMonitor({ id: 1, name: "Shop" }),
  kumaMonitor({ id: 2, name: "Blog" }),
  kumaMonitor({ id: 3, name: "Router", type: "docker" }),
];

test("behavior 16.101: a status page keeps its address, and its groups in their order", () => {
  const { document, omitted } = importedFrom({
    monitors: MONITORS,
    pages: [
      { id: 1, slug: "Default", title: "Our services", description: "Hello", published: 1, footer_text: "x" },
    ],
    pageDomains: [{ status_page_id: 1, domain: "status.example.com" }],
    groups: [
      { id: 5, name: "Later", weight: 2, status_page_id: 1 },
      { id: 6, name: "Sooner", weight: 1, status_page_id: 1 },
    ],
    monitorGroups: [
      { monitor_id: 1, group_id: 5, weight: 2 },
      { monitor_id: 2, group_id: 5, weight: 1 },
      { monitor_id: 3, group_id: 6, weight: 1 },
      { monitor_id: 1, group_id: 6, weight: 2 },
    ],
  });
  expect(document.pages).toEqual({
    "our-services": {
      ...{ title: "Our services", slug: "default", description: "Hello", visibility: "public" },
      components: [
        { monitorId: "shop", group: "Sooner" },
        { monitorId: "blog", group: "Later" },
        { monitorId: "shop", group: "Later" },
      ],
    },
  });
  const parts = omitted.filter(({ what }) => what.startsWith("status page")).map(({ what }) => what);
  expect(parts).toEqual(
    ["monitors", "domain names", "footer"].map((part) => `status page "Our services", ${part}`),
  );
});

test("behavior 16.101: a page that is not published is off, and one without a usable slug is left out", () => {
  const { document, omitted } = importedFrom({
    pages: [
      { id: 1, slug: "a", title: "", published: 0 },
      { id: 2, slug: "a_b", title: "B" },
      { id: 3, slug: "A", title: "C" },
    ],
  });
  expect(document.pages).toEqual({ a: { slug: "a" } });
  expect(omitted).toEqual([
    { what: 'status page "B"', why: expect.stringContaining("slug must be") },
    { what: 'status page "C"', why: "another page has the same slug" },
  ]);
});
