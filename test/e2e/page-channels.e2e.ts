import { expect, setDefaultTimeout, test } from "bun:test";
import { isAccessible } from "../support/browser/accessibility.ts";
import { becomes } from "../support/browser/becomes.ts";
import { MAX_SHIFT, observeShifts, shiftOf } from "../support/browser/layout-shift.ts";
import { PATIENCE, ServedPage } from "../support/browser/served-page.ts";
import { longTest } from "../support/long.ts";
import { Receiver } from "../support/servers/receiver.ts";
import { untilEndOfFile } from "../support/until-end.ts";

setDefaultTimeout(PATIENCE);

const served = await untilEndOfFile(ServedPage.start());

test("channels are created, tested, edited and deleted, and show their deliveries", async () => {
  await using receiver = new Receiver();
  await using reader = await served.opened("/channels");
  const { page } = reader;
  await page.getByRole("link", { name: "New channel" }).click();
  await page.getByLabel("Name", { exact: true }).fill("on call");
  await page.getByLabel("Webhook URL").fill("https://example.com/");
  await page.getByRole("button", { name: "Create channel" }).click();
  await page.getByText("Must begin with https://hooks.slack.com/").waitFor();
  await page.getByRole("radio", { name: "Webhook" }).check({ force: true });
  await page.getByLabel("URL", { exact: true }).fill(receiver.url);
  await page.getByRole("button", { name: "Create channel" }).click();
  await page.getByRole("button", { name: "Send a test" }).click();
  await page.getByText("Delivered.").waitFor();

  const [channel] = (await served.api.get("/api/v1/alerts")).body.data;
  const { checkinUrl } = (
    await served.api.post("/api/v1/monitors", {
      name: "notifying",
      type: "SCHEDULED",
      config: {},
      alertChannelIds: [channel.id],
    })
  ).body.data;
  await fetch(`${checkinUrl}?status=fail`);
  await page.getByRole("cell", { name: "Delivered" }).waitFor();

  await page.getByRole("button", { name: "Edit" }).click();
  await page.getByLabel("Name", { exact: true }).fill("renamed");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("heading", { name: "renamed" }).waitFor();
  await page.getByRole("button", { name: "Disable" }).click();
  await page.getByRole("button", { name: "Enable" }).waitFor();
  await page.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await page.getByText("No channels yet").waitFor();
  await page.getByRole("button", { name: "Dismiss" }).click();
  await becomes(async () => (await served.api.get("/api/v1/alerts")).body.data, []);
});

longTest(
  "behavior 16.171, 16.172, 16.173: a service has its own fields, keeps its secrets, and is named wherever its channel is",
  async () => {
    await using receiver = new Receiver();
    const { origin } = new URL(receiver.url);
    await using reader = await served.opened("/channels/new");
    const { page } = reader;
    await page.getByRole("radio", { name: "ntfy" }).check({ force: true });
    await page.getByLabel("Name", { exact: true }).fill("phones");
    await page.getByLabel("Access token").fill("tk_secret");
    await page.getByRole("button", { name: "Create channel" }).click();
    await page.locator(".field").filter({ hasText: "Topic" }).getByText("Enter a value.").waitFor();
    await page.getByLabel("Topic").fill("alerts");
    await page.getByText("More settings").click();
    await becomes(() => page.getByLabel("Server").inputValue(), "https://ntfy.sh");
    await page.getByLabel("Server").fill(origin);
    await page.getByRole("button", { name: "Add a header" }).click();
    await page.getByLabel("Header 1").fill("X-Team");
    await page.getByLabel("Value 1").fill("shop");
    await page.getByRole("button", { name: "Create channel" }).click();
    const facts = page.locator(".channel-facts");
    for (const fact of ["ntfy", "Access token•••", "Topicalerts", "Request headersX-Team"])
      await facts.filter({ hasText: fact }).waitFor();

    await page.getByRole("button", { name: "Edit" }).click();
    await becomes(() => page.getByLabel("Access token").inputValue(), "•••");
    await page.getByLabel("Server").fill("http://127.0.0.2:1");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("X-Team: Must be sent with its value: the origin of config.url changes.").waitFor();
    await page.getByLabel("Server").fill(origin);
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("button", { name: "Send a test" }).click();
    await page.getByText("Delivered.").waitFor();
    expect(receiver.only().headers).toMatchObject({ authorization: "Bearer tk_secret", "x-team": "shop" });

    const channel = (await served.api.get("/api/v1/alerts")).body.data.at(-1);
    expect(channel).toMatchObject({
      type: "WEBHOOK",
      config: { url: origin, format: "ntfy", options: { topic: "alerts", token: "•••" } },
    });
    const job = await served.monitor("SCHEDULED", {}, { name: "a job", alertChannelIds: [channel.id] });
    await page.goto("/channels");
    await page.getByRole("listitem").filter({ hasText: "phonesntfy, every change" }).waitFor();
    await page.goto(`/monitors/${job.id}/edit`);
    await page.getByRole("checkbox", { name: "phones ntfy" }).waitFor();
    await fetch(`${job.checkinUrl}?status=fail`);
    await becomes(() => receiver.received.length, 2);
    for (const name of ["ntfy", "Webhook"]) {
      await page.goto("/events");
      const row = page.getByRole("row").filter({ hasText: "a job" }).first();
      await row.getByText("Delivered", { exact: true }).click();
      await row.getByText(`${name}: delivered (1×)`).waitFor();
      // A deleted channel has only its type.
      await served.api.delete(`/api/v1/alerts/${channel.id}`);
    }
  },
);

longTest("behavior 27.103: a channel gets a language in its form, and loses it there", async () => {
  await using reader = await served.opened("/channels/new");
  const { page } = reader;
  const facts = page.locator(".channel-facts");
  const field = page.getByLabel("Language", { exact: true });
  const choose = async (language: string) => {
    await field.selectOption(language);
    await page.getByRole("button", { name: /^Save$|^Create channel$/ }).click();
    await facts.waitFor();
  };
  await page.getByRole("radio", { name: "ntfy" }).check({ force: true });
  await page.getByLabel("Name", { exact: true }).fill("telefone");
  await page.getByLabel("Topic").fill("alerts");
  await choose("de");
  await facts.getByText("Deutsch").waitFor();
  const saved = async () =>
    (await served.api.get(new URL(page.url()).pathname.replace("/channels", "/api/v1/alerts"))).body.data
      .language;
  expect(await saved()).toBe("de");
  await page.getByRole("button", { name: "Edit" }).click();
  expect(await field.inputValue()).toBe("de");
  await choose("pt-BR");
  await facts.getByText("português (Brasil)").waitFor();
  expect(await saved()).toBe("pt-BR");
  await page.getByRole("button", { name: "Edit" }).click();
  await choose("");
  await facts.getByText("português (Brasil)").waitFor({ state: "detached" });
  expect(await saved()).toBeUndefined();

  const webhook = { name: "hook", type: "WEBHOOK", config: { url: "http://127.0.0.1:1/" }, language: "fr" };
  const { id } = (await served.api.post("/api/v1/alerts", webhook)).body.data;
  await page.goto(`/channels/${id}`);
  await page.getByRole("button", { name: "Edit" }).click();
  await page.getByLabel("Name", { exact: true }).fill("renamed hook");
  expect(await field.count()).toBe(0);
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("heading", { name: "renamed hook" }).waitFor();
  expect(await saved()).toBe("fr");
});

test("behavior 16.267: some of the monitors that notify nobody get channels, by tag and by a search", async () => {
  await using own = await ServedPage.start(["--log-level", "info"]);
  const monitors = new Map<string, string>();
  for (const [name, tags] of [
    ["shop", ["web"]],
    ["blog", ["web", "old"]],
    ["orders", ["database"]],
    ["loose", []],
  ] as const)
    monitors.set((await own.monitor("SCHEDULED", {}, { name, tags, alertChannelIds: [] })).id, name);
  for (const name of ["day", "night"])
    await own.api.post("/api/v1/alerts", { name, type: "WEBHOOK", config: { url: "http://127.0.0.1:1/" } });
  const boundTo = async (name: string) => {
    const { data } = (await own.api.get("/api/v1/alerts")).body;
    const { bindings } = data.find((one: { name: string }) => one.name === name);
    return bindings.map(({ monitorId }: { monitorId: string }) => monitors.get(monitorId)).sort();
  };
  await using reader = await own.opened("/channels/choose", { viewport: { width: 390, height: 844 } });
  const { page } = reader;
  const groups = page.locator(".silent-group");
  await page.getByText("4 of 4 monitors selected").waitFor();
  expect((await groups.allTextContents()).map((text) => text.trim())).toEqual([
    "database1 of 1",
    "web2 of 2",
    "Without a tag1 of 1",
  ]);
  await isAccessible(page);
  const notify = () => page.getByRole("button", { name: "Notify these channels" }).click();
  await notify();
  await page.getByText("Select a channel.").waitFor();
  await page.locator("[type=checkbox]:focus").waitFor();
  await page.getByRole("checkbox", { name: /^day/ }).check();
  await page.getByRole("button", { name: "Select none" }).click();
  await notify();
  await page.getByText("Select a monitor.").waitFor();
  await page.getByRole("checkbox", { name: "blog" }).check();
  const web = page.getByRole("checkbox", { name: /^web/ });
  expect(await page.locator(".silent-group :indeterminate").count()).toBe(1);
  await web.click();
  await page.getByText("2 of 4 monitors selected").waitFor();
  await page.getByRole("button", { name: "Monitors: web" }).click();
  expect(await page.getByRole("checkbox", { name: "blog" }).count()).toBe(0);
  await notify();
  await page.getByText("If one of 2 monitors goes down").waitFor();
  expect(await boundTo("day")).toEqual(["blog", "shop"]);

  await page.getByRole("searchbox").fill("ORD");
  await page.getByRole("button", { name: "Select these 1" }).click();
  await page.getByText("1 of 2 monitors selected").waitFor();
  await notify();
  await becomes(() => boundTo("day"), ["blog", "orders", "shop"]);
  const last = page.getByRole("region", { name: "Last change" });
  await last.getByText("1 monitor changed.").waitFor();
  await last.getByRole("button", { name: "Undo" }).click();
  await becomes(() => boundTo("day"), ["blog", "shop"]);
  await isAccessible(page);
});

longTest("the organization is renamed in the settings", async () => {
  await using reader = await served.opened("/settings");
  const { page } = reader;
  await page.getByLabel("Organization").fill("Example Ltd");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved.").waitFor();
  expect((await served.api.get("/api/v1/organization")).body.data.name).toBe("Example Ltd");
});

longTest(
  "behavior 16.266, 16.267, 16.269, 16.270, 16.271: monitors that notify nobody get a channel from the overview, a channel, a form and their own view",
  async () => {
    await using own = await ServedPage.start(["--log-level", "info"]);
    await using receiver = new Receiver();
    const boundTo = async (name: string) => {
      const { data } = (await own.api.get("/api/v1/alerts")).body;
      const { bindings } = data.find((one: { name: string }) => one.name === name);
      return bindings.map(({ monitorId }: { monitorId: string }) => monitorId).sort();
    };
    const first = await own.monitor("SCHEDULED", {}, { name: "first job" });
    await using reader = await own.signedIn();
    const { page } = reader;
    const dialog = page.getByRole("dialog");

    // From the form of a monitor, which keeps its values.
    await page.goto("/monitors/new?type=SCHEDULED");
    await page.getByLabel("Name", { exact: true }).fill("second job");
    await page.getByRole("button", { name: "New channel" }).click();
    await dialog.getByRole("radio", { name: "E-mail" }).check({ force: true });
    await dialog.getByText("This server cannot send e-mail").waitFor();
    await dialog.getByRole("radio", { name: "Webhook" }).check({ force: true });
    await dialog.getByLabel("Name", { exact: true }).fill("on call");
    await dialog.getByLabel("URL", { exact: true }).fill(receiver.url);
    await dialog.getByLabel("All 1 monitor").uncheck();
    await dialog.getByRole("button", { name: "Create channel" }).click();
    await dialog.getByRole("button", { name: "Send a test" }).click();
    await dialog.getByText("Delivered.").waitFor();
    await dialog.getByRole("button", { name: "Done" }).click();
    expect(await page.getByRole("checkbox", { name: /on call/ }).isChecked()).toBe(true);
    await page.getByText("At once if the monitor").waitFor();
    expect(await page.getByLabel("Name", { exact: true }).inputValue()).toBe("second job");
    await page.getByRole("button", { name: "Create monitor" }).click();
    const second = await own.savedMonitor(page);
    expect(await boundTo("on call")).toEqual([second.id]);

    // From the overview: a paused monitor needs no channel.
    await own.monitor("SCHEDULED", {}, { name: "paused", enabled: false, alertChannelIds: [] });
    await page.goto("/");
    await page.getByRole("link", { name: "1 notifies nobody" }).click();
    await page.getByRole("checkbox", { name: "first job" }).waitFor();
    expect(await boundTo("on call")).toEqual([second.id]);
    await page.getByRole("button", { name: "Notify these channels" }).click();
    await becomes(() => new URL(page.url()).pathname, "/");
    await page.getByText("notifies nobody").waitFor({ state: "detached" });
    expect(await boundTo("on call")).toEqual([first.id, second.id].sort());
    await page.getByRole("region", { name: "Last change" }).getByRole("button", { name: "Undo" }).click();
    await page.getByRole("link", { name: "1 notifies nobody" }).waitFor();
    expect(await boundTo("on call")).toEqual([second.id]);
    await page.getByRole("link", { name: "1 notifies nobody" }).click();
    await page.getByRole("button", { name: "Notify these channels" }).click();
    await becomes(() => boundTo("on call"), [first.id, second.id].sort());

    // From the view of the channel.
    await page.getByRole("link", { name: "Channels" }).click();
    await page.getByRole("link", { name: "on call", exact: true }).click();
    const list = page.getByRole("list", { name: "Monitors of this channel" });
    await list.getByRole("button", { name: "Remove first job" }).click();
    await list.getByRole("link", { name: "first job" }).waitFor({ state: "detached" });
    await list.getByRole("link", { name: "second job" }).waitFor();
    expect(await boundTo("on call")).toEqual([second.id]);
    await page.getByRole("button", { name: "Add monitors" }).click();
    await dialog.getByRole("button", { name: "Add", exact: true }).click();
    await dialog.getByText("Select all monitors, a tag or a single monitor").waitFor();
    await dialog.getByLabel("All monitors").check();
    await dialog.getByRole("button", { name: "Add", exact: true }).click();
    await list.getByRole("link", { name: "paused" }).waitFor();
    expect(await boundTo("on call")).toHaveLength(3);

    // From the view of a monitor.
    await own.api.patch(`/api/v1/monitors/${first.id}`, { alertChannelIds: [] });
    await page.goto(`/monitors/${first.id}`);
    await page.getByText("Nobody is notified.").waitFor();
    await page.getByRole("button", { name: "Choose channels" }).click();
    await dialog.getByRole("button", { name: "Notify these channels" }).click();
    await page.getByText("Nobody is notified.").waitFor({ state: "detached" });
    expect(await boundTo("on call")).toContain(first.id);
  },
);

longTest(
  "behavior 16.268, 16.272, 16.340, 16.376: the first steps lead to a channel for all monitors, which is marked if it cannot send, and are hidden for good",
  async () => {
    await using own = await ServedPage.start(["--log-level", "info"]);
    const { id } = await own.monitor("SCHEDULED", {}, { name: "job" });
    await using reader = await own.signedIn({ isNew: true });
    const { page } = reader;
    await observeShifts(page);
    await page.goto("/");
    const steps = page.getByRole("region", { name: "First steps" });
    await steps.getByText("To do: Send a test to the channel").waitFor();
    await steps.getByText("To do: Make a backup").waitFor();
    await page.getByRole("button", { name: "Pause all" }).waitFor();
    expect(await shiftOf(page)).toBeLessThanOrEqual(MAX_SHIFT);
    await steps.getByRole("link", { name: "Create a channel" }).click();
    await page.getByRole("radio", { name: "E-mail" }).check({ force: true });
    await page.getByText("This server cannot send e-mail: set --smtp-url and --smtp-from.").waitFor();
    await page.getByLabel("Name", { exact: true }).fill("mail");
    await page.getByLabel("Address").fill("ops@example.com");
    await page.getByRole("button", { name: "Create channel" }).click();
    await page.getByRole("heading", { name: "mail", exact: true }).waitFor();
    await page.getByText("Server cannot send e-mail").waitFor();
    const [channel] = (await own.api.get("/api/v1/alerts")).body.data;
    expect(channel.bindings).toEqual([{ monitorId: id, alertChannelId: channel.id }]);
    const organization = (await own.api.get("/api/v1/organization")).body.data;
    expect(organization.defaultAlertChannelIds).toEqual([channel.id]);
    await page.getByRole("link", { name: "Channels" }).click();
    await page.getByText("Server cannot send e-mail").waitFor();
    await page.getByRole("link", { name: "New channel" }).click();
    expect(await page.getByLabel("New monitors").isChecked()).toBe(false);
    await page.getByRole("link", { name: "Overview" }).click();
    await steps.getByText("Done: A channel").waitFor();
    await steps.getByText("To do: Let the server send e-mail").waitFor();
    await steps.getByRole("button", { name: "Hide" }).click();
    await steps.waitFor({ state: "detached" });
    const asked: string[] = [];
    page.on("request", (request) => asked.push(new URL(request.url()).pathname));
    await page.reload();
    await page.getByRole("link", { name: "job" }).waitFor();
    expect(await steps.count()).toBe(0);
    expect(asked.filter((path) => path.startsWith("/api/v1/people"))).toEqual([]);
  },
);
