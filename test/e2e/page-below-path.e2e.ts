import { expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { PATHS } from "../../src/dashboard/paths.ts";
import { PATIENCE, sharedBrowser } from "../support/browser/served-page.ts";
import { eventually } from "../support/eventually.ts";
import { freePort } from "../support/free-port.ts";
import { longTest } from "../support/long.ts";
import { RealProvider } from "../support/people/real-provider.ts";
import { Binary } from "../support/product/binary.ts";
import { createMonitor } from "../support/requests/monitors.ts";
import { createPage } from "../support/requests/pages.ts";
import { PATH_PROXIES, PROXY_ENV } from "../support/servers/reverse-proxies.ts";
import { tempDir } from "../support/temp-dir.ts";

setDefaultTimeout(PATIENCE);

// The address of public pages begins like it, which is the hardest case.
const PATH = "/status";

/** A compiled server below a path of a proxy. @param flags more of `serve` */
async function startBelow(
  name: keyof typeof PATH_PROXIES,
  removesPath: boolean,
  { port = freePort(), flags = [] as string[] } = {},
) {
  const url = `http://127.0.0.1:${port}${PATH}`;
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(tempDir());
  const binary = stack.use(new Binary());
  const own = ["--base-url", `${url}/`, "--trusted-proxies", "127.0.0.1"];
  const server = await binary.serve([...own, ...flags]);
  const upstream = new URL(server.url).host;
  const proxy = stack.use(PATH_PROXIES[name](folder, port, { path: PATH, upstream, removesPath }));
  const isReady = () =>
    fetch(`${url}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    );
  await eventually(isReady).catch((error) => {
    throw new Error(`${error.message}: ${proxy.printed}`);
  });
  const rest = stack.move();
  return {
    url,
    binary,
    proxy,
    client: await server.client(),
    [Symbol.asyncDispose]: () => rest.disposeAsync(),
  };
}

const WAYS = (["nginx", "caddy"] as const).flatMap((name) =>
  [true, false].map((removesPath) => ({ name, removesPath })),
);

/** Within seconds, each proxy in one of its ways; all of them in the long tests. */
const isShort = ({ name, removesPath }: (typeof WAYS)[number]) => (name === "nginx") === removesPath;

for (const way of WAYS) {
  const { name, removesPath } = way;
  const installed = Bun.which(name, PROXY_ENV);
  const title = `behavior 26.160, 26.162, 26.168: below a path of ${name}, which ${removesPath ? "removes" : "passes on"} the path, the page signs in, survives a reload, creates a monitor, links to public pages and installs its service worker`;
  const run = isShort(way) ? test : longTest;
  (installed ? run : test.skip)(
    installed ? title : `${title}: NOT RUN, because ${name} is missing`,
    async () => {
      await using below = await startBelow(name, removesPath);
      const { url, client } = below;
      await createPage(client, { slug: "shop", title: "Shop status", visibility: "public" });
      const browser = await sharedBrowser();
      await using reader = await browser.reader(url, { serviceWorkers: "allow" });
      const { page, context } = reader;
      const outside: string[] = [];
      page.on("request", (request) => {
        if (!request.url().startsWith(`${url}/`)) outside.push(request.url());
      });

      await page.goto(`${url}/healthz`);
      await page.evaluate("caches.open('of another site').then(() => undefined)");
      await page.goto(`${url}/`);
      await page.getByLabel("API key").fill(client.key ?? "");
      await page.keyboard.press("Enter");
      await page.getByRole("heading", { name: "No monitors yet" }).waitFor();
      const cookies = await context.cookies();
      expect(cookies.map(({ name, path }) => [name, path])).toEqual([["stillup_session", PATH]]);
      await page.evaluate("navigator.serviceWorker.ready.then(() => undefined)");
      const scope = await page.evaluate("navigator.serviceWorker.ready.then(({ scope }) => scope)");
      expect(scope).toBe(`${url}/`);

      await page.getByRole("link", { name: "Outages" }).click();
      await page.getByRole("heading", { name: "Outages", level: 1 }).waitFor();
      expect(page.url()).toBe(`${url}/outages`);
      await page.goto(`${url}/monitors/new?type=SCHEDULED`);
      await page.getByLabel("Name", { exact: true }).fill("nightly");
      await page.getByRole("button", { name: "Create monitor" }).click();
      await page.getByRole("heading", { name: "nightly", level: 1 }).waitFor();
      const deep = page.url();
      expect(deep).toMatch(new RegExp(`^${url}/monitors/\\w+$`));
      await page.reload();
      await page.getByRole("heading", { name: "nightly", level: 1 }).waitFor();
      const checkinUrl = `${url}/api/v1${deep.slice(url.length)}/checkin`;
      await page.getByText(checkinUrl, { exact: true }).first().waitFor();
      expect((await fetch(checkinUrl, { method: "POST" })).status).toBe(200);
      // The stream of changes reports it.
      await page.locator(".monitor-status").getByText("OK", { exact: true }).waitFor();

      const [worker] = context.serviceWorkers();
      const click = (action: string, data: string) => `
      const event = new ExtendableEvent("notificationclick");
      event.action = "${action}";
      event.notification = { title: "nightly", tag: "", data: "${data}", close() {} };
      dispatchEvent(event);`;
      const shown = await worker?.evaluate(`new Promise((done) => {
      registration.showNotification = async (title, { icon }) => done({ title, icon });
      ${click(`mute ${deep.split("/").at(-1)}`, deep)}
    })`);
      expect(shown).toMatchObject({ title: "Muted for an hour" });
      const { icon } = shown as { icon: string };
      expect([icon, (await fetch(new URL(icon, url))).status]).toEqual([
        expect.stringMatching(new RegExp(`^${PATH}/assets/icon-`)),
        200,
      ]);
      // Chromium lets a worker focus a window only after a real click.
      await worker?.evaluate(`{
      WindowClient.prototype.focus = async function () { return this; };
      ${click("", "https://elsewhere.example.com/status/events?from=push")}
    }`);
      await page.waitForURL(`${url}/events?from=push`);

      await page.getByRole("link", { name: "Pages", exact: true }).click();
      await page.getByRole("heading", { name: "Public pages" }).waitFor();
      const open = page.getByRole("link", { name: "Open Shop status" });
      expect(await open.getAttribute("href")).toBe(`${PATH}/status/shop`);
      const opened = context.waitForEvent("page");
      await open.click();
      const shop = await opened;
      await shop.getByRole("heading", { name: "Shop status" }).waitFor();
      expect(shop.url()).toBe(`${url}/status/shop`);
      for (const link of await shop
        .locator("a[href], link[href]")
        .evaluateAll((all) => all.map((one) => (one as unknown as { href: string }).href)))
        if (!link.includes("#")) expect([link, (await fetch(link)).status]).toEqual([link, 200]);
      await shop.close();

      await page.goto(`${url}/guide`);
      await page.getByRole("link", { name: "Behind a reverse proxy" }).first().click();
      await page.getByRole("heading", { name: "Behind a reverse proxy", level: 1 }).waitFor();
      await page.goto(`${url}/wall`);
      await page.getByText("nightly").first().waitFor();
      await page.goto(`${url}/docs`);
      await page.getByText("Create a monitor").first().waitFor();

      // Without the proxy, the service worker has the page.
      await below.proxy[Symbol.asyncDispose]();
      await page.goto(`${url}/outages`);
      await page.getByText("Cannot reach the server.").waitFor();
      expect(await page.evaluate("caches.keys()")).toEqual([
        "of another site",
        expect.stringMatching(new RegExp(`^${PATH}\\w+$`)),
      ]);
      expect(outside).toEqual([]);
      await reader.leave(/^Failed to load resource/);
    },
  );
}

test.skipIf(!Bun.which("nginx", PROXY_ENV))(
  "behavior 26.168: a browser that opens the page at the address on which the server listens is led to the page below the path",
  async () => {
    await using below = await startBelow("nginx", false);
    const browser = await sharedBrowser();
    await using reader = await browser.reader(below.client.url);
    // It listens at another port than the proxy.
    const own = new URL(below.client.url).origin;
    await reader.page.goto(`${own}/settings?x=1`);
    await reader.page.waitForURL(`${own}${PATH}/settings?x=1`);
    await reader.page.getByLabel("API key").waitFor();
  },
);

test.skipIf(!Bun.which("nginx", PROXY_ENV))(
  "behavior 26.169: apply, run and a probe reach a server below a path, and health the address on which it listens",
  async () => {
    await using below = await startBelow("nginx", true);
    const { url, binary, client } = below;
    const keyFile = join(binary.folder, "key");
    await Bun.write(keyFile, `${client.key}\n`);
    const file = join(binary.folder, "monitors.yaml");
    await Bun.write(file, "monitors:\n  nightly:\n    type: SCHEDULED\n");
    const applied = await binary.run(["apply", "--server", `${url}/`, "--key-file", keyFile, file]);
    expect([applied.code, applied.stdout]).toEqual([0, "+ monitor nightly\n"]);
    const exported = await binary.run(["export", "--server", url, "--key-file", keyFile]);
    expect(exported.stdout).toContain(`$schema=${url}/schema/config.json`);
    expect((await fetch(`${url}/schema/config.json`)).status).toBe(200);

    const [{ id }] = (await client.get("/api/v1/monitors")).body.data;
    const checkinUrl = `${url}/api/v1/monitors/${id}/checkin`;
    expect((await binary.run(["run", "--url", checkinUrl, "--", "true"])).code).toBe(0);
    expect((await client.get(`/api/v1/monitors/${id}/runs`)).body.data[0].exitCode).toBe(0);

    const { key } = (await client.post("/api/v1/locations", { name: "fra" })).body.data;
    const probe = await binary.probe({ server: url, key, dataDir: "fra" });
    await eventually(() => probe.printed.includes(`probe of location fra is connected to ${url}`));
    const { port } = new URL(client.url);
    expect((await binary.run(["health", "--port", port])).code).toBe(0);
  },
);

test.skipIf(!Bun.which("nginx", PROXY_ENV))(
  "behavior 26.160, 26.164: below a path, an invitation is accepted with a provider, whose sign-in then leads back to what the reader opened",
  async () => {
    const port = freePort();
    const url = `http://127.0.0.1:${port}${PATH}`;
    const account = { sub: "ana", email: "ana@example.com", email_verified: true, name: "Ana" };
    await using provider = await RealProvider.start(
      () => `${url}/sign-in/oidc/callback`,
      () => account,
    );
    using folder = tempDir();
    const secret = join(folder.path, "secret");
    await Bun.write(secret, "s3cret\n");
    const flags = [
      "--oidc-issuer",
      provider.issuer,
      "--oidc-client-id",
      "stillup",
      "--oidc-client-secret-file",
      secret,
    ];
    await using below = await startBelow("nginx", true, { port, flags });
    const invited = await below.client.post("/api/v1/people", { email: account.email, role: "viewer" });
    const { inviteUrl } = invited.body.data;
    expect(inviteUrl).toStartWith(`${url}/invite/`);
    const browser = await sharedBrowser();
    await using reader = await browser.reader(url);
    const { page, context } = reader;
    const menu = () => page.getByRole("navigation", { name: "Main" }).waitFor();
    const name = new URL(provider.issuer).host;
    await page.goto(inviteUrl);
    await page.getByRole("link", { name: `Accept with ${name}` }).click();
    await menu();
    expect(page.url()).toStartWith(`${url}/`);
    // The provider is at the same host.
    const own = (await context.cookies()).filter(({ name }) => name.includes("stillup"));
    expect(own.map(({ name, path }) => [name, path])).toEqual([["stillup_session", PATH]]);
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("link", { name: `Sign in with ${name}` }).waitFor();
    await page.goto(`${url}/events?from=push`);
    await page.getByRole("link", { name: `Sign in with ${name}` }).click();
    await page.getByRole("heading", { name: "Events", level: 1 }).waitFor();
    expect(page.url()).toBe(`${url}/events?from=push`);
    await page.getByRole("link", { name: "Profile" }).click();
    await page.getByText(`${name} is linked. You can sign in with it.`).waitFor();
  },
);

longTest("behavior 26.162: each link of each view leads below the path", async () => {
  await using below = await startBelow("caddy", true);
  const { url, client } = below;
  await createMonitor(client, "SCHEDULED", { name: "nightly" });
  await createPage(client, { slug: "shop", title: "Shop status", visibility: "public" });
  const browser = await sharedBrowser();
  await using reader = await browser.reader(url);
  const { page } = reader;
  await page.goto(`${url}/`);
  await page.getByLabel("API key").fill(client.key ?? "");
  await page.keyboard.press("Enter");
  await page.getByText("nightly").first().waitFor();
  for (const path of PATHS.filter((one) => !one.includes(":"))) {
    await page.goto(url + path);
    await page
      .locator(path === "/wall" ? "a" : "h1")
      .first()
      .waitFor();
    const links = await page
      .locator("a[href]")
      .evaluateAll((all) => all.map((one) => (one as unknown as { href: string }).href));
    const own = links.filter((link) => link.startsWith(new URL(url).origin));
    expect(own.length).toBeGreaterThan(0);
    for (const link of own)
      expect([path, link]).toEqual([path, expect.stringMatching(new RegExp(`^${url}([/#]|$)`))]);
  }
});
