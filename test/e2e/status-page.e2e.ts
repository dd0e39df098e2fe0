import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { isAccessible } from "../support/browser/accessibility.ts";
import { holds } from "../support/browser/becomes.ts";
import { leave, PATIENCE, ServedPage } from "../support/browser/served-page.ts";
import { isLong } from "../support/long.ts";
import { createIncident, createPage } from "../support/requests/pages.ts";

const SLUG = "shop";
const UNSENT = ["--smtp-url", "smtp://127.0.0.1:1", "--smtp-from", "status@shop.example"];

let served: ServedPage;
beforeAll(async () => {
  served = await ServedPage.start(UNSENT);
  const { port } = new URL(served.server.url);
  const up = { host: "127.0.0.1", port: Number(port), interval: 3600 };
  const healthy = await served.monitor("TCP", up, { name: "internal name" });
  const down = await served.monitor("TCP", { ...up, port: 1 });
  const page = await createPage(served.api, {
    slug: SLUG,
    title: "Shop status",
    description: "What works and what does not.",
    visibility: "public",
    minOutage: 0,
    showLatency: true,
    components: [
      { monitorId: healthy.id, name: "Website" },
      { monitorId: healthy.id, name: "متجر القاهرة", group: "الخدمات" },
      { monitorId: down.id, name: "Checkout", group: "الخدمات" },
    ],
  });
  await createIncident(served.api, page.id, {
    title: "Payments are slow",
    updates: [
      { status: "investigating", body: "We **look** for the cause." },
      { status: "resolved", body: "Payments work again." },
    ],
  });
  await holds(async () => {
    const text = await (await fetch(`${served.server.url}/status/${SLUG}`)).text();
    expect(text.match(/Checkout is down/g)?.length).toBeGreaterThan(0);
    expect(text.match(/No problems, 100\.00%/g)?.length).toBeGreaterThan(1);
  });
}, PATIENCE);
afterAll(() => served[Symbol.asyncDispose]());

const WIDTHS = [320, 360, 1280];

describe.each([
  ["light", isLong ? WIDTHS : [320, 1280]],
  ["dark", isLong ? WIDTHS : [360]],
] as const)("in %s", (colorScheme, widths) => {
  test.each(widths)(
    "behavior 15.44: axe-core finds nothing, and nothing is wider than a window of %d pixels",
    async (width) => {
      const look = { colorScheme, viewport: { width, height: 780 } };
      const reader = await served.browser.reader(served.server.url, look);
      const { page } = reader;
      await page.goto(`/status/${SLUG}`);
      await isAccessible(page);
      expect(await widthOf(page)).toBeLessThanOrEqual(width);
      await page.locator("summary.scale").last().click();
      await page.getByRole("link", { name: "Payments are slow" }).click();
      await page.getByRole("heading", { name: "Payments are slow", level: 1 }).waitFor();
      await isAccessible(page);
      await page.goto("/status/none");
      await page.getByRole("heading", { name: "Page not found" }).waitFor();
      await isAccessible(page);
      await leave(reader);
    },
    PATIENCE,
  );
});

test(
  "behavior 15.40, 15.42: the page needs no script, and loads nothing but its icon",
  async () => {
    const context = await served.browser.chromium.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    const loaded: string[] = [];
    const faults: string[] = [];
    page.on("request", (request) => loaded.push(request.url()));
    page.on("console", (message) => faults.push(message.text()));
    await page.goto(`${served.server.url}/status/${SLUG}`);
    await page.getByRole("heading", { name: "Partial System Outage" }).waitFor();
    expect(await page.title()).toBe("Partial System Outage – Shop status");
    expect(await page.getByRole("listitem").filter({ hasText: "Checkout" }).first().textContent()).toContain(
      "Major outage",
    );
    expect(await page.getByText("internal name").count()).toBe(0);
    await page.getByText("1 earlier update").click();
    await page.getByText("We look for the cause.").waitFor();
    await context.close();
    const others = loaded.filter((url) => !url.startsWith(`${served.server.url}/status/${SLUG}`));
    expect({ others, faults }).toEqual({ others: [], faults: [] });
  },
  PATIENCE,
);

test(
  "behavior 15.41: a bar that is pointed at names its day",
  async () => {
    const reader = await served.browser.reader(served.server.url);
    const { page } = reader;
    await page.goto(`/status/${SLUG}`);
    await page.locator(".days i").first().hover();
    const shown = await page.evaluate<string>(
      "getComputedStyle(document.querySelector('.days i'), '::after').content",
    );
    expect(shown).toMatch(/^"[A-Z][a-z]{2} \d+: No data"$/);
    await leave(reader);
  },
  PATIENCE,
);

test(
  "behavior 15.44: the keyboard reaches all that is folded, the incidents and the subscription",
  async () => {
    const reader = await served.browser.reader(served.server.url);
    const { page } = reader;
    await page.goto(`/status/${SLUG}`);
    const reached: string[] = [];
    for (let press = 0; press < 12; press++) {
      await page.keyboard.press("Tab");
      reached.push(await page.evaluate<string>("document.activeElement.textContent.trim()"));
    }
    for (const part of ["Subscribe", "الخدمات", "with problems", "Payments are slow", "1 earlier update"])
      expect(reached.some((text) => text.includes(part))).toBe(true);
    await leave(reader);
  },
  PATIENCE,
);

test(
  "behavior 15.44: on paper, the page is light, shows all updates and has no form",
  async () => {
    const reader = await served.browser.reader(served.server.url, { colorScheme: "dark" });
    const { page } = reader;
    await page.goto(`/status/${SLUG}`);
    await page.getByText("We look for the cause.").waitFor({ state: "hidden" });
    await page.emulateMedia({ media: "print" });
    await page.getByText("We look for the cause.").waitFor();
    expect(await page.getByRole("button", { name: "Subscribe" }).isVisible()).toBe(false);
    expect(await page.evaluate<string>("getComputedStyle(document.querySelector('h1')).color")).toBe(
      "rgb(22, 25, 31)",
    );
    await leave(reader);
  },
  PATIENCE,
);

test(
  "behavior 15.44: a name from right to left stays at the start of its line",
  async () => {
    const reader = await served.browser.reader(served.server.url);
    const { page } = reader;
    await page.goto(`/status/${SLUG}`);
    const starts = await page
      .locator(".name bdi")
      .evaluateAll((names) => names.map((name) => (name as unknown as Placed).getBoundingClientRect().left));
    expect(starts).toHaveLength(3);
    expect(new Set(starts).size).toBe(1);
    await leave(reader);
  },
  PATIENCE,
);

/** The tests have no types of a browser. */
interface Placed {
  getBoundingClientRect(): { left: number };
}

function widthOf(page: Page): Promise<number> {
  return page.evaluate("document.documentElement.scrollWidth");
}
