import { expect, setDefaultTimeout, test } from "bun:test";
import { parseFeed } from "@rowanmanning/feed-parser";
import { Ajv } from "ajv";
import addFormats from "ajv-formats";
import { eventually } from "../support/eventually.ts";
import { formatPaths } from "../support/pages/format-paths.ts";
import { STATUSPAGE_FORM } from "../support/pages/statuspage-form.ts";
import { TestServer } from "../support/product/server.ts";
import { checkIn, createMonitor } from "../support/requests/monitors.ts";
import { createIncident, createPage, PAGES } from "../support/requests/pages.ts";
import { untilEndOfFile } from "../support/until-end.ts";

setDefaultTimeout(300_000);

const server = await untilEndOfFile(TestServer.start());
const readFormat = (slug: string, path: string) => fetch(`${server.client.url}/status/${slug}${path}`);

// biome-ignore lint/suspicious/noExplicitAny: the tests assert the shape
const readJson = async (slug: string, path: string): Promise<any> => (await readFormat(slug, path)).json();

/** A public page with a job that has failed, and an incident. */
async function publish() {
  const { client } = server;
  const job = await createMonitor(client, "SCHEDULED", { name: "internal name of the job" });
  await checkIn(client, job.id, "ok", "fail");
  const page = await createPage(client, {
    visibility: "public",
    minOutage: 0,
    showLatency: true,
    components: [{ monitorId: job.id, name: "Backup", group: "Jobs" }],
  });
  const [component] = page.components;
  const incident = await createIncident(client, page.id, {
    title: "Backups are late",
    componentIds: [component.id],
    updates: [{ status: "identified", body: "The disk is **full**." }],
  });
  return { page, component, incident };
}

test("behavior 15.55: the documents of a stored page have every field of Statuspage", async () => {
  const { page } = await publish();
  const ajv = new Ajv({ allErrors: true, allowUnionTypes: true });
  addFormats.default(ajv);
  for (const [name, form] of Object.entries(STATUSPAGE_FORM)) {
    ajv.validate(form, await readJson(page.slug, `/api/v2/${name}`));
    expect([name, ajv.errors ?? []]).toEqual([name, []]);
  }
});

test("behavior 15.57: the incidents of a stored page are its outages and what people wrote", async () => {
  const { page, component, incident } = await publish();
  // An outage is shown as soon as it is longer than `minOutage`.
  const { incidents } = await eventually(async () => {
    const summary = await readJson(page.slug, "/api/v2/summary.json");
    return summary.incidents.length === 2 && summary;
  });
  const seen = incidents.map(({ name, impact, status }: Record<string, string>) => [name, impact, status]);
  expect(seen).toContainEqual(["Backups are late", "minor", "identified"]);
  expect(seen).toContainEqual(["Backup is down", "major", "investigating"]);
  const written = incidents.find(({ id }: { id: string }) => id === incident.id);
  expect(written.incident_updates).toMatchObject([{ status: "identified", body: "The disk is **full**." }]);
  const { components, status } = await readJson(page.slug, "/api/v2/summary.json");
  expect(components).toMatchObject([
    { name: "Jobs", group: true, status: "major_outage" },
    { id: component.id, name: "Backup", group_id: components[0].id, status: "major_outage" },
  ]);
  expect(status.indicator).toBe("critical");
});

test("behavior 15.59: the feed of a stored page has its outages and what people wrote", async () => {
  const { page } = await publish();
  const items = await eventually(async () => {
    const read = parseFeed(await (await readFormat(page.slug, "/feed.atom")).text());
    return read.items.length === 2 && read.items;
  });
  expect(items.map(({ title }) => title).toSorted()).toEqual(["Backup is down", "Backups are late"]);
  const written = items.find(({ title }) => title === "Backups are late");
  expect(written?.content).toContain("The disk is <strong>full</strong>.");
});

test("behavior 15.61: the badges of a stored page show its state", async () => {
  const { page, component } = await publish();
  expect(await readJson(page.slug, "/badge.json")).toEqual({
    schemaVersion: 1,
    label: "a page",
    message: "Major Service Outage",
    color: "red",
  });
  expect(await readJson(page.slug, `/components/${component.id}/badge.json`)).toMatchObject({
    label: "Backup",
    message: "down",
  });
});

test("behavior 15.63: a change has another ETag, and each format of a page that is off is not found", async () => {
  const { page, component } = await publish();
  const etag = async () => (await readFormat(page.slug, "/api/v2/status.json")).headers.get("etag");
  const before = await etag();
  expect(await etag()).toBe(before);
  await server.client.patch(`${PAGES}/${page.id}`, { title: "another title" });
  await eventually(async () => (await etag()) !== before);
  await server.client.patch(`${PAGES}/${page.id}`, { visibility: "off" });
  await eventually(async () => (await readFormat(page.slug, "/badge.json")).status === 404);
  for (const [path] of formatPaths(component.id)) {
    const response = await readFormat(page.slug, path);
    expect([path, response.status]).toEqual([path, 404]);
    expect(await response.json()).toEqual({ error: "Not found" });
  }
});
