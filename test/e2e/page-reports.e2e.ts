import { expect, setDefaultTimeout } from "bun:test";
import type { Page } from "playwright-core";
import { isAccessible } from "../support/browser/accessibility.ts";
import { becomes } from "../support/browser/becomes.ts";
import { PATIENCE, ServedPage } from "../support/browser/served-page.ts";
import { longTest as test } from "../support/long.ts";
import { untilEndOfFile } from "../support/until-end.ts";

setDefaultTimeout(PATIENCE);

const port = { host: "127.0.0.1", port: 1, interval: 3600 };
const served = await untilEndOfFile(ServedPage.start());
await served.monitor("TCP", port, { name: "tagged", tags: ["web"] });
await served.monitor("TCP", port, { name: "untagged" });

test("behavior 14.98: the report of a month is chosen by month and tag, in the address, and printed without controls", async () => {
  await using reader = await served.opened("/reports", { locale: "en-US", colorScheme: "dark" });
  const { page } = reader;
  const table = page.getByRole("region", { name: "Table of monitors" });
  await table.getByRole("link", { name: "untagged" }).waitFor();
  await page.getByLabel("Tag", { exact: true }).selectOption("web");
  await page.getByRole("heading", { name: /, tag web$/, level: 1 }).waitFor();
  await table.getByRole("link", { name: "untagged" }).waitFor({ state: "detached" });
  await table.getByRole("link", { name: "tagged" }).waitFor();
  const menu = page.getByRole("button", { name: /^Month:/ });
  await menu.click();
  const options = page.getByRole("dialog", { name: "Month" }).getByRole("button");
  await becomes(() => options.count(), 13);
  const months = await options.allTextContents();
  await page.getByRole("button", { name: months[1] ?? "", exact: true }).click();
  await page.getByRole("heading", { name: `Report of ${months[1]}, tag web`, level: 1 }).waitFor();
  await page.reload();
  await page.getByRole("heading", { name: `Report of ${months[1]}, tag web`, level: 1 }).waitFor();
  await table.waitFor();
  await isAccessible(page);
  await page.getByLabel("Target in %").fill("99.9");
  await page.getByText("Below 99.9%").waitFor();
  await page.reload();
  await page.getByText("Below 99.9%").waitFor();
  await isAccessible(page);
  await page.emulateMedia({ media: "print" });
  await page.getByRole("button", { name: "Print" }).waitFor({ state: "hidden" });
  await page.getByRole("navigation").waitFor({ state: "hidden" });
  await table.waitFor();
  await becomes(() => page.evaluate<string>("getComputedStyle(document.body).color"), "rgb(27, 29, 33)");
});

test("behavior 14.99: results and outages are downloaded as CSV files", async () => {
  await using reader = await served.opened("/reports");
  const { page } = reader;
  const link = page.getByRole("link", { name: "Outages of the month as CSV" });
  expect(await download(page, () => link.click())).toMatch(/^\W*\w+(,\w+)+\r?\n/);
  const save = page.getByRole("link", { name: "Table as CSV" });
  expect(await download(page, () => save.click())).toMatch(/^name,uptimePercent,.*\r\ntagged,/);
  await page.goto("/");
  await page.getByRole("link", { name: "untagged" }).click();
  await page.getByRole("region", { name: "Table of results" }).getByRole("cell").first().waitFor();
  const all = page.getByRole("link", { name: "Export results as CSV" });
  await page.getByRole("button", { name: "Time: Any time" }).click();
  await page.getByRole("dialog", { name: "Time" }).getByRole("button", { name: "Last 24 h" }).click();
  await becomes(async () => /\?from=2/.test((await all.getAttribute("href")) ?? ""), true);
  const results = await download(page, () => all.click());
  expect(results.trim().split("\n").length).toBeGreaterThan(1);
});

/** The text of the file that an action downloads. */
async function download(page: Page, act: () => Promise<void>): Promise<string> {
  const [download] = await Promise.all([page.waitForEvent("download"), act()]);
  return Bun.file(await download.path()).text();
}

test("reports, events and maintenance show tags and names without a list of all monitors", async () => {
  const { id } = await served.monitor("TCP", port, { name: "Named", tags: ["of-the-name"] });
  await served.api.post("/api/v1/maintenances", {
    title: "Upgrade",
    selector: { monitorIds: [id] },
    startsAt: new Date(Date.now() + 3_600_000).toISOString(),
    endsAt: new Date(Date.now() + 7_200_000).toISOString(),
  });
  await using reader = await served.signedIn();
  const { page } = reader;
  const asked: string[] = [];
  page.on("request", (request) => {
    const { pathname, searchParams } = new URL(request.url());
    if (pathname === "/api/v1/overview") asked.push(searchParams.get("first") ?? "all");
  });
  for (const view of ["reports", "events"]) {
    await page.goto(`/${view}`);
    await page.getByRole("option", { name: "of-the-name" }).waitFor({ state: "attached" });
  }
  await page.goto("/maintenances");
  await page.getByRole("listitem").getByText("Named").waitFor();
  // Changes of the new monitor can repeat requests.
  expect(new Set(asked)).toEqual(new Set(["1", "150"]));
});
