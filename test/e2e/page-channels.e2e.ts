import { afterAll, beforeAll, expect, test } from "bun:test";
import { becomes } from "../support/browser/becomes.ts";
import { leave, PATIENCE, ServedPage } from "../support/browser/served-page.ts";
import { Receiver } from "../support/servers/receiver.ts";

let served: ServedPage;
beforeAll(async () => {
  served = await ServedPage.start();
}, PATIENCE);
afterAll(() => served[Symbol.asyncDispose]());

test(
  "channels are created, tested, edited and deleted, and show their deliveries",
  async () => {
    await using receiver = new Receiver();
    const reader = await served.signedIn();
    const { page } = reader;
    await page.getByRole("link", { name: "Channels" }).click();
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
    await leave(reader);
  },
  PATIENCE,
);

test(
  "behavior 16.171, 16.172, 16.173: a service has its own fields, keeps its secrets, and is named wherever its channel is",
  async () => {
    await using receiver = new Receiver();
    const { origin } = new URL(receiver.url);
    const reader = await served.signedIn();
    const { page } = reader;
    await page.goto("/channels/new");
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
    await page.getByText("X-Team must be sent with its value: the origin of config.url changes.").waitFor();
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
    await leave(reader);
  },
  PATIENCE,
);

test(
  "the organization is renamed in the settings, and the events are filtered",
  async () => {
    await served.monitor("TCP", { host: "127.0.0.1", port: 1, interval: 3600 });
    const { checkinUrl } = await served.monitor("SCHEDULED", {});
    await fetch(`${checkinUrl}?status=fail`);
    const reader = await served.signedIn();
    const { page } = reader;
    await page.getByRole("link", { name: "Settings" }).click();
    await page.getByLabel("Organization").fill("Example Ltd");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved.").waitFor();
    expect((await served.api.get("/api/v1/organization")).body.data.name).toBe("Example Ltd");
    await page.getByRole("link", { name: "Events" }).click();
    await page.getByRole("cell", { name: "Down" }).first().waitFor();
    await page.getByLabel("Type").selectOption("SCHEDULED");
    await page.getByLabel("Status").selectOption("failed");
    await page.getByRole("cell", { name: "Failed" }).first().waitFor();
    // The row may already be in the list before the filters apply.
    await page.getByRole("cell", { name: "Down" }).first().waitFor({ state: "detached" });
    await leave(reader);
  },
  PATIENCE,
);
