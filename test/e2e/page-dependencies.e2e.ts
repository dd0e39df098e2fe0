import { expect, setDefaultTimeout } from "bun:test";
import { isAccessible } from "../support/browser/accessibility.ts";
import { becomes } from "../support/browser/becomes.ts";
import { toggleSection } from "../support/browser/monitor-form.ts";
import { PATIENCE, ServedPage } from "../support/browser/served-page.ts";
import { longTest as test } from "../support/long.ts";
import { HttpTarget } from "../support/servers/targets.ts";
import { untilEndOfFile } from "../support/until-end.ts";

setDefaultTimeout(PATIENCE);

const served = await untilEndOfFile(ServedPage.start());
const onCall = await channel("on call");
const boss = await channel("boss");

const port = { host: "127.0.0.1", port: 1, interval: 3600 };

test("behavior 23.9: the hours of a channel are chosen by keyboard alone, kept by a draft, and shown beside it", async () => {
  const alertBindings = [{ alertChannelId: boss }];
  const { id } = await served.monitor("TCP", port, { name: "Night watch", alertBindings });
  await using reader = await served.opened(`/monitors/${id}/edit`);
  const { page } = reader;
  await page.getByRole("combobox", { name: "Hours for boss" }).focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Tab");
  // Without Monday.
  await page.keyboard.press("Space");
  await page.getByLabel("Time zone", { exact: true }).fill("Europe/Berlin");
  await page
    .getByText(/^At once .* Outside Tue–Fri 08:00–18:00, Europe\/Berlin it waits until they open/)
    .waitFor();
  await isAccessible(page);
  await page.reload();
  await page.getByText(/Outside Tue–Fri 08:00–18:00, Europe\/Berlin/).waitFor();
  await page.getByLabel("To 1").fill("00:00");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Tue–Fri 08:00–24:00, Europe/Berlin").waitFor();
  const windows = [{ days: ["tue", "wed", "thu", "fri"], from: "08:00", to: "24:00" }];
  expect((await served.savedMonitor(page)).alertBindings).toEqual([
    { monitorId: id, alertChannelId: boss, hours: { timezone: "Europe/Berlin", windows, outside: "hold" } },
  ]);
  await page.goto(`/monitors/${id}/edit`);
  await page.getByRole("combobox", { name: "Hours for boss" }).selectOption("At all times");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("heading", { name: "Night watch", level: 1 }).waitFor();
  expect((await served.savedMonitor(page)).alertBindings).toEqual([{ monitorId: id, alertChannelId: boss }]);
});

test("behavior 14.96: tags, dependencies and channels are chosen in the form, which says who is notified, when", async () => {
  const router = await served.monitor("TCP", port, { name: "Router", tags: ["net", "eu"] });
  await using reader = await served.opened("/monitors/new?type=TCP");
  const { page } = reader;
  const preview = page.getByRole("region", { name: "Who is notified, when" });
  await preview.getByText("Nobody, because no channel is selected.").waitFor();
  await page.getByLabel("Name", { exact: true }).fill("Shop");
  await page.getByLabel("Host", { exact: true }).fill("127.0.0.1");
  await page.getByRole("textbox", { name: "Port", exact: true }).fill("1");
  await toggleSection(page, "Tags and dependencies");
  await page.getByLabel("Tags", { exact: true }).fill("Web");
  await page.getByRole("button", { name: "Create monitor" }).click();
  await page.getByText(/^Must be 1 to 50 characters of a-z/).waitFor();
  await page.getByLabel("Tags", { exact: true }).fill("web, web");
  await page.getByRole("button", { name: "Add the tag eu" }).click();
  await page.getByLabel("Search for Depends on").fill("rout");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Remove Router" }).waitFor();

  await page.getByRole("checkbox", { name: "boss Webhook" }).check();
  await preview
    .getByText("At once if the monitor goes down or gets a warning. Also when it is healthy again.")
    .waitFor();
  await preview
    .getByText("Trouble that begins while Router is down is notified only if it lasts longer.")
    .waitFor();
  await page.getByLabel("When to notify boss").selectOption("After 15 min");
  await page.getByLabel("Reminders for boss").selectOption("Remind every 1 h");
  await preview
    .getByText(
      /and that lasts 15 min without being acknowledged, then every 1 h until it is over or acknowledged/,
    )
    .waitFor();
  await toggleSection(page, "Confirmation");
  await page.getByLabel("Confirm before notifying").selectOption("After 2 further checks");
  await preview.getByText("2 further checks must agree before anybody is notified.").waitFor();
  await page.getByRole("button", { name: "Create monitor" }).click();
  await page.getByRole("heading", { name: "Shop", level: 1 }).waitFor();
  const shop = await served.savedMonitor(page);
  expect(shop).toMatchObject({ tags: ["web", "eu"], dependsOn: [router.id] });
  expect(shop.alertBindings).toEqual([{ monitorId: shop.id, alertChannelId: boss, after: 900, every: 3600 }]);

  await page.goto(`/monitors/${router.id}/edit`);
  await toggleSection(page, "Tags and dependencies");
  await page.getByLabel("Search for Depends on").fill("shop");
  await page.getByText("No monitor matches.").waitFor();
});

test("behavior 14.96: a monitor that is saved without an edit keeps its tags, dependencies and channels", async () => {
  const parents = [
    await served.monitor("TCP", port, { name: "first" }),
    await served.monitor("TCP", port, { name: "second" }),
  ];
  const { id } = await served.monitor("TCP", port, {
    name: "kept",
    tags: ["z", "a:b_c.d-e"],
    dependsOn: parents.map(({ id }) => id).reverse(),
    alertBindings: [
      { alertChannelId: onCall, after: 61 },
      { alertChannelId: boss, every: 301 },
    ],
  });
  const before = (await served.api.get(`/api/v1/monitors/${id}`)).body.data;
  await using reader = await served.opened(`/monitors/${id}/edit`);
  const { page } = reader;
  await page.getByLabel("When to notify on call").waitFor();
  await page.getByLabel("Tags", { exact: true }).waitFor({ state: "attached" });
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("heading", { name: "kept", level: 1, exact: true }).waitFor();
  const { tags, dependsOn, alertBindings } = await served.savedMonitor(page);
  expect({ tags, dependsOn, alertBindings }).toEqual({
    tags: before.tags,
    dependsOn: before.dependsOn,
    alertBindings: before.alertBindings,
  });
});

test("behavior 14.97: the page of a monitor shows its dependencies, and what mutes its alerts", async () => {
  let isDown = false;
  await using target = new HttpTarget(() => new Response("", { status: isDown ? 500 : 200 }));
  const config = { url: target.url, interval: 2, expect: { status: ["2xx"] } };
  const core = await served.monitor("HTTP", config, { name: "Core" });
  const shop = await served.monitor("HTTP", config, {
    name: "Storefront",
    dependsOn: [core.id],
    alertChannelIds: [onCall],
  });
  const pay = await served.monitor("TCP", port, { name: "Payments", dependsOn: [shop.id] });
  await becomes(() => Promise.all([statusOf(shop.id), statusOf(core.id)]), ["up", "up"]);
  await using reader = await served.opened(`/monitors/${shop.id}`);
  const { page } = reader;
  const graph = page.getByRole("region", { name: "Graph of dependencies" });
  await graph.getByRole("link", { name: "Core: Up" }).waitFor();
  await graph.getByRole("link", { name: /^Payments: / }).waitFor();
  await page.getByText("While this monitor is down, the ones to the right are muted.").waitFor();
  isDown = true;
  await graph.getByRole("link", { name: "Core: Down" }).waitFor();
  const results = page.getByRole("region", { name: "Table of results" });
  // Not by the pointer: a new result may move the row between its press and its release.
  await results.getByText("Muted").first().press("Enter");
  await results.getByText("Webhook: not sent, because Core is down").waitFor();
  expect(await results.getByRole("link", { name: "Show the outage" }).getAttribute("href")).toMatch(
    /^\/outages\/\w+$/,
  );
  await graph.getByRole("link", { name: /^Payments: / }).click();
  await page.getByRole("heading", { name: "Payments", level: 1 }).waitFor();
  await graph.getByRole("link", { name: "Core: Down" }).waitFor();
  await becomes(() => new URL(page.url()).pathname, `/monitors/${pay.id}`);
});

async function channel(name: string): Promise<string> {
  const config = { url: "http://127.0.0.1:1/" };
  return (await served.api.post("/api/v1/alerts", { name, type: "WEBHOOK", config })).body.data.id;
}

async function statusOf(id: string): Promise<string> {
  return (await served.api.get(`/api/v1/monitors/${id}`)).body.data.status;
}
