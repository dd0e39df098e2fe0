import { expect, setDefaultTimeout, test } from "bun:test";
import { isAccessible } from "../support/browser/accessibility.ts";
import { becomes } from "../support/browser/becomes.ts";
import { MAX_SHIFT, observeShifts, shiftOf } from "../support/browser/layout-shift.ts";
import { PATIENCE, ServedPage } from "../support/browser/served-page.ts";
import { longTest } from "../support/long.ts";
import { untilEndOfFile } from "../support/until-end.ts";

setDefaultTimeout(PATIENCE);

const served = await untilEndOfFile(ServedPage.start());

test("behavior 16.375, 16.376, 16.377: while the server is slow, the menu and a skeleton are there, and nothing moves after it", async () => {
  await using reader = await served.signedIn();
  const { page } = reader;
  await observeShifts(page);
  const held = Promise.withResolvers<void>();
  await page.route("**/api/v1/**", async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.goto("/reports", { waitUntil: "commit" });
  const nav = page.getByRole("navigation", { name: "Main" });
  await nav.getByRole("list", { name: "Share" }).getByRole("link", { name: "Reports" }).waitFor();
  await becomes(() => page.locator("main[aria-busy] .skeleton").count(), 1);
  expect(await nav.locator("[aria-current]").allTextContents()).toEqual(["Reports"]);
  held.resolve();
  await page.getByRole("heading", { name: /^Report of/, level: 1 }).waitFor();
  await page.getByText("owner key").waitFor();
  expect(await shiftOf(page)).toBeLessThanOrEqual(MAX_SHIFT);

  await page.keyboard.press("?");
  const dialog = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await dialog.getByText("Outages").waitFor();
  await dialog.getByRole("button", { name: "Close" }).click();
  await page.keyboard.press("g");
  await page.keyboard.press("u");
  await page.getByRole("heading", { name: "Outages", level: 1 }).waitFor();
});

longTest(
  "behavior 16.375: a screen that is magnified to 200 % and one of 320 pixels have the menu below, and fit a monitor",
  async () => {
    await using reader = await served.opened("/", { viewport: { width: 720, height: 450 } });
    const { page } = reader;
    await page.getByRole("link", { name: "Database" }).waitFor();
    const heights =
      "new Set([...document.querySelectorAll('.first-monitor-types a')].map((a) => a.offsetHeight)).size";
    expect(await page.evaluate<number>(heights)).toBe(1);
    const { id } = await served.monitor("TCP", { host: "127.0.0.1", port: 1, interval: 3600 }, { name: "x" });
    await page.goto(`/monitors/${id}`);
    await page.getByRole("heading", { name: "x", level: 1 }).waitFor();
    const overflow = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
    const menu = page.getByRole("navigation", { name: "Main" });
    await becomes(async () => (await menu.boundingBox())?.height, 61);
    expect(await page.evaluate<number>(overflow)).toBe(0);
    await page.setViewportSize({ width: 320, height: 640 });
    const frames = page.locator(".segments");
    await frames.first().waitFor();
    await becomes(() => page.evaluate<number>(overflow), 0);
    const tooWide =
      "[...document.querySelectorAll('.segments, .shell-nav a')].filter((one) => one.scrollWidth > one.clientWidth).length";
    expect(await page.evaluate<number>(tooWide)).toBe(0);
    await served.api.delete(`/api/v1/monitors/${id}`);
  },
);

longTest(
  "behavior 14.93: the overview is filtered by tags, and this browser keeps filters as views",
  async () => {
    const tags = { shop: ["web", "eu"], blog: ["web"], database: ["eu"], other: [] };
    for (const [name, own] of Object.entries(tags))
      await served.monitor("SCHEDULED", {}, { name, tags: own });
    await using reader = await served.opened("/");
    const { page } = reader;
    const list = page.getByRole("list", { name: "Monitors" });
    const shown = (expected: string[]) => becomes(() => list.getByRole("link").allTextContents(), expected);
    const tag = (name: string) => page.getByRole("group", { name: "Tags" }).getByRole("button", { name });
    await shown(["blog", "database", "other", "shop"]);
    await tag("web 2").click();
    await shown(["blog", "shop"]);
    await becomes(() => tag("web 2").getAttribute("aria-pressed"), "true");
    await tag("eu 2").click();
    await shown(["shop"]);
    await becomes(() => new URL(page.url()).searchParams.get("tag"), "web,eu");
    await page.reload();
    await shown(["shop"]);
    await tag("eu 2").click();
    await shown(["blog", "shop"]);

    const views = page.getByRole("navigation", { name: "Saved views" });
    await views.getByRole("button", { name: "Save view" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("button", { name: "Save view" }).click();
    expect(
      await dialog
        .getByLabel("Name")
        .evaluate((field) => (field as unknown as { validity: { valid: boolean } }).validity.valid),
    ).toBe(false);
    await dialog.getByLabel("Name").fill("The <b>web</b>");
    await page.keyboard.press("Enter");
    const view = views.getByRole("link", { name: "The <b>web</b>" });
    await view.waitFor();
    await becomes(() => view.getAttribute("aria-current"), "true");
    await view.click();
    await shown(["blog", "database", "other", "shop"]);
    await becomes(() => view.getAttribute("aria-current"), null);

    const second = await reader.context.newPage();
    await second.goto("/");
    const elsewhere = second.getByRole("navigation", { name: "Saved views" });
    await elsewhere.getByRole("link", { name: "The <b>web</b>" }).click();
    await second.getByText("2 monitors shown").waitFor({ state: "attached" });
    await elsewhere.getByRole("button", { name: "Delete view" }).click();
    await elsewhere.getByRole("button", { name: "Save view" }).waitFor();
    await views.waitFor({ state: "detached" });
  },
);

test("behavior 16.372, 16.373, 16.374, 16.375: the search leads to a monitor, the title counts what is down, and the theme stays", async () => {
  await using own = await ServedPage.start();
  const { id } = await own.monitor("SCHEDULED", {}, { name: "Payment" });
  await using reader = await own.opened("/");
  const { page } = reader;
  await becomes(() => page.title(), "Overview · stillup");
  await page.getByRole("button", { name: "Search" }).waitFor();
  await own.api.post(`/api/v1/monitors/${id}/checkin?status=fail`);
  await becomes(() => page.title(), "(1) Overview · stillup");
  const icon = page.locator('link[rel="icon"]');
  await becomes(async () => (await icon.getAttribute("href"))?.includes("icon-down"), true);

  await page.keyboard.press("Control+k");
  const field = page.getByRole("combobox", { name: "Search for a monitor, view or action" });
  await field.fill("payme");
  await page.getByRole("option", { name: /Payment/, selected: true }).waitFor();
  await isAccessible(page);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Payment", level: 1 }).waitFor();
  await becomes(() => page.title(), "(1) Payment · stillup");

  await page.keyboard.press("Control+k");
  await field.fill("dark theme");
  await page.keyboard.press("Enter");
  const theme = () => page.locator("html").getAttribute("data-theme");
  await becomes(theme, "dark");
  await page.reload();
  await becomes(theme, "dark");
  await page.getByRole("heading", { name: "Payment", level: 1 }).waitFor();

  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole("button", { name: "More", exact: true }).click();
  await page.getByRole("dialog").getByRole("link", { name: "Channels" }).click();
  await page.getByRole("heading", { name: "Channels", level: 1 }).waitFor();
  await page.getByRole("dialog").waitFor({ state: "detached" });
});

longTest(
  "behavior 16.361, 16.362, 16.363: a link of the wall shows the monitors to a reader without a key, until it is deleted",
  async () => {
    await using own = await ServedPage.start();
    const { id } = await own.monitor("SCHEDULED", {}, { name: "Payment", tags: ["shop"] });
    await own.monitor("SCHEDULED", {}, { name: "Other" });
    await using admin = await own.opened("/settings");
    await admin.page.getByRole("button", { name: "New link" }).click();
    const dialog = admin.page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("Office");
    await dialog.getByLabel("Tag").fill("shop");
    await dialog.getByRole("button", { name: "Create link" }).click();
    const link = (await dialog.locator("code, output, pre").first().textContent())?.trim() ?? "";
    await dialog.getByRole("button", { name: "Done" }).click();

    await using screen = await own.browser.reader(own.server.url, {
      viewport: { width: 1920, height: 1080 },
    });
    const { page } = screen;
    await page.goto(new URL(link).pathname);
    const tiles = page.locator(".wall-tile");
    await becomes(() => tiles.allTextContents(), ["PaymentWaiting"]);
    await own.api.post(`/api/v1/monitors/${id}/checkin?status=fail`);
    await page.locator(".wall-tile-down").waitFor();
    await becomes(() => page.title(), "(1) Office · stillup");
    await isAccessible(page);

    await screen.context.setOffline(true);
    await page.getByText("Connection lost.").waitFor();
    await becomes(() => tiles.count(), 1);
    await screen.context.setOffline(false);
    await page.getByText("Connection lost.").waitFor({ state: "detached" });

    await admin.page.getByRole("button", { name: "Delete the link Office" }).click();
    await admin.page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByText("This link does not work.").waitFor();
    await becomes(() => tiles.count(), 0);
    await screen.leave(/ERR_INTERNET_DISCONNECTED|Failed to load resource/);
  },
);
