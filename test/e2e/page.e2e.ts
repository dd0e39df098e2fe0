import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import axe from "axe-core";
import { Binary, type RunningServer } from "../support/binary.ts";
import { type Look, type Reader, TestBrowser } from "../support/browser.ts";
import type { Client } from "../support/client.ts";
import { Receiver } from "../support/receiver.ts";
import { HttpTarget } from "../support/targets.ts";

const PATIENCE = 60_000;

let binary: Binary;
let server: RunningServer;
let api: Client;
let browser: TestBrowser;

beforeAll(async () => {
  binary = new Binary();
  server = await binary.serve();
  api = await server.client();
  browser = await TestBrowser.start();
}, PATIENCE);

afterAll(async () => {
  await browser[Symbol.asyncDispose]();
  await binary[Symbol.asyncDispose]();
});

async function signedIn(look?: Look, key = api.key ?? ""): Promise<Reader> {
  const reader = await browser.reader(server.url, look);
  await reader.signIn(key);
  return reader;
}

async function keyWith(role: string): Promise<{ id: string; key: string }> {
  return (await api.post("/api/v1/api-keys", { name: `a ${role}`, role })).body.data;
}

/** Everything was served from the binary, and nothing went wrong in the page but what was refused on purpose. */
async function close({ context, complaints, strays }: Reader, expected = REFUSED): Promise<void> {
  await context.close();
  expect(complaints.filter((complaint) => !expected.test(complaint))).toEqual([]);
  expect(strays).toEqual([]);
}

const REFUSED = /^Failed to load resource: the server responded with a status of 4\d\d/;

describe("signing in", () => {
  test(
    "refuses a wrong key, takes a right one, keeps it nowhere, and signs out",
    async () => {
      const reader = await browser.reader(server.url);
      const { page } = reader;
      await page.goto("/");
      await page.getByLabel("API key").fill("stillup_wrong");
      await page.getByRole("button", { name: "Sign in" }).click();
      await page.getByRole("alert").filter({ hasText: "This key opens nothing" }).waitFor();

      await page.getByLabel("API key").fill(api.key ?? "");
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "Nothing is watched yet" }).waitFor();
      const kept = await page.evaluate("JSON.stringify([localStorage, sessionStorage, document.cookie])");
      expect(kept).toBe('[{},{},""]');
      const [cookie] = await reader.context.cookies();
      expect(cookie).toMatchObject({ httpOnly: true, sameSite: "Strict", secure: false });
      expect(await page.content()).not.toContain(api.key ?? "?");

      await page.getByRole("button", { name: "Sign out" }).click();
      await page.getByLabel("API key").waitFor();
      expect(await reader.context.cookies()).toEqual([]);
      await close(reader);
    },
    PATIENCE,
  );

  test(
    "a key that is deleted ends what is open",
    async () => {
      const { id, key } = await keyWith("viewer");
      const reader = await signedIn({}, key);
      await api.delete(`/api/v1/api-keys/${id}`);
      await reader.page.getByLabel("API key").waitFor();
      await close(reader);
    },
    PATIENCE,
  );
});

describe("monitors", () => {
  const forms = [
    { type: "Website", name: "a site", fields: { URL: "http://127.0.0.1:1/" }, shows: "Down" },
    { type: "Port", name: "a port", fields: { Host: "127.0.0.1", Port: "1" }, shows: "Down" },
    {
      type: "Certificate",
      name: "a certificate",
      fields: { Host: "127.0.0.1", Port: "1" },
      shows: "No certificate",
    },
    { type: "DNS", name: "a record", fields: { "Host name": "localhost" }, shows: /Missing|Present/ },
    { type: "Cron job", name: "a job", fields: {}, shows: "Waiting" },
  ];

  test.each(forms)(
    "of the type $type are made, with what is wrong beside its field",
    async ({ type, name, fields, shows }) => {
      const reader = await signedIn();
      const { page } = reader;
      await page
        .getByRole("link", { name: new RegExp(`^${type}|New monitor`) })
        .first()
        .click();
      await page.getByRole("radio", { name: new RegExp(`^${type}`) }).check({ force: true });
      await page.getByRole("button", { name: "Create monitor" }).click();
      await page.getByText("Must be 1 to 200 characters").waitFor();
      expect(await page.getByLabel("Name", { exact: true }).getAttribute("aria-invalid")).toBe("true");
      await page.getByLabel("Name", { exact: true }).fill(name);
      for (const [label, value] of Object.entries(fields))
        await page.getByLabel(label, { exact: true }).fill(value);
      await page.getByRole("button", { name: "Create monitor" }).click();
      await page.getByRole("heading", { name, level: 1 }).waitFor();
      await page.locator(".standing").getByText(shows).waitFor();
      await close(reader);
    },
    PATIENCE,
  );

  test(
    "what is wrong is told when a field is left, or at once of a number, and taken back as soon as it is right",
    async () => {
      const reader = await signedIn();
      const { page } = reader;
      const writes: string[] = [];
      page.on("request", (request) => request.method() !== "GET" && writes.push(request.url()));
      await page.goto("/monitors/new?type=TCP");
      const [name, host, port] = ["Name", "Host", "Port"].map((label) =>
        page.getByLabel(label, { exact: true }),
      );
      if (!name || !host || !port) throw new Error("no fields");
      await name.focus();
      await page.keyboard.press("Tab");
      await page.keyboard.type("http://x");
      expect(await page.getByRole("alert").count()).toBe(0);
      await page.keyboard.press("Tab");
      const words = "Must be a host name or an IP address, without scheme, port or path.";
      await page.getByRole("alert").filter({ hasText: words }).waitFor();
      expect(await host.getAttribute("aria-invalid")).toBe("true");
      const described = (await host.getAttribute("aria-describedby")) ?? "";
      expect(await page.locator(`[id="${described}"]`).textContent()).toBe(words);
      await page.keyboard.type("44300");
      expect(await page.getByRole("alert").count()).toBe(1);
      await page.keyboard.type("0");
      await page.getByText("Must be a whole number from 1 to 65535, got 443000.").waitFor();
      await page.keyboard.press("Backspace");
      await host.fill("x");
      await page.getByRole("alert").waitFor({ state: "detached" });
      expect(await host.getAttribute("aria-invalid")).toBeNull();
      await page.getByRole("button", { name: "Create monitor" }).click();
      await page.getByText("Must be 1 to 200 characters").waitFor();
      expect(await name.evaluate((field) => field === field.ownerDocument.activeElement)).toBe(true);
      expect(writes).toEqual([]);
      await close(reader);
    },
    PATIENCE,
  );

  test(
    "one goes down and comes back while one looks, is paused, edited and deleted",
    async () => {
      await using target = new HttpTarget();
      const reader = await signedIn();
      const { page } = reader;
      await page.goto("/monitors/new?type=HTTP");
      await page.getByLabel("Name", { exact: true }).fill("the target");
      await page.getByLabel("URL", { exact: true }).fill(target.url);
      await page.getByLabel("Check every").fill("1");
      await page.getByRole("button", { name: "Check now" }).click();
      await page.getByText("answered with 200").waitFor();
      await page.getByRole("button", { name: "Create monitor" }).click();
      await page.getByRole("heading", { name: "the target" }).waitFor();
      await page.goto("/?search=target");
      const row = page.getByRole("listitem").filter({ hasText: "the target" });
      await row.getByText("Up", { exact: true }).waitFor();
      await target.break();
      await row.getByText("Down", { exact: true }).waitFor();
      await row.getByText("Connection refused").waitFor();
      await target.mend();
      await row.getByText("Up", { exact: true }).waitFor();

      await row.getByRole("link", { name: "the target" }).click();
      await page
        .getByText(/connect ECONNREFUSED|refused/)
        .first()
        .waitFor();
      await page.getByRole("button", { name: "Pause" }).click();
      await page.locator(".standing").getByText("Paused").waitFor();
      await page.getByRole("button", { name: "Resume" }).click();
      await page.getByRole("link", { name: "Edit" }).click();
      await page.getByLabel("Name", { exact: true }).fill("renamed");
      await page.getByLabel("Check every").fill("0");
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByText("0 s is not allowed on the enterprise plan").waitFor();
      await page.getByLabel("Check every").fill("3600");
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByRole("heading", { name: "renamed" }).waitFor();

      await page.getByRole("button", { name: "Delete" }).click();
      await page.getByRole("dialog").getByText("All its results").waitFor();
      await page.keyboard.press("Escape");
      expect(await page.getByRole("dialog").count()).toBe(0);
      await page.getByRole("button", { name: "Delete" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
      await page.getByRole("heading", { name: "Overview" }).waitFor();
      expect(await page.getByText("renamed").count()).toBe(0);
      await close(reader);
    },
    PATIENCE,
  );

  test(
    "of a job show its checkin URL, and hear it",
    async () => {
      const { id, checkinUrl } = (
        await api.post("/api/v1/monitors", { name: "nightly", type: "SCHEDULED", config: {} })
      ).body.data;
      const reader = await signedIn();
      const { page } = reader;
      await page.goto(`/monitors/${id}`);
      await page.getByText(checkinUrl, { exact: true }).waitFor();
      for (const way of ["crontab", "curl", "systemd", "PowerShell"]) {
        await page.getByRole("button", { name: way, exact: true }).click();
        expect(await page.locator(".copyable").last().textContent()).toContain(checkinUrl);
      }
      await page.getByText("never").waitFor();
      await fetch(`${checkinUrl}?status=fail`);
      await page.locator(".standing").getByText("Failed").waitFor();
      await page.getByText("goes on").waitFor();
      await close(reader);
    },
    PATIENCE,
  );

  test(
    "are all paused after a question",
    async () => {
      const reader = await signedIn();
      const { page } = reader;
      await page.getByRole("button", { name: "Pause all" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Pause all" }).click();
      await page.getByText("Everything is paused").waitFor();
      await close(reader);
    },
    PATIENCE,
  );
});

test(
  "channels are made, tested, edited and deleted, and say what they were sent",
  async () => {
    await using receiver = new Receiver();
    const reader = await signedIn();
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
    await page.getByText("It arrived.").waitFor();

    const [channel] = (await api.get("/api/v1/alerts")).body.data;
    const { checkinUrl } = (
      await api.post("/api/v1/monitors", {
        name: "told",
        type: "SCHEDULED",
        config: {},
        alertChannelIds: [channel.id],
      })
    ).body.data;
    await fetch(`${checkinUrl}?status=fail`);
    await page.getByRole("cell", { name: "Delivered" }).waitFor();

    await page.getByRole("button", { name: "Edit" }).click();
    await page.getByLabel("Name", { exact: true }).fill("nobody");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { name: "nobody" }).waitFor();
    await page.getByRole("button", { name: "Disable" }).click();
    await page.getByRole("button", { name: "Enable" }).waitFor();
    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await page.getByText("No channel yet").waitFor();
    await close(reader);
  },
  PATIENCE,
);

test(
  "a new key is shown once, opens the page as a viewer who is offered nothing to change, and is deleted",
  async () => {
    const reader = await signedIn();
    const { page } = reader;
    await page.getByRole("link", { name: "API keys" }).click();
    await page.getByRole("button", { name: "New key" }).click();
    await page.getByLabel("Name", { exact: true }).fill("for a screen");
    await page.getByRole("button", { name: "Create key" }).click();
    const key = (await page.getByRole("dialog").locator("code").textContent()) ?? "";
    expect(key).toMatch(/^stillup_\w{43}$/);
    await page.getByRole("button", { name: "Done" }).click();
    expect(await page.content()).not.toContain(key);

    const viewer = await signedIn({}, key);
    const [monitor] = (await api.get("/api/v1/monitors")).body.data;
    for (const path of ["/", `/monitors/${monitor.id}`, "/channels", "/keys", "/settings", "/events"]) {
      await viewer.page.goto(path);
      await viewer.page.locator("h1").waitFor();
      await viewer.page.waitForLoadState("networkidle").catch(() => {});
      const offered = /^(New|Pause|Resume|Edit|Delete|Save|Create|Disable|Send)/;
      expect(await viewer.page.getByRole("button", { name: offered }).count()).toBe(0);
      expect(await viewer.page.getByRole("link", { name: offered }).count()).toBe(0);
    }

    await page.getByRole("button", { name: "Delete the key for a screen" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await viewer.page.getByLabel("API key").waitFor();
    await close(viewer);
    await close(reader);
  },
  PATIENCE,
);

test(
  "settings and events: a name is changed, and results are filtered",
  async () => {
    const reader = await signedIn();
    const { page } = reader;
    await page.getByRole("link", { name: "Settings" }).click();
    await page.getByLabel("Organization").fill("Example Ltd");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved.").waitFor();
    expect((await api.get("/api/v1/organization")).body.data.name).toBe("Example Ltd");
    await page.getByRole("link", { name: "Events" }).click();
    await page.getByLabel("Type").selectOption("SCHEDULED");
    await page.getByLabel("Status").selectOption("failed");
    await page.getByRole("cell", { name: "Failed" }).first().waitFor();
    expect(await page.getByRole("cell", { name: "Down" }).count()).toBe(0);
    await close(reader);
  },
  PATIENCE,
);

describe.each(["light", "dark"] as const)("in %s", (colorScheme) => {
  test(
    "axe-core finds no violation",
    async () => {
      const viewport = colorScheme === "dark" ? { width: 390, height: 780 } : { width: 1280, height: 860 };
      const reader = await browser.reader(server.url, { colorScheme, viewport });
      const { page } = reader;
      await page.goto("/");
      await page.getByLabel("API key").waitFor();
      expect(await violations(reader)).toEqual([]);
      await reader.signIn(api.key ?? "");
      const monitor = await made("TCP", { host: "127.0.0.1", port: 1, interval: 3600 });
      const job = await made("SCHEDULED", {});
      await fetch(job.checkinUrl);
      const views = ["/", `/monitors/${monitor.id}`, `/monitors/${job.id}`, `/monitors/${monitor.id}/edit`];
      for (const path of [
        ...views,
        "/monitors/new",
        "/channels",
        "/channels/new",
        "/events",
        "/keys",
        "/settings",
      ]) {
        await page.goto(path);
        await page.locator("h1").waitFor();
        await Bun.sleep(300);
        expect({ path, found: await violations(reader) }).toEqual({ path, found: [] });
      }
      await page.goto("/keys");
      await page.getByRole("button", { name: "New key" }).click();
      expect(await violations(reader)).toEqual([]);
      await close(reader);
    },
    PATIENCE,
  );
});

test(
  "the keyboard alone is enough",
  async () => {
    const reader = await signedIn();
    const { page } = reader;
    await page.goto("/");
    await page.locator("h1").waitFor();
    await page.keyboard.press("Tab");
    expect(await focused(reader)).toBe("Skip to the content");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    expect(await focused(reader)).toBe("Events");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Events" }).waitFor();
    expect(await focused(reader)).toBe("Events");
    await close(reader);
  },
  PATIENCE,
);

test(
  "a lost connection is said, and mended without a reload",
  async () => {
    const own = new Binary();
    const first = await own.serve();
    const { key = "" } = await first.client();
    const reader = await browser.reader(first.url);
    await reader.signIn(key);
    const { port } = new URL(first.url);
    await first.kill();
    await reader.page.getByText("Connection lost.").waitFor();
    await own.serve(["--port", port]);
    await reader.page.getByText("Connection lost.").waitFor({ state: "detached", timeout: 20_000 });
    await own[Symbol.asyncDispose]();
    await close(reader, /ERR_|Failed to load resource/);
  },
  PATIENCE,
);

test(
  "of many monitors those in trouble are there first, and then all of them, in the same order",
  async () => {
    await using own = new Binary();
    const running = await own.serve();
    const client = await running.client();
    for (let at = 1; at <= 30; at++) {
      const values = { name: `job ${at}`, type: "SCHEDULED", config: { period: 60 } };
      const { id } = (await client.post("/api/v1/monitors", values)).body.data;
      await client.get(`/api/v1/monitors/${id}/checkin?status=${at === 20 ? "fail" : "ok"}`);
    }
    const reader = await browser.reader(running.url);
    await reader.signIn(client.key ?? "");
    const { page } = reader;
    const rows = page.getByRole("listitem");
    const names = () => rows.getByRole("link").allTextContents();
    await rows.nth(29).waitFor();

    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url().replace(/.*\/overview/, "")));
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route("**/api/v1/overview?range=90d", async (route) => {
      await held;
      await route.continue();
    });
    await page.reload();
    await rows.nth(11).waitFor();
    const first = await names();
    expect(first).toHaveLength(12);
    expect(first.slice(0, 3)).toEqual(["job 20", "job 1", "job 2"]);
    await page.getByRole("button", { name: "29 Healthy" }).waitFor();
    release();
    await rows.nth(29).waitFor();
    expect((await names()).slice(0, 12)).toEqual(first);
    expect(asked.filter((path) => path.startsWith("?"))).toEqual(["?range=90d&first=12", "?range=90d"]);
    await page.getByRole("searchbox").fill("job 29");
    await page.getByText("1 monitor shown").waitFor({ state: "attached" });

    asked.length = 0;
    await page.reload();
    await rows.first().waitFor();
    expect(await names()).toEqual(["job 29"]);
    expect(asked).toContain("?range=90d");
    await close(reader);
  },
  PATIENCE,
);

test(
  "an open page does not hold up the end of the server",
  async () => {
    await using own = new Binary();
    const ending = await own.serve();
    const { key = "" } = await ending.client();
    const reader = await browser.reader(ending.url);
    await reader.signIn(key);
    await Bun.sleep(500);
    const start = performance.now();
    expect(await ending.end("SIGTERM")).toBe(0);
    expect(performance.now() - start).toBeLessThan(2000);
    await close(reader, /ERR_|Failed to load resource/);
  },
  PATIENCE,
);

async function made(type: string, config: object) {
  return (await api.post("/api/v1/monitors", { name: `a ${type} monitor`, type, config })).body.data;
}

async function violations({ page }: Reader): Promise<string[]> {
  // As a reader's own tool it is no part of the page, so the page's policy does not hold for it.
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate<axe.AxeResults>("axe.run()");
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
}

function focused({ page }: Reader): Promise<string> {
  return page.evaluate("document.activeElement.textContent");
}
