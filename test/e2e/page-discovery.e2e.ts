import { expect, setDefaultTimeout, test } from "bun:test";
import { isAccessibleInBothSchemes } from "../support/browser/accessibility.ts";
import { becomes } from "../support/browser/becomes.ts";
import { PATIENCE, ServedPage } from "../support/browser/served-page.ts";
import { smallTargets } from "../support/browser/targets.ts";
import { eventually } from "../support/eventually.ts";
import { startDockerEngine } from "../support/servers/docker-engine.ts";
import { tempDir } from "../support/temp-dir.ts";
import { untilEndOfFile } from "../support/until-end.ts";

setDefaultTimeout(PATIENCE);

const OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth";

const container = (
  name: string,
  { port = 0, ...others }: { port?: number } & Record<string, unknown> = {},
) => ({
  ...{ Id: Bun.hash(name).toString(16).padStart(64, "0"), Names: [`/${name}`], State: "running", Labels: {} },
  Ports: port === 0 ? [] : [{ IP: "0.0.0.0", PrivatePort: 6379, PublicPort: port, Type: "tcp" }],
  ...others,
});

const web = container("web", {
  Labels: { "stillup.web.url": "http://127.0.0.1:1/", "stillup.web.name": "Shop" },
});
const cache = container("cache", { port: 2 });
const others = [
  container("worker with a long name that is wider than a phone".replaceAll(" ", "-")),
  container("stopped", { port: 3, State: "exited" }),
  container("mine", { port: 4, Labels: { "stillup.enable": "false" } }),
  container("wrong", { Labels: { "stillup.wrong.type": "TCP" } }),
];

const dir = tempDir();
const engine = await untilEndOfFile(startDockerEngine(dir.path, [web, cache, ...others]));
const served = await untilEndOfFile(ServedPage.start(["--discover", `docker=${engine.socket},grace=3600`]));
const { api } = served;
const discovery = async () => (await api.get("/api/v1/discovery?drafts=true")).body.data;
const LINE = "3 of 4 containers are watched by nobody";

await eventually(async () => (await discovery()).sources[0]?.unwatched === 3);

test("behavior 28.100, 28.103: the overview leads to what nobody watches, with the sources and their faults", async () => {
  await using reader = await served.opened("/");
  const { page } = reader;
  await page.getByRole("link", { name: LINE }).click();
  await page.getByRole("heading", { name: "What runs here", level: 1 }).waitFor();
  await page.getByRole("list", { name: "Sources" }).getByText(LINE).waitFor();
  expect(await page.getByRole("list", { name: "Sources" }).textContent()).toMatch(/^Docker.*read .* ago$/);
  expect(await page.getByRole("list", { name: "Faults" }).textContent()).toContain("docker/wrong");
  const unwatched = page.getByRole("list", { name: "Watched by nobody" }).getByRole("listitem");
  expect(await unwatched.count()).toBe(3);
  await isAccessibleInBothSchemes(page);

  await page.goto("/settings");
  await page.getByRole("link", { name: "What runs here" }).click();
  await page.getByRole("heading", { name: "What runs here", level: 1 }).waitFor();
});

test("behavior 28.100, 28.103: both fit a small phone, and every target can be touched", async () => {
  await using reader = await served.opened("/", { viewport: { width: 320, height: 640 }, isMobile: true });
  const { page } = reader;
  await page.getByRole("link", { name: LINE }).waitFor();
  expect(await page.evaluate(OVERFLOW)).toBe(0);
  expect(await smallTargets(page)).toEqual([]);
  await page.getByRole("link", { name: LINE }).click();
  await page.getByRole("link", { name: "Watch cache" }).waitFor();
  expect(await page.evaluate(OVERFLOW)).toBe(0);
  expect(await smallTargets(page)).toEqual([]);
  await isAccessibleInBothSchemes(page);
});

test("behavior 28.104: a draft fills the form of a new monitor, by the keyboard alone", async () => {
  await using reader = await served.opened("/discovery");
  const { page } = reader;
  await page.getByRole("link", { name: "Watch cache" }).press("Enter");
  const name = page.getByLabel("Name", { exact: true });
  await becomes(() => name.inputValue(), "cache");
  await page.reload();
  await becomes(() => name.inputValue(), "cache");
  await becomes(() => page.getByRole("textbox", { name: "Port" }).inputValue(), "2");
  await page.getByRole("button", { name: "Create monitor" }).press("Enter");
  expect(await served.savedMonitor(page)).toMatchObject({
    ...{ name: "cache", type: "TCP", ref: null },
    config: { host: "127.0.0.1", port: 2, protocol: "redis" },
  });
  await page.goto("/");
  await page.getByRole("link", { name: "2 of 4 containers are watched by nobody" }).waitFor();
});

test("behavior 28.104: something without an address gives the form its name alone", async () => {
  await using reader = await served.opened("/discovery");
  const { page } = reader;
  await page.getByRole("link", { name: "Watch wrong" }).click();
  await becomes(() => page.getByLabel("Name", { exact: true }).inputValue(), "wrong");
  await page.getByRole("link", { name: "Cancel" }).click();
  await page.getByRole("heading", { name: "What runs here", level: 1 }).waitFor();
});

test("behavior 28.104: a viewer sees everything, and no link to a draft", async () => {
  const { body } = await api.post("/api/v1/api-keys", { name: "viewer", role: "viewer" });
  await using reader = await served.opened("/discovery", {}, body.data.key);
  const { page } = reader;
  await page.getByRole("list", { name: "Watched by nobody" }).waitFor();
  expect(await page.getByRole("link", { name: /^Watch / }).count()).toBe(0);
});

test("behavior 28.103: the monitor of a container that is gone is shown with the time of its end", async () => {
  engine.containers = [cache, ...others];
  engine.send(JSON.stringify({ Type: "container", Action: "destroy" }));
  await eventually(async () =>
    (await discovery()).entries.some(({ goneAt }: { goneAt: string | null }) => goneAt !== null),
  );
  await using reader = await served.opened("/discovery");
  const { page } = reader;
  const gone = page.getByRole("list", { name: "Gone" });
  expect(await gone.textContent()).toMatch(/^Shop.*Gone since .*Deletion: /);
  expect(await gone.getByRole("time").count()).toBe(2);
  await gone.getByRole("link", { name: "Shop" }).click();
  await page.getByRole("heading", { name: "Shop", level: 1 }).waitFor();
});

test("behavior 28.101: only the organization of discovery has the flag, and a server without it loads nothing of it", async () => {
  const flags = async (client: { get(path: string): Promise<{ body: { data: object } }> }) => [
    "discovery" in (await client.get("/api/v1/session")).body.data,
    "discovery" in (await client.get("/api/v1/session/current")).body.data,
  ];
  expect(await flags(api)).toEqual([true, true]);
  await using other = await ServedPage.start();
  expect(await flags(other.api)).toEqual([false, false]);
  await other.monitor("SCHEDULED", {});
  await using reader = await other.signedIn();
  const { page } = reader;
  const requested: string[] = [];
  page.on("request", (request) => void requested.push(new URL(request.url()).pathname));
  await page.goto("/");
  await page.getByRole("list", { name: "Monitors" }).waitFor();
  await page.getByRole("button", { name: "Search" }).waitFor();
  await page.waitForLoadState("networkidle");
  expect(requested.filter((path) => path.includes("discovery"))).toEqual([]);
  await page.goto("/settings");
  await page.getByRole("link", { name: "Server" }).waitFor();
  expect(await page.getByRole("link", { name: "What runs here" }).count()).toBe(0);
  await page.goto("/discovery");
  await page.getByText("This server looks for nothing. Start it with --discover.").waitFor();
});
