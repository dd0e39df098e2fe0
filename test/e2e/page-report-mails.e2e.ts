import { expect, setDefaultTimeout } from "bun:test";
import { PATIENCE, ServedPage } from "../support/browser/served-page.ts";
import { longTest as test } from "../support/long.ts";
import { untilEndOfFile } from "../support/until-end.ts";

setDefaultTimeout(PATIENCE);

const served = await untilEndOfFile(ServedPage.start());

test("behavior 23.79: a report by mail is created, changed and sent on the page, by the keyboard and on a phone", async () => {
  await using reader = await served.opened("/reports", { viewport: { width: 320, height: 640 } });
  const { page } = reader;
  await page.getByRole("link", { name: "By mail" }).click();
  await page.getByText("No reports by mail yet.").waitFor();
  await page.getByRole("link", { name: "New report" }).click();
  await page.getByRole("button", { name: "Create report" }).click();
  await page
    .getByText("To or channelIds is required.")
    .or(page.getByText("Enter 1 to 200 characters."))
    .first()
    .waitFor();
  await page.getByLabel("Title", { exact: true }).fill("Our morning");
  await page.getByLabel("When").selectOption("day");
  await page.getByLabel("At", { exact: true }).fill("06:30");
  await page.getByLabel("E-mail addresses").fill("ops@example.com\nada@example.com");
  await page.getByRole("button", { name: "Create report" }).focus();
  await page.keyboard.press("Enter");
  const row = page.getByRole("listitem").filter({ hasText: "Our morning" });
  await row.getByText("ops@example.com, ada@example.com").waitFor();
  await row.getByText(/^Each day at 06:30/).waitFor();
  const width = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
  expect(await page.evaluate(width)).toBe(0);
  await row.getByRole("button", { name: "Send now: Our morning" }).click();
  await row.getByText(/--smtp-url is not set/).waitFor();
  await row.getByRole("link", { name: "Edit Our morning" }).click();
  await page.getByLabel("Title", { exact: true }).fill("Our evening");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("listitem").filter({ hasText: "Our evening" }).waitFor();
});
