import { expect, setDefaultTimeout } from "bun:test";
import { PATIENCE, ServedPage } from "../support/browser/served-page.ts";
import { longTest as test } from "../support/long.ts";
import { untilEndOfFile } from "../support/until-end.ts";

setDefaultTimeout(PATIENCE);

const served = await untilEndOfFile(ServedPage.start());

test("behavior 14.94, 14.101: an owner reads in the settings who changed what", async () => {
  const { id } = await served.monitor("SCHEDULED", {}, { name: "audited" });
  await served.api.patch(`/api/v1/monitors/${id}`, { name: "renamed" });
  await using reader = await served.opened("/settings");
  const { page } = reader;
  await page.getByRole("link", { name: "Audit log" }).click();
  await page.getByRole("heading", { name: "Audit log", level: 1 }).waitFor();
  await page.getByRole("row").filter({ hasText: "Created the monitor audited" }).waitFor();
  const changed = page.getByRole("row").filter({ hasText: "Changed the monitor renamed" });
  await changed.getByText("127.0.0.1").waitFor();
  expect(await changed.getByRole("cell").nth(3).textContent()).toStartWith("name");
  await changed.getByText("Old value").click();
  await changed.getByText("audited", { exact: true }).waitFor();
  await changed.getByRole("button", { name: "Undo the change of renamed" }).click();
  await page.getByRole("status").getByText("Undone: renamed has its old values again.").waitFor();
  await page.getByRole("row").filter({ hasText: "Changed the monitor audited" }).waitFor();
  expect((await served.api.get(`/api/v1/monitors/${id}`)).body.data.name).toBe("audited");

  await served.api.delete(`/api/v1/monitors/${id}`);
  await page.getByRole("row").filter({ hasText: "Deleted the monitor audited" }).waitFor();
});
