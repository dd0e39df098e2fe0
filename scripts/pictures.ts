/**
 * Takes the pictures of the README and of docs/ from the built product with example monitors: `bun run build && bun scripts/pictures.ts`.
 * With a folder and names of views, it takes only these: `bun scripts/pictures.ts docs/pictures channel`.
 */
import { mkdirSync } from "node:fs";
import { openEngine } from "../src/store/sqlite/driver.ts";
import { createExamples } from "../src/store/sqlite/examples/monitors.ts";
import { createStore } from "../src/store/store.ts";
import { TestBrowser } from "../test/support/browser/browser.ts";
import { eventually } from "../test/support/eventually.ts";
import { joinedPerson } from "../test/support/people/person.ts";
import { Binary } from "../test/support/product/binary.ts";
import { HttpTarget } from "../test/support/servers/targets.ts";

const [OUT = "docs/pictures", ...only] = process.argv.slice(2);
const looks = [
  { name: "light", colorScheme: "light", viewport: { width: 1280, height: 800 } },
  { name: "dark", colorScheme: "dark", viewport: { width: 1280, height: 800 } },
  { name: "phone", colorScheme: "light", viewport: { width: 390, height: 780 } },
] as const;

mkdirSync(OUT, { recursive: true });
await using binary = new Binary();
await (await binary.serve()).end("SIGTERM");
const ids = await createExampleData(`${binary.folder}/data`);
const server = await binary.serve();
const { key = "" } = await server.client();
await using browser = await TestBrowser.start();
for (const { name, ...look } of looks) {
  const { page, ...reader } = await browser.reader(server.url, look);
  const views = [
    ["overview", "/?range=90d"],
    ["monitor", `/monitors/${ids[0]}`],
    ["form", "/monitors/new?type=HTTP"],
    ["channel", "/channels/new"],
    ["status", "/status/shop"],
  ] as const;
  await page.goto("/");
  await page.getByLabel("API key").fill(key);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("navigation").waitFor();
  for (const [view, path] of views.filter(([view]) => only.length === 0 || only.includes(view))) {
    await page.goto(path);
    await page.waitForLoadState("load");
    await Bun.sleep(700);
    // The picture of the public page also has the components, which are below its incidents.
    const { width, height } = look.viewport;
    const clip = { x: 0, y: 0, width, height: view === "status" ? 1.6 * height : height };
    await page.screenshot({ path: `${OUT}/${view}-${name}.png`, fullPage: view === "status", clip });
  }
  await reader.context.close();
}
if (only.length === 0 || only.includes("outage")) await takeOutage();
if (only.length === 0 || only.includes("on-call")) await takeOnCall();
if (only.length === 0 || only.includes("hindsight")) await takeHindsight();
console.log(`wrote ${OUT}`);

/** @returns the IDs of the monitors */
async function createExampleData(dataDir: string): Promise<string[]> {
  const engine = openEngine(dataDir);
  const store = createStore(engine);
  const [organization] = await store.organizations.list();
  const filled = { engine, store, organizationId: organization?.id ?? "", now: Date.now() };
  const created = await createExamples(filled);
  await store.close();
  return [...created.values()];
}

/** The form of a job that often fails once, with another confirmation. */
async function takeHindsight() {
  let messages = 0;
  await using target = new HttpTarget(() => {
    messages++;
    return new Response();
  });
  const api = await server.client();
  const channel = { name: "Operations", type: "WEBHOOK", config: { url: target.url } };
  const alertChannelIds = [(await api.post("/api/v1/alerts", channel)).body.data.id];
  const job = { name: "Import of orders", type: "SCHEDULED", config: { period: 3600 }, alertChannelIds };
  const { id } = (await api.post("/api/v1/monitors", job)).body.data;
  const words = ["ok", ...Array(9).fill(["fail", "ok"]).flat(), "fail", "fail", "ok"];
  for (const word of words) await api.get(`/api/v1/monitors/${id}/checkin?status=${word}`);
  await eventually(() => messages === 20);
  for (const { name, ...look } of looks) {
    const reader = await browser.reader(server.url, look);
    await reader.signIn(key);
    await reader.open(`/monitors/${id}/edit`);
    const { page } = reader;
    await page.locator(".disclosure-name").getByText("Confirmation", { exact: true }).click();
    const field = page.getByLabel("Confirm before notifying");
    await field.selectOption("1");
    await page.getByText(/^With 1: 2 messages instead of 20/).waitFor();
    await field.scrollIntoViewIfNeeded();
    await page.screenshot({ path: `${OUT}/hindsight-${name}.png` });
    await reader.context.close();
  }
}

/** A schedule of three people. */
async function takeOnCall() {
  const api = await server.client();
  const people = ["Ana", "Ben", "Eva"].map(async (name) => {
    const email = `${name.toLowerCase()}@example.com`;
    return (await joinedPerson(api, { email, name, role: "admin" })).id;
  });
  const personIds = await Promise.all(people);
  const startsAt = new Date(Date.now() - 9 * 86_400_000).toISOString().replace(/T.*/, "T09:00:00Z");
  const schedule = { name: "Operations", timezone: "UTC", layers: [{ personIds, every: "day", startsAt }] };
  await api.post("/api/v1/schedules", schedule);
  for (const { name, ...look } of looks) {
    const reader = await browser.reader(server.url, look);
    await reader.signIn(key);
    await reader.open("/on-call");
    await reader.page.screenshot({ path: `${OUT}/on-call-${name}.png` });
    await reader.context.close();
  }
}

/** A real outage: a server that answers 503 after good answers. */
async function takeOutage() {
  let isGood = true;
  await using target = new HttpTarget(() => {
    if (isGood) return new Response("Basket ".repeat(5000));
    const body = "The database does not answer: too many connections";
    return new Response(body, { status: 503, headers: { "retry-after": "120", server: "nginx" } });
  });
  const api = await server.client();
  const config = { url: target.url, interval: 1, expect: { contains: ["Basket"] } };
  const checkout = { name: "Checkout", type: "HTTP", config };
  const { id } = (await api.post("/api/v1/monitors", checkout)).body.data;
  await eventually(async () => (await api.get(`/api/v1/monitors/${id}`)).body.data.status === "up");
  isGood = false;
  const outages = async () => (await api.get(`/api/v1/outages?monitorId=${id}`)).body.data;
  const outage = await eventually(async () => (await outages())[0]);
  const evidence = async () => (await api.get(`/api/v1/outages/${outage.id}/evidence`)).body.data;
  // The look after the check completes it.
  await eventually(async () => (await evidence()).at(-1)?.self !== null);
  for (const { name, ...look } of looks) {
    const reader = await browser.reader(server.url, look);
    await reader.signIn(key);
    await reader.open(`/outages/${outage.id}`);
    await reader.page.screenshot({ path: `${OUT}/outage-${name}.png` });
    await reader.context.close();
  }
}
