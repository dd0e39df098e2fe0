import { expect, setDefaultTimeout, test } from "bun:test";
import { isAccessible } from "../support/browser/accessibility.ts";
import { becomes } from "../support/browser/becomes.ts";
import { PATIENCE, ServedPage } from "../support/browser/served-page.ts";
import { eventually } from "../support/eventually.ts";
import { longTest } from "../support/long.ts";
import { untilEndOfFile } from "../support/until-end.ts";

setDefaultTimeout(PATIENCE);

const served = await untilEndOfFile(ServedPage.start());

const stored = async (id: string) => (await served.api.get(`/api/v1/monitors/${id}`)).status;

test("behavior 16.390, 16.391: a deletion is undone, or sent when the page is left", async () => {
  const { id } = await served.monitor("SCHEDULED", {}, { name: "kept" });
  await served.monitor("SCHEDULED", {}, { name: "other" });
  await using reader = await served.opened(`/monitors/${id}`);
  const { page } = reader;
  const toast = page.getByRole("region", { name: "Last change" });
  const remove = async () => {
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await toast.getByRole("status").getByText("The monitor will be deleted.").waitFor();
    await becomes(() => page.getByRole("link", { name: "kept" }).count(), 0);
  };
  await remove();
  expect(await stored(id)).toBe(200);
  await isAccessible(page);
  await page.keyboard.press("Control+z");
  await toast.getByText("Undone.").waitFor();
  await page.getByRole("link", { name: "kept" }).click();
  expect(await stored(id)).toBe(200);
  await remove();
  await page.goto("about:blank");
  await eventually(async () => (await stored(id)) === 404);
});

longTest("behavior 16.390: what many monitors had is given back, and a pause", async () => {
  const monitors = [
    await served.monitor("TCP", { host: "127.0.0.1", port: 1, interval: 3600 }, { name: "slow" }),
    await served.monitor("TCP", { host: "127.0.0.1", port: 1, interval: 7200 }, { name: "slower" }),
  ];
  await using reader = await served.opened("/?search=slow");
  const { page } = reader;
  const toast = page.getByRole("region", { name: "Last change" });
  const bar = page.getByRole("region", { name: "Selected monitors" });
  await page.getByRole("button", { name: "Select", exact: true }).click();
  await bar.getByRole("button", { name: "Select all 2" }).click();
  await bar.getByRole("button", { name: "Pause", exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Pause", exact: true }).click();
  await toast.getByText("2 monitors changed.").waitFor();
  await toast.getByRole("button", { name: "Undo" }).click();
  await toast.getByText("Undone.").waitFor();
  for (const { id } of monitors)
    expect((await served.api.get(`/api/v1/monitors/${id}`)).body.data.enabled).toBe(true);

  await page.goto(`${served.api.url}/monitors/${monitors[0]?.id}`);
  await page.getByRole("button", { name: "More actions" }).click();
  await page.getByRole("menuitem", { name: "Pause" }).click();
  await toast.getByText("Checks have stopped.").waitFor();
  await toast.getByRole("button", { name: "Undo" }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Check now" }).waitFor();
});

longTest(
  "behavior 16.391: a deletion is sent after ten seconds, but not while the reader holds the offer",
  async () => {
    const { id } = await served.monitor("SCHEDULED", {}, { name: "late" });
    await using reader = await served.opened(`/monitors/${id}`);
    const { page } = reader;
    await page.clock.install();
    const toast = page.getByRole("region", { name: "Last change" });
    await page.getByRole("button", { name: "More actions" }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await toast.getByRole("button", { name: "Undo" }).focus();
    await page.clock.runFor(60_000);
    expect(await stored(id)).toBe(200);
    await page.getByRole("link", { name: "Overview" }).first().focus();
    await page.clock.runFor(10_000);
    await eventually(async () => (await stored(id)) === 404);
  },
);

longTest("behavior 16.392: monitors that a change takes out of the list are no longer selected", async () => {
  await served.monitor("SCHEDULED", {}, { name: "tagged", tags: ["old"] });
  await using reader = await served.opened("/?tag=old");
  const { page } = reader;
  const bar = page.getByRole("region", { name: "Selected monitors" });
  await page.getByRole("button", { name: "Select", exact: true }).click();
  await page.getByRole("checkbox", { name: "Select tagged" }).check();
  await bar.getByRole("button", { name: "Tags" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("radio", { name: "Remove" }).check();
  await dialog.getByLabel("Tags", { exact: true }).fill("old");
  await dialog.getByRole("button", { name: "Change", exact: true }).click();
  await bar.getByText("0 monitors selected").waitFor();
});
