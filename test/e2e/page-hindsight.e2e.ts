import { expect, setDefaultTimeout, test } from "bun:test";
import { isAccessibleInBothSchemes } from "../support/browser/accessibility.ts";
import { becomes } from "../support/browser/becomes.ts";
import { openSection } from "../support/browser/monitor-form.ts";
import { PATIENCE, ServedPage } from "../support/browser/served-page.ts";
import { smallTargets } from "../support/browser/targets.ts";
import { checkIn, createChannel } from "../support/requests/monitors.ts";
import { Receiver } from "../support/servers/receiver.ts";
import { untilEndOfFile } from "../support/until-end.ts";

setDefaultTimeout(PATIENCE);

const served = await untilEndOfFile(ServedPage.start());
const { api } = served;
const OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth";

/** A job that failed three times, the last time twice in a row, and notified each time. */
async function flappingJob() {
  await using receiver = new Receiver();
  const channel = await createChannel(api, { config: { url: receiver.url } });
  const job = await served.monitor("SCHEDULED", {}, { name: "backup", alertChannelIds: [channel.id] });
  await checkIn(api, job.id, "ok", "fail", "ok", "fail", "ok", "fail", "fail", "ok");
  await becomes(() => receiver.received.length, 6);
  return job;
}

const job = await flappingJob();
await served.monitor("SCHEDULED", {}, { name: "another job" });
const SENTENCE = /^With 1: 2 messages instead of 6 in 30 days/;

test("behavior 25.50, 25.52: the form of a monitor says what a change would have changed, and saves in any case", async () => {
  await using reader = await served.signedIn();
  const { page } = reader;
  await reader.open(`/monitors/${job.id}/edit`);
  await openSection(page, "Confirmation");
  const confirmations = page.getByLabel("Confirm before notifying");
  const line = page.locator(".replay");
  await confirmations.selectOption("1");
  await line.getByRole("status").getByText(SENTENCE).waitFor();
  await line.getByText("Outages gone: 2").click();
  await isAccessibleInBothSchemes(page);
  await line.getByRole("listitem").getByRole("link").first().click();
  await page.getByRole("heading", { name: "Outages", level: 1 }).waitFor();
  await page.getByRole("row").getByRole("link", { name: "backup" }).first().waitFor();
  await page.goBack();
  await page.getByText("Restored what you typed").waitFor();
  await line.getByRole("status").getByText(SENTENCE).waitFor();
  await confirmations.selectOption("0");
  await becomes(() => line.getByRole("status").textContent(), "");

  // Another reader has a replay, then the server refuses one.
  const answers = [429, 403];
  await page.route("**/api/v1/replay", (route) => {
    const status = answers.shift();
    return status ? route.fulfill({ status, json: { error: `refused: ${status}` } }) : route.continue();
  });
  await confirmations.selectOption("3");
  await line.getByRole("alert").getByText("refused: 403").waitFor();
  await page.getByRole("button", { name: "Save" }).click();
  expect(await served.savedMonitor(page)).toMatchObject({ confirmations: 3 });
  await api.patch(`/api/v1/monitors/${job.id}`, { confirmations: 0 });
});

test("behavior 25.53, 25.54: the view of selected monitors compares both, and lists the outages", async () => {
  await using reader = await served.signedIn({ viewport: { width: 1280, height: 860 } });
  const { page } = reader;
  await reader.open("/");
  await page.getByRole("button", { name: "Select", exact: true }).click();
  await page.getByLabel("Select backup").check();
  await page.getByRole("button", { name: "What would have been" }).click();
  await page.getByLabel("Confirm before notifying").selectOption("1");
  await page.getByRole("button", { name: "Replay" }).click();
  const rows = page.getByRole("table").getByRole("row");
  await becomes(async () => (await rows.allTextContents()).slice(1, 3), ["Outages31", "Messages62"]);
  const gone = page.getByRole("list", { name: "Outages gone" });
  await becomes(() => gone.getByRole("link", { name: "backup" }).count(), 2);
  expect(new URL(page.url()).search).toBe(`?monitors=${job.id}`);
  await isAccessibleInBothSchemes(page);

  await openSection(page, "Checks");
  await page.getByLabel(/^Expires soon/).fill("30");
  await page.getByRole("button", { name: "Replay" }).click();
  await page.getByText("None of the selected monitors has this field.").waitFor();
  await becomes(() => page.getByLabel(/^Expires soon/).getAttribute("aria-invalid"), "true");
  await openSection(page, "Notifications");
  await page.getByLabel("Is healthy again").check();
  await page.getByText("Select “Goes down” or “Gets a warning”.").waitFor();
});

test("behavior 25.53: a viewer uses the view on a phone", async () => {
  const { key } = (await api.post("/api/v1/api-keys", { name: "viewer", role: "viewer" })).body.data;
  const phone = { viewport: { width: 320, height: 780 }, hasTouch: true, isMobile: true };
  await using reader = await served.signedIn(phone, key);
  const { page } = reader;
  await reader.open("/settings");
  await page.getByRole("link", { name: "What would have been" }).click();
  await page.getByLabel("Confirm before notifying").selectOption("1");
  await page.getByRole("button", { name: "Replay" }).click();
  await page.getByRole("status").getByText(SENTENCE).waitFor();
  await isAccessibleInBothSchemes(page);
  expect(await page.evaluate<number>(OVERFLOW)).toBe(0);
  expect(await smallTargets(page)).toEqual([]);
});
