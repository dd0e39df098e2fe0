import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { isAccessible, schemesOf } from "../support/browser/accessibility.ts";
import { becomes } from "../support/browser/becomes.ts";
import type { Reader } from "../support/browser/browser.ts";
import { MAX_SHIFT, observeShifts, shiftOf } from "../support/browser/layout-shift.ts";
import { leave, PATIENCE, ServedPage } from "../support/browser/served-page.ts";
import { createLocation } from "../support/requests/probe-client.ts";
import { untilEndOfFile } from "../support/until-end.ts";

setDefaultTimeout(PATIENCE);

const target = { host: "127.0.0.1", port: 1, interval: 3600 };

const served = await untilEndOfFile(ServedPage.start());

describe.each(schemesOf("dark"))("in %s", (colorScheme) => {
  test(
    "behavior 16.376: axe-core finds no violation, and nothing moves while a view loads",
    async () => {
      const viewport = colorScheme === "dark" ? { width: 390, height: 780 } : { width: 1280, height: 860 };
      const reader = await served.browser.reader(served.server.url, { colorScheme, viewport });
      const { page } = reader;
      await observeShifts(page);
      await page.goto("/");
      await page.getByLabel("API key").waitFor();
      await isAccessible(page);
      await reader.signIn(served.api.key ?? "");
      const monitor = await served.monitor("TCP", target);
      const job = await served.monitor("SCHEDULED", {}, { tags: ["web"] });
      await fetch(`${job.checkinUrl}?status=fail`);
      const [outage] = (await served.api.get(`/api/v1/outages?monitorId=${job.id}`)).body.data;
      await served.api.post(`/api/v1/outages/${outage.id}/acknowledge`, { note: "seen" });
      const site = await served.monitor("HTTP", {
        url: "http://127.0.0.1:1/",
        interval: 3600,
        headers: { "X-Key": "secret" },
        expect: { status: ["2xx", 304], json: { "$.a": 1 } },
      });
      const { id, probe } = await createLocation(served.api, `in ${colorScheme}`);
      await probe.work();
      const far = await served.monitor("TCP", target, {
        locations: ["here", id],
        dependsOn: [monitor.id],
        tags: ["far"],
      });
      await probe.observe({ monitorId: far.id });
      const views = [
        "/",
        "/?tag=web",
        `/monitors/${far.id}`,
        `/monitors/${monitor.id}`,
        `/monitors/${job.id}`,
        ...[monitor, site, far].map(({ id }) => `/monitors/${id}/edit`),
      ];
      for (const path of [
        ...views,
        "/monitors/new",
        "/monitors/deleted/edit",
        "/channels",
        "/channels/new",
        "/locations",
        "/reports",
        "/outages",
        `/outages/${outage.id}`,
        "/events",
        "/events?show=all",
        "/keys",
        "/settings",
        "/settings/server",
        "/settings/audit",
      ]) {
        await reader.open(path);
        await isAccessible(page);
        expect(await shiftOf(page), path).toBeLessThanOrEqual(MAX_SHIFT);
      }
      await page.goto("/keys");
      await page.getByRole("button", { name: "New key" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("button", { name: "Create key" }).waitFor();
      await isAccessible(page);
      await page.goto("/locations");
      await page.getByRole("button", { name: "New location" }).click();
      await dialog.getByLabel("Name").fill(`new in ${colorScheme}`);
      await dialog.getByRole("button", { name: "Create location" }).click();
      await dialog.getByRole("button", { name: "systemd" }).click();
      await dialog.getByText("DynamicUser=yes").waitFor();
      await isAccessible(page);
      await leave(reader);
    },
    3 * PATIENCE,
  );
});

test("the keyboard alone is enough", async () => {
  const reader = await served.signedIn();
  const { page } = reader;
  await reader.open("/");
  await page.keyboard.press("Tab");
  await becomes(() => focused(reader), "Skip to the content");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await becomes(() => focused(reader), "Outages");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Outages", level: 1 }).waitFor();
  await becomes(() => focused(reader), "Outages");
  await leave(reader);
});

test("behavior 16.376: a view that loads slowly leaves the focus where the reader has put it", async () => {
  await using empty = await ServedPage.start();
  const reader = await empty.browser.reader(empty.server.url);
  const { page } = reader;
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route("**/assets/first-monitor-*", async (route) => {
    await held;
    await route.continue();
  });
  await reader.signIn(empty.api.key ?? "");
  await page.getByRole("link", { name: "Outages" }).focus();
  release();
  await becomes(() => page.title(), "No monitors yet · stillup");
  expect(await focused(reader)).toBe("Outages");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Outages", level: 1 }).and(page.locator(":focus")).waitFor();
  await leave(reader);
});

function focused({ page }: Reader): Promise<string> {
  return page.evaluate("document.activeElement.textContent");
}
