import { expect, setDefaultTimeout, test } from "bun:test";
import type { Page } from "playwright-core";
import { isAccessible } from "../support/browser/accessibility.ts";
import { becomes } from "../support/browser/becomes.ts";
import { toggleSection } from "../support/browser/monitor-form.ts";
import { PATIENCE, ServedPage } from "../support/browser/served-page.ts";
import { longTest } from "../support/long.ts";
import { checkIn } from "../support/requests/monitors.ts";
import { untilEndOfFile } from "../support/until-end.ts";

setDefaultTimeout(PATIENCE);

/* Views of an organization with more monitors than one list has. They ask for what they show, never for all monitors. */

const served = await untilEndOfFile(ServedPage.start());
await served.api.post("/api/v1/apply", document());
const created: { id: string; name: string }[] = (await served.api.get("/api/v1/monitors")).body.data;
const ids: Record<string, string> = Object.fromEntries(created.map(({ id, name }) => [name, id]));

/** A router, three shops that depend on it, and others. The last ones are the shops. */
function document() {
  const job = (name: string, values: object = {}) => ({ type: "SCHEDULED", name, ...values });
  const others = Array.from({ length: 1000 }, (_, at) => [`other-${at}`, job(`other ${at}`)]);
  const shop = { dependsOn: ["router"], tags: ["shops"] };
  return {
    channels: { ops: { name: "on call", type: "WEBHOOK", config: { url: "http://127.0.0.1:1/" } } },
    monitors: {
      ...Object.fromEntries(others),
      power: job("Power"),
      router: job("Router", { dependsOn: ["power"] }),
      north: job("North", { ...shop, alertChannelIds: ["ops"] }),
      south: job("South", shop),
      west: job("West", shop),
    },
  };
}

/** Which requests about monitors and channels a page sends: each path with the names of its parameters. */
function requestsOf(page: Page): Set<string> {
  const asked = new Set<string>();
  page.on("request", (request) => {
    const { pathname, searchParams } = new URL(request.url());
    const [, path] = /^\/api\/v1\/((?:overview|monitors|alerts).*)$/.exec(pathname) ?? [];
    if (request.method() !== "GET" || path === undefined) return;
    asked.add([path.replace(/monitors\/\w+/, "monitors/ID"), ...[...searchParams.keys()].sort()].join(" "));
  });
  return asked;
}

async function opened(path: string) {
  const reader = await served.signedIn();
  const { page } = reader;
  const asked = requestsOf(page);
  await page.goto(path);
  return { page, asked, [Symbol.asyncDispose]: () => reader.leave() };
}

const SEARCH = "overview first search skip sort";
const NAMES = "overview first ids";

test("behavior 14.96: what a monitor depends on is found by a search, and Enter may be pressed before it is found", async () => {
  await using view = await opened("/monitors/new?type=SCHEDULED");
  const { page, asked } = view;
  await page.getByLabel("Name", { exact: true }).fill("Mail");
  await toggleSection(page, "Tags and dependencies");
  await page.getByRole("button", { name: "Add the tag shops" }).click();
  await page.getByRole("checkbox", { name: "on call Webhook" }).check();
  const search = page.getByLabel("Search for Depends on");
  await search.fill("NORTH");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Remove North" }).waitFor();
  expect(await search.inputValue()).toBe("");
  await search.fill("shops");
  await page.getByRole("button", { name: "Add South" }).waitFor();
  expect(await page.getByRole("button", { name: /^Add (North|South|West)$/ }).allTextContents()).toEqual([
    "Add South",
    "Add West",
  ]);
  const preview = page.getByRole("region", { name: "Who is notified, when" });
  await preview
    .getByText("Nobody is notified if Router or Power itself is down: bind an enabled channel to it.")
    .waitFor();
  await page.getByRole("button", { name: "Create monitor" }).click();
  await page.getByRole("heading", { name: "Mail", level: 1 }).waitFor();
  const saved = await served.savedMonitor(page);
  expect(saved).toMatchObject({ dependsOn: [ids.North], tags: ["shops"] });
  const graph = page.getByRole("region", { name: "Graph of dependencies" });
  await graph.getByRole("link", { name: /^Power: / }).waitFor();
  expect(asked).toEqual(
    new Set([
      ...["alerts/report", "overview first", SEARCH, "monitors/ID/related relation"],
      ...["monitors/ID", "monitors/ID/report range", "monitors/ID/results limit", "monitors/ID/runs limit"],
      "monitors/ID/forecast",
    ]),
  );
  await served.api.delete(`/api/v1/monitors/${saved.id}`);
});

longTest(
  "behavior 14.96: a search offers neither the monitor itself nor those that depend on it",
  async () => {
    await using view = await opened(`/monitors/${ids.Router}/edit`);
    const { page, asked } = view;
    await toggleSection(page, "Tags and dependencies");
    await page.getByRole("button", { name: "Remove Power" }).waitFor();
    const search = page.getByLabel("Search for Depends on");
    for (const name of ["router", "shops", "power"]) {
      await search.fill(name);
      await page.getByText("No monitor matches.").waitFor();
    }
    await search.fill("other 99");
    await becomes(() => page.getByRole("button", { name: /^Add other/ }).count(), 8);
    expect(asked).toEqual(
      new Set([
        ...["alerts/report", "overview first", SEARCH, NAMES],
        ...["monitors/ID", "monitors/ID/related relation"],
      ]),
    );
  },
);

longTest(
  "behavior 14.95: a maintenance is of monitors beyond the first thousand, and says how many it affects",
  async () => {
    await using view = await opened("/maintenances/new");
    const { page, asked } = view;
    await page.getByLabel("Title", { exact: true }).fill("Upgrade");
    await page.getByText("0 monitors are affected now.").waitFor();
    await page.getByLabel("All monitors").check();
    await page.getByText("1,005 monitors are affected now.").waitFor();
    await page.getByLabel("All monitors").uncheck();
    const search = page.getByLabel("Search for Single monitors");
    for (const name of ["West", "Power"]) {
      await search.fill(name.toLowerCase());
      await page.getByRole("button", { name: `Add ${name}` }).click();
    }
    await page.getByText("2 monitors are affected now.").waitFor();
    await page.getByRole("button", { name: "Add the tag shops" }).click();
    // One of the three shops is also a single monitor.
    await page.getByText("4 monitors are affected now.").waitFor();
    await page.getByLabel("Start", { exact: true }).fill("2036-11-24T02:00");
    await page.getByLabel("End", { exact: true }).fill("2036-11-24T03:00");
    await page.getByRole("button", { name: "Create maintenance" }).click();
    await page.getByRole("link", { name: "Edit Upgrade" }).click();
    await page.getByRole("button", { name: "Remove West" }).waitFor();
    await page.getByRole("button", { name: "Remove Power" }).click();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Monitors with the tag shops, West").waitFor();
    const [stored] = (await served.api.get("/api/v1/maintenances")).body.data;
    expect(stored.selector).toEqual({ monitorIds: [ids.West], tags: ["shops"] });
    expect(asked).toEqual(
      new Set([
        ...["alerts/report", "overview first", SEARCH, NAMES],
        ...["overview anyTag first", "overview anyTag first ids"],
      ]),
    );
  },
);

longTest(
  "behavior 15.91: monitors are added to a public page by a search, one by one and all that match",
  async () => {
    await using view = await opened("/pages/new");
    const { page, asked } = view;
    await page.getByLabel("Title", { exact: true }).fill("Shops");
    await page.getByRole("button", { name: "Add other 0", exact: true }).waitFor();
    expect(await page.getByRole("button", { name: /^Add all/ }).count()).toBe(0);
    const search = page.getByLabel("Search for monitors to add");
    await search.fill("router");
    await search.press("Enter");
    await page.getByRole("button", { name: "Move Router", exact: true }).waitFor();
    await search.fill("north");
    await page.getByRole("button", { name: "Add North" }).click();
    await search.fill("shops");
    await page.getByRole("button", { name: "Add all 2 monitors" }).click();
    await page.getByRole("button", { name: "Move West", exact: true }).waitFor();
    const preview = page.getByRole("region", { name: "Preview" });
    await preview.getByText("South", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Create page" }).click();
    await page.getByRole("heading", { name: "Shops", level: 1 }).waitFor();
    const [shown] = (await served.api.get("/api/v1/pages")).body.data;
    const components: { monitorId: string }[] = shown.components;
    expect(components.map(({ monitorId }) => monitorId)).toEqual(
      ["Router", "North", "South", "West"].map((name) => ids[name] ?? ""),
    );
    await page.getByRole("link", { name: "Incidents" }).click();
    await page.getByRole("link", { name: "New incident" }).click();
    await page.getByRole("checkbox", { name: "West" }).waitFor();
    // The preview shows their days.
    expect(asked).toEqual(new Set([SEARCH, NAMES, `${NAMES} range`]));
  },
);

longTest("behavior 7.50: the channels are listed with the number of their monitors", async () => {
  await using view = await opened("/channels");
  const { page, asked } = view;
  const row = page.getByRole("listitem").filter({ hasText: "on call" });
  await row.getByText("1 monitor", { exact: true }).waitFor();
  await row.getByRole("link", { name: "on call", exact: true }).click();
  await page.getByText("Bound to").waitFor();
  await page.getByText("1 monitor", { exact: true }).waitFor();
  const expected = ["alerts/report", "overview channel first sort"];
  expect([...asked].filter((one) => !one.includes("deliveries"))).toEqual(expected);
});

longTest("outages of a monitor are found by a search, without a list of all monitors", async () => {
  await checkIn(served.api, ids.West ?? "", "fail");
  await using view = await opened("/outages");
  const { page, asked } = view;
  const search = page.getByRole("searchbox", { name: "Search for a monitor" });
  await search.fill("nothing like it");
  await page.getByText("No monitor matches.").waitFor();
  await search.fill("WEST");
  await page.getByRole("button", { name: "West", exact: true }).click();
  await page.waitForURL(({ searchParams }) => searchParams.get("monitor") === ids.West);
  const chosen = page.getByLabel("Monitor", { exact: true });
  await becomes(() => chosen.locator("option:checked").textContent(), "West");
  await page.getByRole("region", { name: "Open" }).getByRole("link", { name: "West" }).waitFor();
  expect([...asked].filter((one) => !/ (first|upTo)\b/.test(one))).toEqual([]);
  await chosen.selectOption("");
  await page.waitForURL(({ searchParams }) => !searchParams.has("monitor"));
});

// The last test: it deletes monitors.
longTest(
  "behavior 16.313, 16.314, 16.315: selected monitors are changed, put into maintenance and deleted at once",
  async () => {
    const { api } = served;
    await using view = await opened("/?sort=name");
    const { page } = view;
    const select = page.getByRole("button", { name: "Select", exact: true });
    const bar = page.getByRole("region", { name: "Selected monitors" });
    const dialog = page.getByRole("dialog");
    const begin = (action: string) => bar.getByRole("button", { name: action, exact: true }).click();
    const confirm = (verb: string) => dialog.getByRole("button", { name: verb, exact: true }).click();
    const focused = () => page.evaluate<string>("document.activeElement.textContent");
    await select.click();
    await page.getByRole("checkbox", { name: "Select North" }).check();
    await page.getByRole("checkbox", { name: "Select other 2", exact: true }).click({ modifiers: ["Shift"] });
    await bar.getByText("4 monitors selected").waitFor();
    await isAccessible(page);
    await begin("Pause");
    await dialog.getByText("4 monitors will change: other 0, other 1, other 2 and 1 other.").waitFor();
    await confirm("Pause");
    await becomes(focused, "Paused 4 monitors.");
    expect(await page.getByRole("listitem").filter({ hasText: "Paused" }).count()).toBe(4);

    await page.getByRole("searchbox").fill("shops");
    await begin("Select all 3");
    await begin("Channels");
    await dialog.getByRole("checkbox", { name: "on call" }).check();
    await dialog.getByText("2 monitors will change: South and West. 1 monitor will stay the same.").waitFor();
    await confirm("Change");
    await becomes(focused, "Changed the channels of 2 monitors.");
    await begin("Maintenance");
    await dialog.getByText("Nobody is notified about North, South and West.").waitFor();
    await confirm("Start");
    await becomes(focused, "Started a maintenance of 3 monitors.");
    // North is paused.
    await page.getByRole("button", { name: "2 In maintenance" }).waitFor();

    await page.getByRole("searchbox").fill("");
    await begin("Select all 1,005");
    await begin("Tags");
    await dialog.getByLabel("Tags", { exact: true }).fill("fleet");
    await dialog.getByText("1,005 monitors will change:").waitFor();
    await served.monitor("SCHEDULED", {}, { name: "new one" });
    await confirm("Change");
    await dialog.getByText("1006 monitors are selected now, not 1005 as expected").waitFor();
    await dialog.getByText("1,006 monitors will change:").waitFor();
    await confirm("Change");
    await becomes(focused, "Changed the tags of 1,006 monitors.");
    expect((await api.get("/api/v1/overview?first=1&tag=fleet")).body.data.matching).toBe(1006);

    await page.getByRole("searchbox").fill("other 99");
    await bar.getByText("0 monitors selected").waitFor();
    await begin("Select all 11");
    await begin("Delete");
    await dialog
      .getByText("11 monitors will be deleted: other 99, other 990, other 991 and 8 others.")
      .waitFor();
    await confirm("Delete");
    await dialog.getByText("Must be 11.").waitFor();
    await dialog.getByLabel("Type 11 to delete 11 monitors").fill("11");
    await confirm("Delete");
    await becomes(focused, "Deleted 11 monitors.");
    await page.getByText("No monitor matches.").waitFor();
    await page.keyboard.press("Escape");
    await becomes(focused, "Select");
    expect(await page.getByRole("checkbox").count()).toBe(0);
  },
);
