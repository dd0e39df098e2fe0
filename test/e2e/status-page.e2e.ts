import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import type { Page } from "playwright-core";
import { isAccessible } from "../support/browser/accessibility.ts";
import { becomes, holds } from "../support/browser/becomes.ts";
import { PATIENCE, ServedPage } from "../support/browser/served-page.ts";
import { isLong, longTest } from "../support/long.ts";
import { createIncident, createPage, PAGES } from "../support/requests/pages.ts";

setDefaultTimeout(PATIENCE);

const SLUG = "shop";
const UNSENT = ["--smtp-url", "smtp://127.0.0.1:1", "--smtp-from", "status@shop.example"];

let served: ServedPage;
let shop: { id: string };
beforeAll(async () => {
  served = await ServedPage.start(UNSENT);
  const { port } = new URL(served.server.url);
  const up = { host: "127.0.0.1", port: Number(port), interval: 3600 };
  const healthy = await served.monitor("TCP", up, { name: "internal name" });
  const down = await served.monitor("TCP", { ...up, port: 1 });
  shop = await createPage(served.api, {
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
  await createIncident(served.api, shop.id, {
    title: "Payments are slow",
    updates: [
      { status: "investigating", body: "We **look** for the cause." },
      { status: "resolved", body: "Payments work again." },
    ],
  });
  await holds(async () => {
    const text = await documentText();
    expect(text.match(/<bdi>Checkout<\/bdi> is down/g)?.length).toBeGreaterThan(0);
    expect(text.match(/No problems, 100\.00%/g)?.length).toBeGreaterThan(1);
  });
}, PATIENCE);
afterAll(() => served[Symbol.asyncDispose]());

async function documentText(): Promise<string> {
  return (await fetch(`${served.server.url}/status/${SLUG}`)).text();
}

const LOOKS = (["light", "dark"] as const).flatMap((scheme) =>
  [320, 360, 1280].map((width) => [scheme, width] as const),
);

test.each(isLong ? LOOKS : LOOKS.slice(3, 4))(
  "behavior 15.44: in %s, axe-core finds nothing, and nothing is wider than a window of %d pixels",
  async (colorScheme, width) => {
    const look = { colorScheme, viewport: { width, height: 780 } };
    await using reader = await served.browser.reader(served.server.url, look);
    const { page } = reader;
    await page.goto(`/status/${SLUG}`);
    await isAccessible(page);
    expect(await widthOf(page)).toBeLessThanOrEqual(width);
    await page.locator("summary.figures").last().click();
    await page.locator(".days summary").last().click();
    await isAccessible(page);
    await page.getByRole("link", { name: "Payments are slow" }).click();
    await page.getByRole("heading", { name: "Payments are slow", level: 1 }).waitFor();
    await isAccessible(page);
    await page.goto("/status/none");
    await page.getByRole("heading", { name: "Page not found" }).waitFor();
    await isAccessible(page);
  },
  PATIENCE,
);

test("behavior 15.40, 15.42, 15.106: the page needs no script, and loads nothing but its icon", async () => {
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
  // Behavior 15.106: the card of a day opens with the pointer on it, with the focus, and by tap.
  const [bar, card] = [page.locator(".days summary").last(), page.locator(".tip").last()];
  expect(await card.isVisible()).toBe(false);
  await bar.hover();
  await card.getByRole("link", { name: "Checkout is down" }).waitFor();
  await page.mouse.move(0, 0);
  await card.waitFor({ state: "hidden" });
  await bar.focus();
  await card.waitFor();
  await page.getByRole("link", { name: "Subscribe" }).focus();
  await card.waitFor({ state: "hidden" });
  await bar.click();
  await page.mouse.move(0, 0);
  await card.getByRole("link", { name: "Checkout is down" }).click();
  await page.getByRole("heading", { name: "Checkout is down", level: 1 }).waitFor();
  await context.close();
  const others = loaded.filter((url) => !url.startsWith(`${served.server.url}/status/${SLUG}`));
  expect({ others, faults }).toEqual({ others: [], faults: [] });
});

test.each(isLong ? ["en", "ar"] : ["ar"])(
  "behavior 15.41, 15.44: a bar that is pointed at names its day within the window, in %s",
  async (locale) => {
    const width = 320;
    await using reader = await served.browser.reader(served.server.url, {
      locale,
      viewport: { width, height: 780 },
    });
    const { page } = reader;
    await page.goto(`/status/${SLUG}`);
    const shown = await page.evaluate<string>(`(() => {
      const bars = [...document.querySelector(".days").children];
      const [text] = bars.map((bar) => bar.dataset.t);
      for (const bar of bars) bar.dataset.t = "Wednesday, September 30: No problems";
      return text;
    })()`);
    if (locale === "en") expect(shown).toMatch(/^[A-Z][a-z]{2} \d+: No data$/);
    for (const bar of [0, 19, 20, 45, 69, 70, 89]) {
      await page.locator(".days i").nth(bar).hover();
      const look = await page.evaluate<string>(
        `getComputedStyle(document.querySelectorAll(".days i")[${bar}], "::after").content`,
      );
      expect(look).toContain("No problems");
      expect(await widthOf(page)).toBe(width);
    }
  },
);

test("behavior 15.107: the switch chooses the other color scheme, which stays, and the scheme of the system again", async () => {
  await using reader = await served.browser.reader(served.server.url, { colorScheme: "light" });
  const { page } = reader;
  await page.goto(`/status/${SLUG}`);
  const button = page.getByRole("button", { name: "Dark mode" });
  const ground = () => page.evaluate<string>("getComputedStyle(document.body).backgroundColor");
  const light = await ground();
  expect(await button.getAttribute("aria-pressed")).toBe("false");
  await button.click();
  const dark = await ground();
  expect(dark).not.toBe(light);
  await page.reload();
  expect([await ground(), await button.getAttribute("aria-pressed")]).toEqual([dark, "true"]);
  await button.click();
  expect(await ground()).toBe(light);
  await page.reload();
  await page.emulateMedia({ colorScheme: "dark" });
  expect(await ground()).toBe(dark);
  // The page knows it a moment later.
  await becomes(() => button.getAttribute("aria-pressed"), "true");
});

test("behavior 15.44: the keyboard reaches all that is folded, the incidents and the subscription", async () => {
  await using reader = await served.browser.reader(served.server.url);
  const { page } = reader;
  await page.goto(`/status/${SLUG}`);
  const reached: string[] = [];
  for (let press = 0; press < 18; press++) {
    await page.keyboard.press("Tab");
    reached.push(await page.evaluate<string>("document.activeElement.textContent.trim()"));
  }
  for (const part of ["Subscribe", "الخدمات", "with problems", "Payments are slow", "1 earlier update"])
    expect(reached.some((text) => text.includes(part))).toBe(true);
});

const LOCALES = [
  ["ar-EG", "rtl", "تعطّل Checkout", "الأوقات بمنطقتك الزمنية"],
  ["ja-JP", "ltr", "Checkout が停止しています", "お使いのタイムゾーン"],
] as const;

test.each(isLong ? LOCALES : LOCALES.slice(0, 1))(
  "behavior 21.2, 21.7, 21.11: a browser in %s gets the page in its language and direction, with its dates",
  async (locale, direction, outage, zone) => {
    const look = { locale, timezoneId: "Asia/Tokyo", viewport: { width: 320, height: 780 } };
    await using reader = await served.browser.reader(served.server.url, look);
    const { page } = reader;
    await page.goto(`/status/${SLUG}`);
    await page.getByRole("heading", { name: outage }).waitFor();
    await page.getByText(zone).waitFor();
    const changed = page.locator(".overall time");
    const at = new Date((await changed.getAttribute("datetime")) ?? "");
    const clock = { hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZone: "Asia/Tokyo" } as const;
    expect(await changed.textContent()).toContain(new Intl.DateTimeFormat(locale, clock).format(at));
    await isAccessible(page);
    expect(await widthOf(page)).toBeLessThanOrEqual(320);
    const isForward = await page.evaluate<boolean>(`(() => {
      const places = [...document.querySelector(".days").children].map((bar) => bar.getBoundingClientRect().left);
      return places[0] < places.at(-1);
    })()`);
    expect(isForward).toBe(direction === "ltr");
  },
);

test("behavior 17.10, 17.11, 17.12, 17.13: with a script, times are local, and the page refreshes itself around what the reader does", async () => {
  await using reader = await served.browser.reader(served.server.url, { timezoneId: "Asia/Kolkata" });
  const { page } = reader;
  await page.clock.install();
  await page.goto(`/status/${SLUG}`);
  await page.getByText("Times are in your time zone, Asia/").waitFor();
  const updated = page.locator(".overall time");
  const at = new Date((await updated.getAttribute("datetime")) ?? "");
  const local = new Date(at.getTime() + 5.5 * 3_600_000).toISOString().slice(11, 16);
  expect(await updated.textContent()).toEndWith(`, ${local}`);
  expect(await updated.getAttribute("title")).toBe(`${at.toISOString().slice(0, 16).replace("T", " ")} UTC`);

  await page.locator("summary.figures").last().click();
  await page.locator("details.group > summary").first().focus();
  await page.getByLabel("E-mail address").fill("reader@shop.example");
  await page.getByText("1 earlier update").click();
  const state = () =>
    page.evaluate<unknown>(`[
        document.querySelector("input").value, document.activeElement.textContent, scrollY > 0,
        document.querySelector("details.trouble[open], details.earlier[open]") !== null,
      ]`);
  const before = await state();
  // The server reads its pages again after half a second, but the script only after another minute.
  const isServed = async () => (await documentText()).includes("Search fails");
  const written = await createIncident(served.api, shop.id, { title: "Search fails" });
  await becomes(isServed, true);
  await page.clock.fastForward(60_000);
  await page.getByRole("link", { name: "Search fails" }).waitFor();
  expect(await state()).toEqual(before);
  expect(await page.locator("details[open]").count()).toBe(3);

  await reader.context.setOffline(true);
  for (let minute = 0; minute < 6; minute++) await page.clock.fastForward(60_000);
  await page
    .getByRole("status")
    .filter({ hasText: /^Could not refresh since [A-Z]/ })
    .waitFor();
  await isAccessible(page);
  await reader.context.setOffline(false);
  await served.api.delete(`${PAGES}/${shop.id}/incidents/${written.id}`);
  await becomes(isServed, false);
  await page.clock.fastForward(60_000);
  await page.getByRole("link", { name: "Search fails" }).waitFor({ state: "detached" });
  await page.getByRole("status").waitFor({ state: "hidden" });

  const fetched: string[] = [];
  page.on("request", (request) => fetched.push(request.url()));
  const show = (isHidden: boolean) =>
    page.evaluate(`Object.defineProperty(document, "hidden", { value: ${isHidden}, configurable: true });
        document.dispatchEvent(new Event("visibilitychange"))`);
  await show(true);
  await page.clock.fastForward(180_000);
  expect(fetched).toEqual([]);
  await show(false);
  await becomes(() => fetched.length, 1);
  reader.errors.length = 0;
});

longTest("behavior 15.44: on paper, the page is light, shows all updates and has no form", async () => {
  await using reader = await served.browser.reader(served.server.url, { colorScheme: "dark" });
  const { page } = reader;
  await page.goto(`/status/${SLUG}`);
  await page.getByText("We look for the cause.").waitFor({ state: "hidden" });
  await page.emulateMedia({ media: "print" });
  await page.getByText("We look for the cause.").waitFor();
  expect(await page.getByRole("button", { name: "Subscribe" }).isVisible()).toBe(false);
  expect(await page.evaluate<string>("getComputedStyle(document.querySelector('h1')).color")).toBe(
    "rgb(22, 25, 31)",
  );
});

longTest("behavior 15.44: a name from right to left stays at the start of its line", async () => {
  await using reader = await served.browser.reader(served.server.url);
  const { page } = reader;
  await page.goto(`/status/${SLUG}`);
  const starts = await page
    .locator(".name bdi")
    .evaluateAll((names) => names.map((name) => (name as unknown as Placed).getBoundingClientRect().left));
  expect(starts).toHaveLength(3);
  expect(new Set(starts).size).toBe(1);
});

/** The tests have no types of a browser. */
interface Placed {
  getBoundingClientRect(): { left: number };
}

function widthOf(page: Page): Promise<number> {
  return page.evaluate("document.documentElement.scrollWidth");
}
