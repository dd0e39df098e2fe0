import { expect, setDefaultTimeout, test } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { becomes, holds } from "../support/browser/becomes.ts";
import { PATIENCE, ServedPage } from "../support/browser/served-page.ts";
import { longTest } from "../support/long.ts";
import { SMALL_GIF } from "../support/pages/small-gif.ts";
import { untilEndOfFile } from "../support/until-end.ts";

setDefaultTimeout(PATIENCE);

const served = await untilEndOfFile(ServedPage.start());

const HTML = { "content-type": "text/html" };
const closedPort = { host: "127.0.0.1", port: 1, interval: 3600 };

/** Monitors of these names, by name. */
async function monitors<Name extends string>(...names: Name[]): Promise<Record<Name, string>> {
  const created = await Promise.all(names.map((name) => served.monitor("SCHEDULED", {}, { name })));
  return Object.fromEntries(created.map(({ id }, at) => [names[at], id])) as Record<Name, string>;
}

async function createPage(values: object) {
  return (await served.api.post("/api/v1/pages", values)).body.data;
}

async function stored(id: string) {
  return (await served.api.get(`/api/v1/pages/${id}`)).body.data;
}

/** The rows of the editor from the top, by the names of their handles. */
async function order(page: Page): Promise<string[]> {
  const labels = await page.getByRole("button", { name: /^Move (?!.* (up|down)$)/ }).all();
  return Promise.all(labels.map(async (one) => (await one.getAttribute("aria-label"))?.slice(5) ?? ""));
}

function hasOrder(page: Page, expected: string[]): Promise<void> {
  return becomes(() => order(page), expected);
}

test("behavior 15.90, 15.91: a page is created with groups, shown in the list, and deleted", async () => {
  const ids = await monitors("created web", "created mail", "created cdn");
  await using reader = await served.opened("/pages");
  const { page } = reader;
  await page.getByText("No public pages yet.").waitFor();
  await page.getByRole("link", { name: "New page" }).click();
  await page.getByRole("button", { name: "Create page" }).click();
  await page.getByText("Enter 1 to 200 characters.").waitFor();
  await page.getByText("Must be 1 to 63 of the characters a-z, 0-9 and -.").waitFor();
  await page.getByLabel("Title", { exact: true }).fill("Café Status");
  const address = page.getByLabel("Address", { exact: true });
  await becomes(() => address.inputValue(), "cafe-status");
  await address.fill("cafe");
  await page.getByLabel("Title", { exact: true }).fill("Café");
  expect(await address.inputValue()).toBe("cafe");
  await page.getByLabel("Public", { exact: true }).check();
  const search = page.getByLabel("Search for monitors to add");
  await search.fill("created w");
  await search.press("Enter");
  await page.getByRole("button", { name: "Add created mail" }).click();
  await page.getByRole("button", { name: "Add a group" }).click();
  await page.keyboard.type("Network");
  await search.fill("cdn");
  await page.getByRole("button", { name: "Add created cdn" }).click();
  await page.getByRole("button", { name: "Move created cdn up" }).click();
  await page.getByLabel("Name of created cdn on the page").fill("x".repeat(201));
  await page.getByRole("button", { name: "Create page" }).click();
  await page.getByText("Enter 1 to 200 characters.").waitFor();
  await page.getByLabel("Name of created cdn on the page").fill("Images");
  await page.getByRole("button", { name: "Create page" }).click();
  await page.getByRole("heading", { name: "Café", level: 1 }).waitFor();

  const [created] = (await served.api.get("/api/v1/pages")).body.data;
  expect(created).toMatchObject({ slug: "cafe", title: "Café", visibility: "public", days: 90 });
  expect(created.components).toMatchObject([
    { monitorId: ids["created web"], name: null, group: null },
    { monitorId: ids["created mail"], name: null, group: null },
    { monitorId: ids["created cdn"], name: "Images", group: "Network" },
  ]);
  await page.getByRole("link", { name: "Pages", exact: true }).click();
  const row = page.getByRole("listitem").filter({ hasText: "/status/cafe · 3 components" });
  await row.getByText("Public", { exact: true }).waitFor();
  expect(await row.getByRole("link", { name: "Open Café" }).getAttribute("href")).toBe("/status/cafe");
  await page.getByRole("button", { name: "Delete Café" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await page.getByText("No public pages yet.").waitFor();
  await page.getByRole("button", { name: "Dismiss" }).click();
  await becomes(async () => (await served.api.get("/api/v1/pages")).body.data, []);
});

longTest(
  "behavior 15.91: components and groups are moved with the keyboard and with buttons, and keep their IDs",
  async () => {
    const ids = await monitors("key a", "key b", "key c");
    const before = await createPage({
      slug: "keyboard",
      title: "Keyboard",
      components: [
        { monitorId: ids["key a"] },
        { monitorId: ids["key b"], group: "Group" },
        { monitorId: ids["key c"], group: "Group" },
      ],
    });
    const [a, b, c] = before.components.map(({ id }: { id: string }) => id);
    await using reader = await served.opened(`/pages/${before.id}`);
    const { page } = reader;
    await hasOrder(page, ["key a", "the group Group", "key b", "key c"]);
    await page.getByRole("button", { name: "Move key a", exact: true }).focus();
    await page.keyboard.press("ArrowDown");
    await page.getByText("Position 1 of 3 in Group.").waitFor();
    await hasOrder(page, ["the group Group", "key a", "key b", "key c"]);
    // The handle keeps the focus, also in another list.
    await page.keyboard.press("ArrowDown");
    await hasOrder(page, ["the group Group", "key b", "key a", "key c"]);
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowDown");
    await page.getByText("Position 2 of 2.").waitFor();
    await page.keyboard.press("ArrowDown");
    await page.getByText("It is the last.").waitFor();
    await page.getByRole("button", { name: "Move the group Group down" }).click();
    await hasOrder(page, ["key a", "the group Group", "key b", "key c"]);
    await page.getByRole("button", { name: "Move key c up" }).click();
    await hasOrder(page, ["key a", "the group Group", "key c", "key b"]);
    await page.getByLabel("Name of the group").fill("Renamed");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved.").waitFor();
    await page.getByLabel("Description", { exact: true }).fill("edited since");
    await page.getByText("Saved.").waitFor({ state: "detached" });
    expect((await stored(before.id)).components).toEqual([
      { id: a, monitorId: ids["key a"], name: null, group: null },
      { id: c, monitorId: ids["key c"], name: null, group: "Renamed" },
      { id: b, monitorId: ids["key b"], name: null, group: "Renamed" },
    ]);

    await page.getByRole("button", { name: "Remove the group Renamed" }).click();
    await hasOrder(page, ["key a", "key c", "key b"]);
    await page.getByRole("button", { name: "Remove key c" }).click();
    await page.getByText("Removed: key c.").waitFor();
    await page.getByRole("button", { name: "Move key b", exact: true }).and(page.locator(":focus")).waitFor();
    await page.getByRole("button", { name: "Save" }).click();
    await becomes(async () => (await stored(before.id)).components.length, 2);
  },
);

longTest(
  "behavior 15.91: components and groups are dragged with the pointer, and Escape cancels",
  async () => {
    const ids = await monitors("drag a", "drag b", "drag c");
    const { id } = await createPage({
      slug: "pointer",
      title: "Pointer",
      components: [
        { monitorId: ids["drag a"] },
        { monitorId: ids["drag b"], group: "Group" },
        { monitorId: ids["drag c"] },
      ],
    });
    await using reader = await served.opened(`/pages/${id}`, { viewport: { width: 1280, height: 1600 } });
    const { page } = reader;
    await hasOrder(page, ["drag a", "the group Group", "drag b", "drag c"]);
    await drag(page, "drag c", "drag b", "below");
    await hasOrder(page, ["drag a", "the group Group", "drag b", "drag c"]);
    await page.getByText("Position 2 of 2 in Group.").waitFor();
    await drag(page, "drag a", "drag b", "above");
    await hasOrder(page, ["the group Group", "drag a", "drag b", "drag c"]);
    await drag(page, "drag b", "the group Group", "above");
    await hasOrder(page, ["drag b", "the group Group", "drag a", "drag c"]);
    await drag(page, "the group Group", "drag b", "above");
    await hasOrder(page, ["the group Group", "drag a", "drag c", "drag b"]);
    await press(page, "drag b", "the group Group", "above");
    await page.locator(".layout-row-target").waitFor();
    await page.keyboard.press("Escape");
    await page.mouse.up();
    await hasOrder(page, ["the group Group", "drag a", "drag c", "drag b"]);
    await becomes(() => page.locator(".layout-row-target, .layout-row-dragged").count(), 0);
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved.").waitFor();
    expect((await stored(id)).components).toMatchObject([
      { monitorId: ids["drag a"], group: "Group" },
      { monitorId: ids["drag c"], group: "Group" },
      { monitorId: ids["drag b"], group: null },
    ]);
  },
);

longTest("behavior 15.92: the preview has the current statuses and what is not saved yet", async () => {
  const down = await served.monitor("TCP", closedPort, { name: "preview port" });
  const { id } = await createPage({
    slug: "preview",
    title: "Before",
    components: [{ monitorId: down.id, name: "Entrance" }],
  });
  await using reader = await served.opened(`/pages/${id}`);
  const { page } = reader;
  const preview = page.getByRole("region", { name: "Preview" });
  await preview.getByText("Major Service Outage").waitFor();
  await preview.getByRole("listitem").filter({ hasText: "Entrance" }).getByText("Major outage").waitFor();
  await preview.getByRole("img", { name: /^History: 90 bars, 1 down, 89 without checks/ }).waitFor();
  await preview.getByText("90 days ago").waitFor();
  await page.getByText("History, outages and latency").click();
  await page.getByLabel("Days of history").fill("30");
  await preview.getByRole("img", { name: /^History: 30 bars, 1 down/ }).waitFor();
  await page.getByLabel("Title", { exact: true }).fill("After");
  await preview.getByText("After", { exact: true }).waitFor();
  await page.getByLabel("Description", { exact: true }).fill("What we offer.");
  await preview.getByText("What we offer.").waitFor();
  await page.getByLabel("Name of preview port on the page").fill("Door");
  await preview.getByText("Door", { exact: true }).waitFor();
  await served.api.patch(`/api/v1/monitors/${down.id}`, { enabled: false });
  await preview.getByText("All Systems Operational").waitFor();
  await page.getByRole("button", { name: "Remove Door" }).click();
  await preview.getByText("Its components are shown here.").waitFor();
  expect(await stored(id)).toMatchObject({ title: "Before", components: [{ name: "Entrance" }] });
});

longTest(
  "behavior 15.93: links and badges are offered to copy, for the page and its components",
  async () => {
    const ids = await monitors("badge a", "badge b");
    const { id, components } = await createPage({
      slug: "badges",
      title: "Badges",
      components: [{ monitorId: ids["badge a"] }, { monitorId: ids["badge b"], name: 'Shop "B"' }],
    });
    const component = components[1].id;
    const url = `${served.server.url}/status/badges`;
    await using reader = await served.signedIn();
    const { context, page } = reader;
    await context.grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.goto(`/pages/${id}`);
    await page.getByText("They work for everybody once the page is public.").waitFor();
    await page.getByText(`${url}/feed.atom`, { exact: true }).waitFor();
    await page.getByText(`[![Status of Badges](${url}/badge.svg)](${url})`, { exact: true }).waitFor();
    await page.getByLabel("What the badge is about").selectOption('Shop "B"');
    expect(await page.getByRole("radio", { name: "Latency" }).count()).toBe(0);
    await page.getByRole("radio", { name: "Uptime" }).check({ force: true });
    await page.getByText(`${url}/components/${component}/badge.json?kind=uptime`, { exact: true }).waitFor();
    await page.getByRole("button", { name: "Copy HTML" }).click();
    await page.getByText("Copied").waitFor();
    expect(await page.evaluate<string>("navigator.clipboard.readText()")).toBe(
      `<a href="${url}"><img src="${url}/components/${component}/badge.svg?kind=uptime" ` +
        'alt="Uptime of Shop &quot;B&quot;"></a>',
    );
    await page.getByText("History, outages and latency").click();
    await page.getByLabel("Show the mean latency of the last 24 hours").check();
    await page.getByLabel("Public", { exact: true }).check();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("radio", { name: "Latency" }).waitFor({ state: "attached" });
    const image = page.getByRole("img", { name: 'Uptime of Shop "B"' });
    await image.waitFor();
    await loads(image);
  },
);

longTest("behavior 15.93: the links of a page with a host of its own have that host", async () => {
  await using own = await ServedPage.start(["--page-hosts", "status.example.com=hosted"]);
  const hosted = { slug: "hosted", title: "Hosted", visibility: "public" };
  const { id } = (await own.api.post("/api/v1/pages", hosted)).body.data;
  await using reader = await own.opened(`/pages/${id}`);
  for (const file of ["feed.atom", "badge.svg"])
    await reader.page.getByText(`http://status.example.com/${file}`, { exact: true }).waitFor();
});

longTest(
  "behavior 15.93: a page with a password says that its links and badges are not for everybody, and nothing about a host",
  async () => {
    const { id } = await createPage({
      slug: "locked-badges",
      title: "Locked badges",
      ...{ visibility: "password", password: "correct horse" },
    });
    await using reader = await served.opened(`/pages/${id}`);
    const { page } = reader;
    await page.getByText("They work for readers who have entered the password.").waitFor();
    expect(await page.getByText("For a host name of its own").count()).toBe(0);
  },
);

longTest(
  "behavior 17.26, 17.27, 17.28: a page gets a color, a logo and a site that shows it in a frame",
  async () => {
    let frame = "";
    using site = Bun.serve({ port: 0, fetch: () => new Response(frame, { headers: HTML }) });
    const origin = `http://localhost:${site.port}`;
    const { id } = await createPage({ slug: "look", title: "Look", visibility: "public" });
    await using reader = await served.opened(`/pages/${id}`);
    const { page } = reader;
    await page.getByText("Color, logo and embedding").click();
    const logo = {
      name: "logo.png",
      mimeType: "image/png",
      buffer: Buffer.from(SMALL_GIF.split(",")[1] ?? "", "base64"),
    };
    await page.getByLabel("Logo", { exact: true }).setInputFiles(logo);
    await page.getByLabel("Color", { exact: true }).fill("blue");
    await page.getByLabel("Sites that may embed the page").fill(`${origin}/`);
    await page.reload();
    await becomes(() => page.getByLabel("Color", { exact: true }).inputValue(), "blue");
    await page.getByLabel("Logo", { exact: true }).setInputFiles(logo);
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Must be a color such as #2450c4.").waitFor();
    await page.getByLabel("Color", { exact: true }).fill("#0a7f62");
    await page.getByText("Must be an origin such as https://www.example.com").waitFor();
    await page.getByLabel("Sites that may embed the page").fill(origin);
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved.").waitFor();
    expect(await stored(id)).toMatchObject({
      accent: "#0a7f62",
      logo: { type: "image/gif", size: 29 },
      embedOrigins: [origin],
    });
    await loads(page.getByRole("img", { name: "The logo of the page" }));
    const html = page.getByText(/^<iframe src="[^"]*\/status\/look\?embed"/);
    frame = (await html.textContent()) ?? "";
    const other = await reader.context.newPage();
    await other.goto(origin);
    await other.frameLocator("iframe").getByText("All Systems Operational").waitFor();
    await other.goto("/status/look");
    await loads(other.locator("img.logo"));
    await page.getByLabel("Remove the logo").check();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("img", { name: "The logo of the page" }).waitFor({ state: "detached" });
    expect((await stored(id)).logo).toBeNull();
  },
);

/** Waits until an image is there. */
function loads(image: Locator): Promise<void> {
  const width = () => image.evaluate((one) => (one as unknown as { naturalWidth: number }).naturalWidth);
  return holds(async () => expect(await width()).toBeGreaterThan(0));
}

longTest(
  "behavior 15.94: the list follows the changes of others, and the editor keeps what is entered",
  async () => {
    const { id } = await createPage({ slug: "live", title: "Live" });
    await using reader = await served.signedIn();
    const editor = await reader.context.newPage();
    await reader.page.goto("/pages");
    await reader.page.getByRole("link", { name: "Live", exact: true }).waitFor();
    await editor.goto(`/pages/${id}`);
    await editor.getByLabel("Description", { exact: true }).fill("not saved");
    await served.api.patch(`/api/v1/pages/${id}`, { title: "Changed elsewhere" });
    await reader.page.getByRole("link", { name: "Changed elsewhere", exact: true }).waitFor();
    await editor.getByRole("heading", { name: "Changed elsewhere", level: 1 }).waitFor();
    expect(await editor.getByLabel("Description", { exact: true }).inputValue()).toBe("not saved");
    await served.api.delete(`/api/v1/pages/${id}`);
    await reader.page
      .getByRole("link", { name: "Changed elsewhere", exact: true })
      .waitFor({ state: "detached" });
  },
);

type Half = "above" | "below";

/** Drags a row by its handle onto the upper or the lower half of another row. */
async function drag(page: Page, name: string, onto: string, half: Half): Promise<void> {
  await press(page, name, onto, half);
  await page.mouse.up();
}

/** The same, without the release of the button. */
async function press(page: Page, name: string, onto: string, half: Half): Promise<void> {
  const from = await handle(page, name).boundingBox();
  const row = await page
    .locator(".layout-row")
    .filter({ has: handle(page, onto) })
    .boundingBox();
  if (!from || !row) throw new Error(`${name} or ${onto} is not shown`);
  await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
  await page.mouse.down();
  const y = half === "above" ? row.y + 3 : row.y + row.height - 3;
  await page.mouse.move(from.x + 10, y, { steps: 5 });
}

function handle(page: Page, name: string) {
  return page.getByRole("button", { name: `Move ${name}`, exact: true });
}
