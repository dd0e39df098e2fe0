import { expect, setDefaultTimeout, test } from "bun:test";
import { leave, PATIENCE, ServedPage } from "../support/browser/served-page.ts";
import { untilEndOfFile } from "../support/until-end.ts";

setDefaultTimeout(PATIENCE);

const served = await untilEndOfFile(ServedPage.start());

test("behavior 14.94: an owner reads in the settings who changed what", async () => {
  const { id } = await served.monitor("SCHEDULED", {}, { name: "audited" });
  await served.api.patch(`/api/v1/monitors/${id}`, { name: "renamed" });
  const reader = await served.signedIn();
  const { page } = reader;
  await page.getByRole("link", { name: "Settings" }).click();
  await page.getByRole("link", { name: "Audit log" }).click();
  await page.getByRole("heading", { name: "Audit log", level: 1 }).waitFor();
  await page.getByRole("row").filter({ hasText: "Created the monitor audited" }).waitFor();
  const changed = page.getByRole("row").filter({ hasText: "Changed the monitor renamed" });
  await changed.getByText("127.0.0.1").waitFor();
  expect(await changed.getByRole("cell").nth(3).textContent()).toBe("name");

  await served.api.delete(`/api/v1/monitors/${id}`);
  await page.getByRole("row").filter({ hasText: "Deleted the monitor renamed" }).waitFor();
  await leave(reader);
});

test("behavior 14.94: others than owners are not offered the audit log, and get none", async () => {
  const { key } = (await served.api.post("/api/v1/api-keys", { name: "an admin", role: "admin" })).body.data;
  const reader = await served.signedIn({}, key);
  const { page } = reader;
  await page.goto("/settings");
  await page.getByRole("heading", { name: "Plan" }).waitFor();
  expect(await page.getByRole("link", { name: "Audit log" }).count()).toBe(0);
  await page.goto("/settings/audit");
  await page.getByRole("alert").waitFor();
  await leave(reader);
});
