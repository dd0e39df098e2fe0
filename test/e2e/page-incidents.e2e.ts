import { expect, setDefaultTimeout, test } from "bun:test";
import { becomes } from "../support/browser/becomes.ts";
import { PATIENCE, ServedPage } from "../support/browser/served-page.ts";
import { longTest } from "../support/long.ts";
import { createPage } from "../support/requests/pages.ts";
import { untilEndOfFile } from "../support/until-end.ts";

setDefaultTimeout(PATIENCE);

const served = await untilEndOfFile(ServedPage.start());

/** A page that shows a job as a component, and each outage at once. */
async function pageOf(name: string) {
  const job = await served.monitor("SCHEDULED", {}, { name });
  const components = [{ monitorId: job.id, name: `${name}, as public` }];
  const values = { title: `Page of ${name}`, visibility: "public", minOutage: 0, components };
  return { job, page: await createPage(served.api, values) };
}

/** The incidents of a page, as the API returns them. */
async function incidentsOf(pageId: string) {
  return (await served.api.get(`/api/v1/pages/${pageId}/incidents`)).body.data;
}

test(
  "behavior 15.95, 15.96, 17.43: an incident and its updates are written, edited and deleted, in each open page",
  async () => {
    const { page: shown } = await pageOf("payments");
    await using reader = await served.opened(`/pages/${shown.id}/incidents`);
    await using other = await served.opened(`/pages/${shown.id}/incidents`);
    const { page } = reader;
    await other.page.getByText("No open incidents.").waitFor();
    await page.getByRole("link", { name: "New incident" }).click();
    await page.getByRole("button", { name: "Create incident" }).click();
    await page.getByText("Enter 1 to 200 characters.").waitFor();
    await page.getByLabel("Title", { exact: true }).fill("Payments fail");
    await page.getByLabel("Impact").selectOption("Major impact");
    await page.getByLabel("payments, as public").check();
    await page.getByLabel("Status").selectOption("Identified");
    await page.getByRole("button", { name: "Create incident" }).click();
    await page.getByText("Is required for this status.").waitFor();
    await page.getByLabel("Message").fill("Cards **fail**.");
    await page.getByRole("button", { name: "Create incident" }).click();
    await page.getByRole("heading", { name: "Payments fail", level: 1, exact: true }).waitFor();
    const [created] = await incidentsOf(shown.id);
    expect(created).toMatchObject({
      title: "Payments fail",
      impact: "major",
      componentIds: [shown.components[0].id],
      resolvedAt: null,
      updates: [{ status: "identified", body: "Cards **fail**." }],
    });

    const open = other.page.getByRole("region", { name: "Open" }).getByRole("listitem");
    await open.getByText("Identified").waitFor();
    await open.getByText("payments, as public").waitFor();
    const updates = page.getByRole("region", { name: "Updates" }).getByRole("listitem");
    await page.getByLabel("Status").selectOption("Monitoring");
    await page.getByRole("button", { name: "Post update" }).click();
    await page.getByText("Enter a value.").waitFor();
    await page.getByLabel("Message").fill("A fix is deployed.");
    await page.getByRole("button", { name: "Post update" }).click();
    await page.getByText("The update is posted.").waitFor();
    await becomes(() => updates.count(), 2);
    await becomes(() => page.getByLabel("Message").inputValue(), "");
    await open.getByText("Monitoring").waitFor();
    await open.getByText("A fix is deployed.").waitFor();
    await page.getByRole("button", { name: "Edit the update: Monitoring" }).click();
    await updates.getByLabel("Message").fill("A fix is **tested**.");
    await updates.getByRole("button", { name: "Save" }).click();
    await updates.getByText("Monitoring · edited").waitFor();
    await open.getByText("A fix is tested.").waitFor();
    await page.getByRole("button", { name: "Delete the update: Monitoring" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await becomes(() => updates.count(), 1);
    await page.getByRole("button", { name: "Edit the update: Identified" }).waitFor();
    expect(await page.getByRole("button", { name: /^Delete the update/ }).count()).toBe(0);
    await page.getByLabel("Status").selectOption("Resolved");
    await page.getByLabel("Message").fill("All payments work again.");
    await page.getByRole("button", { name: "Resolve incident" }).click();
    await page.getByRole("status").filter({ hasText: "Resolved after" }).waitFor();
    await other.page.getByText("No open incidents.").waitFor();
    const ended = other.page.getByRole("region", { name: "Ended" }).getByRole("listitem");
    await ended.getByText("Resolved").waitFor();

    await page.getByRole("link", { name: "Edit", exact: true }).click();
    await page.getByLabel("Title", { exact: true }).fill("Cards fail");
    await page.getByLabel("Impact").selectOption("Critical impact");
    await page.getByLabel("payments, as public").uncheck();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { name: "Cards fail", level: 1, exact: true }).waitFor();
    await ended.getByText("Critical impact").waitFor();
    const [edited] = await incidentsOf(shown.id);
    expect(edited).toMatchObject({ title: "Cards fail", impact: "critical", componentIds: [] });
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByText("No ended incidents.").waitFor();
    await page.getByRole("button", { name: "Dismiss" }).click();
    await becomes(() => incidentsOf(shown.id), []);
  },
  2 * PATIENCE,
);

longTest(
  "behavior 15.97: an outage that the page shows is an incident after one click, also from its own view",
  async () => {
    const { job, page: shown } = await pageOf("checkout");
    const fail = () => fetch(`${job.checkinUrl}?status=fail`);
    await fail();
    await using reader = await served.opened(`/pages/${shown.id}/incidents`);
    const { page } = reader;
    await page.getByRole("link", { name: "checkout, as public is down" }).waitFor();
    await page.getByRole("button", { name: /^Turn into an incident/ }).click();
    await page.getByRole("heading", { name: "checkout, as public is down", level: 1 }).waitFor();
    const [outage] = (await served.api.get(`/api/v1/outages?monitorId=${job.id}`)).body.data;
    const [incident] = await incidentsOf(shown.id);
    expect(incident).toMatchObject({
      impact: "major",
      componentIds: [shown.components[0].id],
      startedAt: outage.startedAt,
      resolvedAt: null,
    });
    await page.goto(`/outages/${outage.id}`);
    await page.getByRole("region", { name: "Public pages" }).getByText("Shown as an incident.").waitFor();

    await fetch(job.checkinUrl);
    await fail();
    await page.goto(`/outages?monitor=${job.id}`);
    await page.getByRole("region", { name: "Open" }).getByRole("link", { name: "checkout" }).click();
    const pages = page.getByRole("region", { name: "Public pages" });
    await pages.getByText("Shown by itself.").waitFor();
    await pages.getByRole("button", { name: /^Turn into an incident/ }).click();
    await page.getByRole("heading", { name: "checkout, as public is down", level: 1 }).waitFor();
    await becomes(async () => (await incidentsOf(shown.id)).length, 2);
    await page.getByRole("link", { name: shown.title }).click();
    const rows = page.getByRole("region", { name: "Open" }).getByRole("listitem");
    await becomes(() => rows.getByText("Investigating").count(), 2);
    expect(await page.getByRole("button", { name: /^Turn into an incident/ }).count()).toBe(0);
  },
);

longTest(
  "behavior 15.98: the preview renders Markdown as the public page does, without scripts and pictures",
  async () => {
    const { page: shown } = await pageOf("preview");
    await using reader = await served.opened(`/pages/${shown.id}/incidents/new`);
    const { page } = reader;
    await page.getByRole("button", { name: "Preview" }).click();
    const preview = page.getByRole("region", { name: "Preview" });
    await preview.getByText("Nothing to show yet.").waitFor();
    await page.getByLabel("Message").fill("Cards **fail**, see [the log](https://example.com/).");
    await becomes(() => preview.locator("strong").allTextContents(), ["fail"]);
    expect(await preview.getByRole("link", { name: "the log" }).getAttribute("target")).toBe("_blank");
    const hostile =
      "<img src=x onerror=alert(1)> ![](https://example.com/x.png) [go](javascript:alert(1)) end";
    await page.getByLabel("Message").fill(hostile);
    await preview.getByText("onerror=alert(1)").waitFor();
    await becomes(() => preview.locator("img, script, a[href^=javascript]").count(), 0);
    await page.getByRole("button", { name: "Hide preview" }).click();
    await preview.waitFor({ state: "detached" });
  },
);
