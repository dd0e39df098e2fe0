import { expect, test } from "bun:test";
import { parseFeed } from "@rowanmanning/feed-parser";
import type { PublicPage } from "../../src/domain/pages/public-page.ts";
import { feed } from "../../src/status-page/feed.ts";
import { EXAMPLE_NOW } from "../support/pages/example-events.ts";
import { calmPage, exampleId, examplePage } from "../support/pages/example-page.ts";
import { english } from "../support/pages/languages.ts";
import { faultsOf, xpath } from "../support/pages/xml.ts";
import { isMissing } from "../support/requirements.ts";

const URL = "https://status.example";
const context = { url: URL, local: english() };
const MINUTE = 60_000;

function parsed(page: PublicPage = examplePage(), url = URL) {
  return parseFeed(feed(page, { ...context, url }));
}

const SCHEMA = `${import.meta.dir}/../support/pages/atom.rng`;
const hasNoValidator = isMissing(["xmllint"]);

test.skipIf(hasNoValidator)(
  "behavior 15.59: the feed is valid Atom, whatever names and texts contain",
  async () => {
    const hostile = 'a\u0000b \ud800 ]]> & <x> "y"\ufffe';
    const [first] = examplePage().incidents;
    const update = {
      id: exampleId(9),
      status: "identified" as const,
      body: hostile,
      createdAt: EXAMPLE_NOW,
      editedAt: null,
    };
    const incidents = first ? [{ ...first, title: hostile, updates: [update] }] : [];
    const pages = [
      examplePage(),
      calmPage(),
      calmPage({ description: null }),
      calmPage({ title: hostile, description: hostile, incidents }),
    ];
    for (const page of pages) expect(await faultsOf(feed(page, context), SCHEMA)).toBe("");
  },
);

test.skipIf(hasNoValidator)("a fault in a feed is found", async () => {
  const text = feed(examplePage(), context);
  expect(await faultsOf(text.replace(/<updated>[^<]*/, "<updated>yesterday"), SCHEMA)).toContain("dateTime");
  expect(await faultsOf(text.replace(/<id>[^<]*<\/id>/, ""), SCHEMA)).toContain("fails to validate");
  expect(await faultsOf(text.replace("</entry>", ""), SCHEMA)).toContain("parser error");
});

test("behavior 15.59: a feed reader sees the incidents and outages, the latest updated first", () => {
  const { title, description, url, self, updated, authors, items } = parsed();
  expect({ title, description, url, self }).toEqual({
    title: "Example status",
    description: "All services of Example, and what we do about their faults.",
    url: URL,
    self: `${URL}/feed.atom`,
  });
  expect(authors[0]?.name).toBe("Example status");
  expect(updated?.getTime()).toBe(EXAMPLE_NOW - 25 * MINUTE);
  expect(items.map((item) => item.title)).toEqual([
    "Checkout is down",
    "Payments are slow <for some>",
    "Search is degraded",
    "تعطل المتجر",
    "A note without components or updates",
  ]);
  expect(items[1]?.published?.getTime()).toBe(EXAMPLE_NOW - 120 * MINUTE);
  expect(items[1]?.updated?.getTime()).toBe(EXAMPLE_NOW - 90 * MINUTE);
  expect(items[1]?.url).toBe(`${URL}/incidents/${examplePage().incidents[1]?.id}`);
  expect(items[1]?.categories[0]?.term).toBe("minor");
});

test.skipIf(hasNoValidator)(
  "behavior 15.60: an entry has the affected components and all updates, the newest first, as HTML",
  async () => {
    const content = await xpath(
      feed(examplePage(), context),
      "string(//*[local-name()='content'][contains(., 'provider')])",
    );
    expect(content).toStartWith(
      "<p>Identified<br>\nAffected: <bdi>בדיקת תשלומים</bdi>, <bdi>Checkout</bdi></p>",
    );
    expect(content).toContain("The provider <strong>confirms</strong> the fault:");
    expect(content.indexOf("Nov 22, 2026, 14:00 UTC")).toBeLessThan(
      content.indexOf("Nov 22, 2026, 13:30 UTC"),
    );
    expect(content).toContain("&lt;script&gt;");
    expect(content).not.toContain("<script>");
  },
);

test("behavior 15.60: the ID of an entry differs from all others, and stays the same when the page moves", () => {
  const ids = parsed().items.map(({ id }) => id);
  expect(new Set(ids).size).toBe(5);
  for (const id of ids) expect(id).toMatch(/^urn:uuid:/);
  expect(parsed(examplePage({ slug: "new" }), "https://new.example").items.map(({ id }) => id)).toEqual(ids);
  const [other] = parsed(examplePage({ id: exampleId(2) })).items;
  expect(ids).not.toContain(other?.id as string);
});

test("behavior 15.59: a feed without incidents is empty, and was updated with the page", () => {
  const { items, updated } = parsed(calmPage());
  expect(items).toEqual([]);
  expect(updated?.getTime()).toBe(EXAMPLE_NOW - 5 * MINUTE);
});
