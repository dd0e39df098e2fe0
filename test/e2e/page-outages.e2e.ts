import { expect, setDefaultTimeout, test } from "bun:test";
import { isAccessible } from "../support/browser/accessibility.ts";
import { becomes } from "../support/browser/becomes.ts";
import { PATIENCE, ServedPage } from "../support/browser/served-page.ts";
import { longTest } from "../support/long.ts";
import { Receiver } from "../support/servers/receiver.ts";
import { HttpTarget } from "../support/servers/targets.ts";
import { untilEndOfFile } from "../support/until-end.ts";

setDefaultTimeout(PATIENCE);

const served = await untilEndOfFile(ServedPage.start());

/** A job whose check-in has just failed. @returns its ID and how its next check-in succeeds */
async function failedJob(name: string, values: object = {}) {
  const { id, checkinUrl } = await served.monitor("SCHEDULED", {}, { name, ...values });
  await fetch(`${checkinUrl}?status=fail`);
  return { id, recover: () => fetch(checkinUrl) };
}

/** The latest outage of a monitor. */
async function outageOf(monitorId: string) {
  return (await served.api.get(`/api/v1/outages?monitorId=${monitorId}`)).body.data[0];
}

test("behavior 16.368: on a phone, the filters of outages and events are behind a button, and the first row is in the upper third", async () => {
  const job = await failedJob("phone job");
  const height = 844;
  await using reader = await served.opened("/outages", { viewport: { width: 390, height } });
  const { page } = reader;
  const row = page.getByRole("listitem").filter({ hasText: "phone job" });
  await row.waitFor();
  expect((await row.boundingBox())?.y).toBeLessThan(height / 3);
  const [filter, search] = [page.getByRole("button", { name: /^Filter/ }), page.getByRole("searchbox")];
  expect(await search.isVisible()).toBe(false);
  await filter.click();
  await search.fill("phone");
  await becomes(() => filter.getAttribute("data-active"), "1");
  await isAccessible(page);
  await page.getByRole("button", { name: "Show outages" }).click();
  await becomes(() => search.isVisible(), false);
  await page.goto(`${served.server.url}/events`);
  const event = page.getByRole("row").filter({ hasText: "phone job" });
  await event.waitFor();
  expect((await event.boundingBox())?.y).toBeLessThan(height / 3);
  await job.recover();
});

test("behavior 14.90, 14.103: open outages are before the ended ones, and one click acknowledges, in each open page", async () => {
  const [first, second, third] = [
    await failedJob("first job"),
    await failedJob("second job"),
    await failedJob("third job"),
  ];
  await third.recover();
  await using reader = await served.opened("/outages");
  await using other = await served.opened("/outages", { colorScheme: "dark" });
  const { page } = reader;
  await page.getByRole("heading", { name: "Outages", level: 1 }).waitFor();
  const rows = page.getByRole("region", { name: "Open" }).getByRole("listitem");
  await becomes(() => rows.getByRole("link").allTextContents(), ["second job", "first job"]);
  await page.getByRole("row").filter({ hasText: "third job" }).waitFor();

  const elsewhere = other.page.getByRole("listitem").filter({ hasText: "first job" });
  await elsewhere.getByText("for ").waitFor();
  await page.getByRole("button", { name: "Acknowledge the outage of first job" }).click();
  await rows.filter({ hasText: "first job" }).getByText("Acknowledged by").waitFor();
  await elsewhere.getByText("Acknowledged by").waitFor();
  const { acknowledgedBy, note } = await outageOf(first.id);
  expect([typeof acknowledgedBy, note]).toEqual(["string", null]);
  const back = page.getByRole("button", { name: "Take back the acknowledgement of first job" });
  await back.and(page.locator(':focus[aria-disabled="false"]')).waitFor();
  await page.keyboard.press("Enter");
  await elsewhere.getByText("Acknowledged by").waitFor({ state: "detached" });
  expect(await outageOf(first.id)).toMatchObject({ acknowledgedBy: null, acknowledgedAt: null });

  await page.getByLabel("Search for outages").fill("FIRST");
  await becomes(() => rows.getByRole("link").allTextContents(), ["first job"]);
  await page.getByRole("row").filter({ hasText: "third job" }).waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Clear filters" }).click();
  await page.getByLabel("Monitor", { exact: true }).selectOption({ label: "second job" });
  await becomes(() => rows.getByRole("link").allTextContents(), ["second job"]);
  await page.getByText("No ended outage matches.").waitFor();
  await becomes(() => new URL(page.url()).search, `?monitor=${second.id}`);
  await second.recover();
  await page.getByText("No open outage matches.").waitFor();
  await page.getByRole("row").filter({ hasText: "second job" }).waitFor();
});

longTest(
  "behavior 14.91: an outage has its story, and is acknowledged with a note that can be changed",
  async () => {
    await using receiver = new Receiver();
    const channel = (
      await served.api.post("/api/v1/alerts", {
        name: "on call",
        type: "WEBHOOK",
        config: { url: receiver.url },
      })
    ).body.data;
    const job = await failedJob("noted job", { alertChannelIds: [channel.id] });
    await using reader = await served.opened(`/monitors/${job.id}`);
    const { page } = reader;
    const outages = page.getByRole("region", { name: "Table of outages" });
    await outages.getByRole("link").click();
    await page.getByRole("heading", { name: "Outage of noted job" }).waitFor();
    const { id } = await outageOf(job.id);
    await becomes(() => new URL(page.url()).pathname, `/outages/${id}`);
    const timeline = page.getByRole("region", { name: "Timeline" });
    await timeline.getByText("A check first saw Failed").waitFor();
    await timeline.getByText("Notified on call").waitFor();

    await page.getByLabel("Note").fill("Looking at it.");
    await page.getByRole("button", { name: "Acknowledge" }).click();
    await page.getByRole("status").filter({ hasText: "Acknowledged by" }).waitFor();
    await becomes(async () => (await outageOf(job.id)).note, "Looking at it.");
    await timeline.getByText("Looking at it.").waitFor();
    await page.getByLabel("Note").fill("Fixed soon.");
    await page.getByRole("button", { name: "Save note" }).click();
    await becomes(async () => (await outageOf(job.id)).note, "Fixed soon.");
    await timeline.getByText("Fixed soon.").waitFor();
    await page.getByRole("button", { name: "Take back" }).click();
    await page.getByText("Not acknowledged.").waitFor();
    await becomes(() => page.getByLabel("Note").inputValue(), "");

    await job.recover();
    await page.getByRole("status").filter({ hasText: "Ended after" }).waitFor();
    await timeline.getByText("Recovered: OK").waitFor();
    await page.getByRole("button", { name: "Acknowledge" }).waitFor({ state: "detached" });
    await page.getByRole("link", { name: "All outages of this monitor" }).click();
    await page.getByRole("row").filter({ hasText: "noted job" }).waitFor();
  },
);

longTest(
  "behavior 16.205, 16.212, 16.213: an outage says why, and leads to the results of its time, which are filtered",
  async () => {
    let isGood = true;
    await using target = new HttpTarget(() => new Response("", { status: isGood ? 200 : 500 }));
    const config = { url: target.url, interval: 1, expect: { status: ["2xx"] } };
    const { id } = await served.monitor("HTTP", config, { name: "shop" });
    const bad = "500 Internal Server Error, expected 2xx";
    await using reader = await served.opened(`/monitors/${id}`);
    const { page } = reader;
    await page.getByRole("status").filter({ hasText: "Up" }).waitFor();
    isGood = false;
    await page.locator(".monitor-status").getByText(bad).waitFor();
    await page.goto(`/outages?monitor=${id}`);
    const open = page.getByRole("region", { name: "Open" }).getByRole("listitem");
    await open.getByText("500 instead of 200").waitFor();
    await open.getByRole("link", { name: "shop" }).click();
    const checks = page.getByRole("region", { name: "Checks" });
    await checks.getByText(bad).first().waitFor();
    await checks.getByRole("img", { name: /^Latency on average: .* before, .* at its beginning/ }).waitFor();
    await page.getByRole("region", { name: "Timeline" }).getByText(bad).waitFor();

    await checks.getByRole("link", { name: "Results of this time" }).click();
    const results = page.getByRole("region", { name: "Results", exact: true });
    const time = results.getByRole("button", { name: /^Time:/ });
    await time.filter({ hasNotText: "Any time" }).waitFor();
    const statuses = () => results.locator("tbody .status-cell").allTextContents();
    await results.getByRole("row").filter({ hasText: "Up" }).first().waitFor();
    await results.getByLabel("Only problems").check();
    await becomes(async () => [...new Set(await statuses())], ["Down"]);
    await becomes(() => new URL(page.url()).searchParams.get("problems"), "true");
    await page.reload();
    await becomes(async () => [...new Set(await statuses())], ["Down"]);
    await time.click();
    const dialog = page.getByRole("dialog", { name: "Time" });
    await dialog.getByRole("button", { name: "Last 24 h" }).waitFor();
    await isAccessible(page);
    // The keyboard alone chooses the first day of the previous month.
    await dialog.locator("[data-day][tabindex='0']").focus();
    await page.keyboard.press("PageUp");
    await dialog.locator("[data-day$='-01']:focus").waitFor();
    await page.keyboard.press("Enter");
    await dialog.getByRole("button", { name: "Show" }).click();
    await results.getByText("No result matches.").waitFor();
    await time.filter({ hasText: / 1, \d{4}/ }).waitFor();
    await results.getByRole("button", { name: "Clear these filters" }).click();
    await results.getByRole("row").filter({ hasText: "Up" }).first().waitFor();
    await becomes(() => new URL(page.url()).search, "");
  },
);
