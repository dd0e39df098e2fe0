import { setDefaultTimeout } from "bun:test";
import { becomes } from "../support/browser/becomes.ts";
import { PATIENCE, ServedPage } from "../support/browser/served-page.ts";
import { longTest as test } from "../support/long.ts";
import { untilEndOfFile } from "../support/until-end.ts";

setDefaultTimeout(PATIENCE);

const served = await untilEndOfFile(ServedPage.start());

test("behavior 14.92: events are the changes of the status or, on demand, all results, by type, status and tag", async () => {
  const job = async (name: string, tags: string[]) =>
    (await served.monitor("SCHEDULED", {}, { name, tags })).checkinUrl;
  const [tagged, plain] = [await job("tagged", ["web"]), await job("plain", [])];
  for (const status of ["ok", "ok", "fail", "fail"]) await fetch(`${tagged}?status=${status}`);
  await fetch(`${plain}?status=fail`);
  await using reader = await served.opened("/events");
  const { page } = reader;
  const rows = page.locator("tbody tr");
  const shown = (expected: string[]) => becomes(() => rows.getByRole("link").allTextContents(), expected);
  await shown(["plain", "tagged", "tagged"]);
  await page.getByRole("cell", { name: "Failed from OK" }).waitFor();
  await page.getByRole("radio", { name: "All results" }).check({ force: true });
  await shown(["plain", "tagged", "tagged", "tagged", "tagged"]);
  await page.getByLabel("Tag").selectOption("web");
  await shown(["tagged", "tagged", "tagged", "tagged"]);
  await page.getByLabel("Status").selectOption("failed");
  await shown(["tagged", "tagged"]);
  await page.reload();
  await shown(["tagged", "tagged"]);
  await becomes(() => page.getByRole("radio", { name: "All results" }).isChecked(), true);
  await page.getByRole("radio", { name: "Changes" }).check({ force: true });
  await shown(["tagged"]);
  await fetch(tagged);
  await page.getByLabel("Status").selectOption("");
  await shown(["tagged", "tagged", "tagged"]);
});
