import { expect, setDefaultTimeout } from "bun:test";
import { toggleSection } from "../support/browser/monitor-form.ts";
import { PATIENCE, ServedPage } from "../support/browser/served-page.ts";
import { longTest as test } from "../support/long.ts";
import { createLocation, EVIDENCE, ProbeClient } from "../support/requests/probe-client.ts";
import { HttpTarget } from "../support/servers/targets.ts";
import { untilEndOfFile } from "../support/until-end.ts";

setDefaultTimeout(PATIENCE);

const served = await untilEndOfFile(ServedPage.start());

const port = { host: "127.0.0.1", port: 1, interval: 3600 };

test("behavior 13.65: a location is created with its key and commands, renamed, and deleted unless a monitor uses it", async () => {
  await using reader = await served.opened("/locations");
  const { page } = reader;
  const dialog = page.getByRole("dialog");
  await page.getByText("No locations yet.").waitFor();
  await page.getByRole("button", { name: "New location" }).click();
  await dialog.getByRole("button", { name: "Create location" }).click();
  await dialog.getByText("Enter a name of 1 to 200 characters.").waitFor();
  await dialog.getByLabel("Name").fill("here");
  await dialog.getByRole("button", { name: "Create location" }).click();
  await dialog.getByRole("alert").waitFor();
  await dialog.getByLabel("Name").fill("fra");
  await dialog.getByRole("button", { name: "Create location" }).click();
  await dialog.getByText("Copy the key now.").waitFor();
  const key = (await dialog.locator(".copyable-text code").first().textContent()) ?? "";
  expect(key).toMatch(/^stillup_probe_[A-Za-z0-9]{43}$/);
  await dialog.getByText(`stillup probe --server ${served.server.url} --key-file probe.key`).waitFor();
  await dialog.getByRole("button", { name: "systemd" }).click();
  await dialog.getByText("DynamicUser=yes").waitFor();
  await dialog.getByRole("button", { name: "Done" }).click();
  await dialog.waitFor({ state: "detached" });
  expect(await page.content()).not.toContain(key);
  const row = page.getByRole("listitem").filter({ hasText: "fra" });
  await row.getByText("Not connected yet", { exact: true }).waitFor();
  await row.getByText("0 monitors").waitFor();
  const probe = await served.probe(key);
  await row.getByText("Connected", { exact: true }).waitFor();
  await row.getByText(/^0 monitors · version \d/).waitFor();

  const [{ id }] = (await served.api.get("/api/v1/locations")).body.data;
  const monitor = await served.monitor("TCP", port, { name: "uses fra", locations: ["here", id] });
  await row.getByText("1 monitor").waitFor();
  await page.getByRole("button", { name: "Delete the location fra" }).click();
  await dialog.getByRole("button", { name: "Delete" }).click();
  await dialog.getByRole("alert").filter({ hasText: "uses fra" }).waitFor();
  await dialog.getByRole("button", { name: "Cancel" }).click();

  await page.getByRole("button", { name: "Rename the location fra" }).click();
  await dialog.getByLabel("Name").fill("Frankfurt");
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.waitFor({ state: "detached" });
  await page.getByText("Frankfurt").waitFor();

  await served.api.delete(`/api/v1/monitors/${monitor.id}`);
  expect(await probe.end("SIGTERM")).toBe(0);
  await page.getByRole("button", { name: "Delete the location Frankfurt" }).click();
  await dialog.getByRole("button", { name: "Delete" }).click();
  await page.getByText("No locations yet.").waitFor();
});

test("behavior 13.66: the form of a monitor offers locations if there are any, and keeps them without an edit", async () => {
  await using reader = await served.opened("/monitors/new?type=TCP");
  const { page } = reader;
  await page.getByText("No channels yet").waitFor();
  expect(await page.getByText("Check from").count()).toBe(0);
  const [fra, nyc] = [await connect("fra"), await connect("nyc")];

  await page.reload();
  const votes = page.getByLabel("Trouble counts if it is seen by");
  await toggleSection(page, "Locations");
  await page.getByLabel("fra").waitFor();
  expect(await votes.isVisible()).toBe(false);
  await page.getByLabel("Name", { exact: true }).fill("from everywhere");
  await page.getByLabel("Host", { exact: true }).fill("127.0.0.1");
  await page.getByRole("textbox", { name: "Port", exact: true }).fill("1");
  await page.getByLabel("This server").uncheck();
  await page.getByText("Select at least one location.").waitFor();
  for (const name of ["This server", "nyc", "fra"]) await page.getByLabel(name).check();
  await page.getByText("Select at least one location.").waitFor({ state: "detached" });
  await votes.selectOption("At least 2 locations");
  await page.getByRole("button", { name: "Create monitor" }).click();
  await page.getByRole("heading", { name: "from everywhere", level: 1 }).waitFor();
  expect(await served.savedMonitor(page)).toMatchObject({
    locations: ["here", fra.id, nyc.id],
    downWhen: 2,
  });

  const stored = { locations: [nyc.id, "here"], downWhen: "all" };
  const { id } = await served.monitor("TCP", port, { name: "in another order", ...stored });
  await page.goto(`/monitors/${id}/edit`);
  await page.getByLabel("nyc").waitFor({ state: "attached" });
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("heading", { name: "in another order", level: 1, exact: true }).waitFor();
  expect(await served.savedMonitor(page)).toMatchObject(stored);

  await page.goto("/monitors/new?type=SCHEDULED");
  await page.getByText("No channels yet").waitFor();
  expect(await page.getByText("Check from").count()).toBe(0);
});

test("behavior 13.67: the page shows what each location sees, and how many see trouble until they agree", async () => {
  await using target = new HttpTarget();
  const [ams, sin] = [await connect("ams"), await connect("sin")];
  const locations = ["here", ams.id, sin.id];
  const config = { url: target.url, interval: 3600 };
  const { id } = await served.monitor("HTTP", config, { name: "a shop", locations });
  for (const { probe } of [ams, sin]) await see(probe, id, EVIDENCE.reached);
  await using reader = await served.opened("/");
  const { page } = reader;
  const row = page.getByRole("listitem").filter({ hasText: "a shop" });
  await row.getByText("Up", { exact: true }).waitFor();
  await see(ams.probe, id, EVIDENCE.failed);
  await row.getByText("Down from 1 of 3", { exact: true }).waitFor();

  await row.getByRole("link").click();
  const shown = page.locator(".monitor-status");
  await shown.getByText("Down seen from 1 of 3 locations: ams").waitFor();
  await page.getByText("every 1 h from 3 locations").waitFor();
  const places = page.getByRole("region", { name: "Table of locations" });
  await places.getByRole("row", { name: /^ams Connected Down .* no answer within 10 s$/ }).waitFor();
  await places.getByRole("row", { name: /^sin Connected Up 13 ms/ }).waitFor();
  await places.getByRole("row", { name: /^This server Connected Up/ }).waitFor();
  const results = page.getByRole("region", { name: "Table of results" });
  await results.getByText("ams saw: Down: no answer within 10 s").waitFor();
  await results.getByRole("cell", { name: "This server", exact: true }).first().waitFor();
  await page.getByRole("img", { name: /Mean latency at This server .*; at ams .*; at sin / }).waitFor();

  await see(sin.probe, id, EVIDENCE.failed);
  await shown.getByText("Down", { exact: true }).waitFor();
  await shown.getByText("Down seen from 2 of 3 locations: ams, sin").waitFor();
  for (const { probe } of [ams, sin]) await see(probe, id, EVIDENCE.reached);
  await shown.getByText("Up", { exact: true }).waitFor();
  await page.getByText(/^Down seen/).waitFor({ state: "detached" });
  await page.getByRole("link", { name: "Events" }).click();
  await page.getByRole("cell", { name: "a shop · ams" }).first().waitFor();
});

test("behavior 13.73: the list of locations says what to do if several probes use a key", async () => {
  const { probe } = await connect("lon");
  const other = new ProbeClient(served.api, probe.key, "b".repeat(22));
  await using reader = await served.opened("/locations");
  const { page } = reader;
  const row = page.getByRole("listitem").filter({ hasText: "lon" });
  await row.getByText("Connected", { exact: true }).waitFor();
  expect(await row.getByText("Several probes").count()).toBe(0);
  for (const client of [probe, other, probe]) await client.observe({ monitorId: "unknown" });
  await row.getByText("Several probes use its key. Create a location for each probe.").waitFor();
});

/** Creates a location whose probe is connected. */
async function connect(name: string) {
  const location = await createLocation(served.api, name);
  await location.probe.work();
  return location;
}

/** Sends what a probe saw of a monitor now. */
async function see(probe: ProbeClient, monitorId: string, evidence: object): Promise<void> {
  expect((await probe.observe({ monitorId, evidence })).body).toMatchObject({ data: { recorded: 1 } });
}
