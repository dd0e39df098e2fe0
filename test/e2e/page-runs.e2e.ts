import { expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync } from "node:fs";
import { isAccessible, schemesOf } from "../support/browser/accessibility.ts";
import { becomes } from "../support/browser/becomes.ts";
import { MAX_SHIFT, observeShifts, shiftOf } from "../support/browser/layout-shift.ts";
import { toggleSection } from "../support/browser/monitor-form.ts";
import { PATIENCE, ServedPage } from "../support/browser/served-page.ts";
import { longTest } from "../support/long.ts";
import { untilEndOfFile } from "../support/until-end.ts";

setDefaultTimeout(PATIENCE);

const served = await untilEndOfFile(ServedPage.start());

const HOSTILE = [
  '<img src="x" onerror="alert(1)"><script>alert(2)</script>',
  "\x1b]0;title\x07\x1b[2J\x1b[1;31mred\x1b[0m \x1b[32mgreen\x1b[0m \x1b[33myellow \x1b[34mblue \x1b[35mmagenta",
  `\x1b[36mcyan \x1b[30mblack\x1b[0m \u202eover${"\0".repeat(400)}\u{1f600}`,
  "x".repeat(4000),
].join("\n");

/** A job with twelve runs that ended, of which the last one failed with a hostile output. */
async function jobWithRuns() {
  const { id, checkinUrl } = await served.monitor("SCHEDULED", { maxRunTime: 3600 });
  const report = async (path: string, body?: string) => {
    const response = await fetch(`${checkinUrl}${path}`, { method: "POST", ...(body && { body }) });
    expect(response.status).toBe(200);
  };
  for (let run = 1; run <= 11; run++) {
    await report(`/start?rid=run-${run}`);
    await report(`/0?rid=run-${run}`, `run ${run}\n`);
  }
  await report("/start?rid=hostile");
  await report("/3?rid=hostile", HOSTILE);
  return { id, report };
}

const looks = { light: { width: 1280, height: 860 }, dark: { width: 390, height: 780 } };

test.each(schemesOf("dark"))(
  "behavior 18.60, 18.61, 18.62, 18.63, 18.66: a viewer sees the runs of a job, and an output that harms nothing, in %s",
  async (colorScheme) => {
    const { id, report } = await jobWithRuns();
    const viewer = { name: "viewer", role: "viewer" };
    const { key } = (await served.api.post("/api/v1/api-keys", viewer)).body.data;
    await using reader = await served.signedIn({ colorScheme, viewport: looks[colorScheme] }, key);
    const { page } = reader;
    await observeShifts(page);
    await reader.open(`/monitors/${id}`);
    const card = page.getByRole("region", { name: "Runs", exact: true });
    await card.getByText("Longest of 12").waitFor();
    await card.locator("dd").getByText("1 h", { exact: true }).waitFor();
    await card.getByRole("img", { name: /^Length of the last 12 runs/ }).waitFor();
    await becomes(() => card.locator(".run-row").count(), 10);
    const failed = card.locator(".run-row").first();
    await becomes(async () => /hostile.*Failed.*3.*4\.\d kB/.test((await failed.textContent()) ?? ""), true);
    await page
      .getByText(/^Exit code 3, after \d/)
      .first()
      .waitFor();
    await isAccessible(page);
    const fits = () => page.evaluate<boolean>("document.documentElement.scrollWidth <= innerWidth");
    expect(await fits()).toBe(true);
    expect(await shiftOf(page)).toBeLessThanOrEqual(MAX_SHIFT);

    await failed.getByRole("button", { name: /^Output/ }).click();
    const dialog = page.getByRole("dialog");
    const output = dialog.getByRole("region", { name: "Output" });
    await output.getByText('<img src="x" onerror="alert(1)"><script>alert(2)</script>').waitFor();
    await output.getByText("\\u202eover\\x00×400 \u{1f600}").waitFor();
    await becomes(() => output.locator(".terminal-bold.terminal-red").textContent(), "red");
    expect(await output.locator("*:not(pre):not(span)").count()).toBe(0);
    expect(await fits()).toBe(true);
    await isAccessible(page);
    const downloading = page.waitForEvent("download");
    await dialog.getByRole("link", { name: "Download" }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toBe("run-12.txt");
    expect(readFileSync(await download.path(), "utf8")).toBe(HOSTILE);
    await dialog.getByRole("button", { name: "Close" }).click();

    await card.getByRole("button", { name: "Older runs" }).click();
    await becomes(() => card.locator(".run-row").count(), 12);
    await report("/start");
    await card.getByText(/^Running for .*, usually \d/).waitFor();
    await becomes(() => card.locator(".run-row").count(), 13);
    await report("/0");
    await becomes(async () => /OK/.test((await card.locator(".run-row").first().textContent()) ?? ""), true);
    await becomes(() => card.getByText(/^Running for/).count(), 0);
  },
);

longTest("behavior 18.62: the first start of a job appears in an open page", async () => {
  const { id, checkinUrl } = await served.monitor("SCHEDULED", {});
  await using reader = await served.signedIn();
  const { page } = reader;
  await reader.open(`/monitors/${id}`);
  const card = page.getByRole("region", { name: "Runs", exact: true });
  expect(await card.count()).toBe(0);
  await fetch(`${checkinUrl}/start`);
  await card.getByText(/^Running for/).waitFor();
  await becomes(() => card.locator(".run-row").count(), 1);
});

longTest(
  "behavior 18.65: the form of a job sets the longest run and what an overlap means, and says limits in units",
  async () => {
    const { id } = await served.monitor("SCHEDULED", { grace: 600, maxRunTime: 5400 });
    await using reader = await served.signedIn({ viewport: { width: 390, height: 780 } });
    const { page } = reader;
    await reader.open(`/monitors/${id}/edit`);
    const longest = page.getByLabel("Longest run", { exact: true });
    const unit = page.getByLabel("Longest run: unit");
    await becomes(() => longest.inputValue(), "90");
    await becomes(() => unit.inputValue(), "min");
    await toggleSection(page, "Late and long runs");
    await longest.fill("200");
    await unit.selectOption("h");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Must be from 1 s to 7 d.").waitFor();
    await isAccessible(page);
    await longest.fill("2");
    await page.getByLabel("If a run starts while another one is open").selectOption("Record a failure");
    await page.getByRole("button", { name: "Save" }).click();
    const { config } = await served.savedMonitor(page);
    expect(config).toEqual({ interval: 300, grace: 600, maxRunTime: 7200, overlap: "fail" });
  },
);
