import { expect, setDefaultTimeout } from "bun:test";
import { becomes } from "../support/browser/becomes.ts";
import { PATIENCE, ServedPage } from "../support/browser/served-page.ts";
import { longTest as test } from "../support/long.ts";
import { untilEndOfFile } from "../support/until-end.ts";

setDefaultTimeout(PATIENCE);

const served = await untilEndOfFile(ServedPage.start());

const HOUR = 3_600_000;
const port = { host: "127.0.0.1", port: 1, interval: 3600 };

test("behavior 14.95: a maintenance is created, shown wherever a status is, ended and deleted", async () => {
  const { id } = await served.monitor("TCP", port, { name: "a port" });
  const now = Date.now();
  await using reader = await served.opened("/maintenances");
  const { page } = reader;
  await page.getByText("No maintenances yet.").waitFor();
  await page.getByRole("link", { name: "New maintenance" }).click();
  await page.getByRole("button", { name: "Create maintenance" }).click();
  await page.getByText("Enter 1 to 200 characters.").waitFor();
  await page.getByText("Select all monitors, a tag or a single monitor.").waitFor();
  await page.getByLabel("Title", { exact: true }).fill("Database upgrade");
  await page.getByLabel("All monitors").check();
  await page.getByText("1 monitor is affected now.").waitFor();
  await page.getByLabel("Monitors with one of these tags").waitFor({ state: "hidden" });
  await page.getByLabel("Start", { exact: true }).fill(localText(now - HOUR));
  await page.getByLabel("End", { exact: true }).fill(localText(now - HOUR / 2));
  await page.getByRole("button", { name: "Create maintenance" }).click();
  await page.getByText("Must be in the future.").waitFor();
  await page.getByLabel("End", { exact: true }).fill(localText(now + 2 * HOUR));
  await page.getByText(/\(3 h\) · open now, ends in 1 h/).waitFor();
  await page.getByRole("button", { name: "Create maintenance" }).click();

  const row = page.getByRole("listitem").filter({ hasText: "All monitors" });
  await row.getByText("In progress").waitFor();
  await page
    .getByRole("table", { name: /^Maintenances in/ })
    .getByText("Database upgrade")
    .first()
    .waitFor();
  await page.getByRole("link", { name: "Overview" }).click();
  const label = page.getByText(/^In maintenance until /);
  await label.waitFor();
  await page.getByRole("button", { name: "1 In maintenance" }).waitFor();
  await page.goto(`/monitors/${id}`);
  await page
    .locator(".monitor-status")
    .getByText(/^In maintenance until /)
    .waitFor();

  await page.goto("/maintenances");
  await page.getByRole("button", { name: "End now: Database upgrade" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "End now" }).click();
  await row.getByText("Ended").waitFor();
  await page.goto(`/monitors/${id}`);
  await page.locator(".monitor-status").getByText("a port").or(page.getByText("127.0.0.1")).first().waitFor();
  await becomes(() => label.count(), 0);

  await page.goto("/maintenances");
  await page.getByRole("button", { name: "Delete Database upgrade" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await page.getByText("No maintenances yet.").waitFor();
  await page.getByRole("button", { name: "Dismiss" }).click();
  await becomes(async () => (await served.api.get("/api/v1/maintenances")).body.data, []);
});

test("behavior 14.95: the form of a repeated maintenance shows its next five windows, in both zones", async () => {
  await using reader = await served.signedIn({ timezoneId: "Asia/Tokyo", locale: "en-GB" });
  const { page } = reader;
  await served.monitor("TCP", port, { name: "tagged", tags: ["web"] });
  const single = await served.monitor("TCP", port, { name: "a single one" });
  await page.goto("/maintenances/new");
  await page.getByLabel("Title", { exact: true }).fill("Weekly patches");
  await page.getByLabel("Repeated, by a cron expression").check();
  await becomes(() => page.getByLabel("Time zone", { exact: true }).inputValue(), "Asia/Tokyo");
  await page.getByLabel("Cron expression of the starts").fill("0 2 * *");
  await page.getByLabel("Duration", { exact: true }).fill("0");
  await page.getByRole("button", { name: "Create maintenance" }).click();
  await page.getByText(/^Must be a cron expression of five fields/).waitFor();
  await page.getByText("Must be 1 minute to 7 days.").waitFor();
  await page.getByText("Complete the times to see when this maintenance is.").waitFor();
  await page.getByLabel("Cron expression of the starts").fill("0 2 * * 0");
  await page.getByLabel("Duration", { exact: true }).fill("90");
  await page.getByLabel("Unit of the duration").selectOption("minutes");
  const windows = page.getByRole("region", { name: "The next windows" }).getByRole("listitem");
  await windows
    .first()
    .getByText(/^Sun, .*02:00\s?–\s?03:30 \(1 h 30 min\)/)
    .waitFor();
  await becomes(() => windows.count(), 5);
  await page.getByLabel("Time zone", { exact: true }).fill("UTC");
  await windows
    .first()
    .getByText(/02:00\s?–\s?03:30 \(1 h 30 min\) UTC · in .* · your time: .*11:00\s?–\s?12:30/)
    .waitFor();

  await page.getByRole("button", { name: "Add the tag web" }).click();
  await page.getByText("1 monitor is affected now.").waitFor();
  await page.getByLabel("Search for Single monitors").fill("single");
  await page.getByRole("button", { name: "Add a single one" }).click();
  await page.getByText("2 monitors are affected now.").waitFor();
  await page.getByRole("button", { name: "Create maintenance" }).click();
  await page.getByText("Monitors with the tag web, a single one").waitFor();
  expect(await stored()).toMatchObject({
    title: "Weekly patches",
    selector: { tags: ["web"], monitorIds: [single.id] },
    cron: "0 2 * * 0",
    timezone: "UTC",
    duration: 5400,
    until: null,
    startsAt: null,
    notifyChannelIds: [],
  });
});

test("behavior 14.95: a maintenance that is saved without an edit does not change, and its form can change", async () => {
  const channel = (
    await served.api.post("/api/v1/alerts", {
      name: "on call",
      type: "WEBHOOK",
      config: { url: "https://example.com/" },
    })
  ).body.data.id;
  const definitions = [
    {
      title: "precise",
      message: "First line.\nSecond line.",
      selector: { all: true, tags: ["web"] },
      startsAt: "2036-11-24T02:00:01.234Z",
      endsAt: "2036-11-25T02:00:00.000Z",
      notifyChannelIds: [channel],
    },
    {
      title: "repeated",
      selector: { all: true },
      cron: "*/15 1 * * *",
      timezone: "Europe/Berlin",
      duration: 61,
      until: "2036-11-24T02:00:00.500Z",
    },
  ];
  await using reader = await served.signedIn();
  const { page } = reader;
  for (const definition of definitions) {
    const before = (await served.api.post("/api/v1/maintenances", definition)).body.data;
    await page.goto(`/maintenances/${before.id}/edit`);
    await page.getByLabel("on call").waitFor();
    await page.getByLabel("All monitors").waitFor();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { name: "Maintenance", level: 1, exact: true }).waitFor();
    const after = (await served.api.get(`/api/v1/maintenances/${before.id}`)).body.data;
    expect({ ...after, updatedAt: before.updatedAt }).toEqual(before);
    await served.api.delete(`/api/v1/maintenances/${before.id}`);
  }
  const { id } = (await served.api.post("/api/v1/maintenances", definitions[1])).body.data;
  await page.goto(`/maintenances/${id}/edit`);
  await page.getByLabel("No start after").fill("");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("*/15 1 * * * (Europe/Berlin), 1 min 1 s each", { exact: true }).waitFor();
  await page.getByRole("link", { name: "Edit repeated" }).click();
  await page.getByLabel("Once", { exact: true }).check();
  await page.getByRole("button", { name: "Save" }).click();
  await page
    .getByRole("listitem")
    .filter({ hasText: "repeated" })
    .getByText(/\(1 h\)$/)
    .waitFor();
});

/** The only maintenance. */
async function stored() {
  const { data } = (await served.api.get("/api/v1/maintenances")).body;
  expect(data).toHaveLength(1);
  await served.api.delete(`/api/v1/maintenances/${data[0].id}`);
  return data[0];
}

/** A time as a field shows it, to the minute. The browser has the zone of this process. */
function localText(at: number): string {
  const offset = new Date(at).getTimezoneOffset() * 60_000;
  return new Date(at - offset).toISOString().slice(0, 16);
}
