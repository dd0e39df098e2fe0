import { expect, setDefaultTimeout } from "bun:test";
import type { Locator, Page } from "playwright-core";
import { isAccessible } from "../support/browser/accessibility.ts";
import { becomes } from "../support/browser/becomes.ts";
import { toggleSection } from "../support/browser/monitor-form.ts";
import { PATIENCE, ServedPage } from "../support/browser/served-page.ts";
import { longTest as test } from "../support/long.ts";
import { createAuthority } from "../support/servers/certificates.ts";
import { HttpTarget } from "../support/servers/targets.ts";
import { untilEndOfFile } from "../support/until-end.ts";

setDefaultTimeout(PATIENCE);

const served = await untilEndOfFile(ServedPage.start());

/** The group of fields of a step. */
function step(page: Page, number: number): Locator {
  return page.getByRole("group", { name: `Step ${number}`, exact: true });
}

function section(within: Locator, name: string): Locator {
  return within.locator(".disclosure-name").getByText(name, { exact: true });
}

async function configOf(id: string): Promise<object> {
  return (await served.api.get(`/api/v1/monitors/${id}`)).body.data.config;
}

test("behavior 26.181, 26.186, 26.189: a login is made of steps in the form, is checked, and is shown step by step", async () => {
  await using target = new HttpTarget((request) => {
    const { pathname } = new URL(request.url);
    if (pathname === "/login") return Response.json({ token: "t-4711" }, { status: 201 });
    return new Response(request.headers.get("authorization") === "Bearer t-4711" ? "hello" : "who?");
  });
  await using reader = await served.opened("/monitors/new?type=HTTP");
  const { page } = reader;
  await page.getByLabel("URL", { exact: true }).fill(`${target.url}login`);
  await page.getByLabel("Several steps").check();
  const [login, account] = [step(page, 1), step(page, 2)];
  await becomes(() => login.getByLabel("URL").inputValue(), `${target.url}login`);
  await login.getByLabel("Name of the step").fill("sign in");
  await section(login, "Request").click();
  await login.getByLabel("Method").selectOption("POST");
  await login.getByRole("textbox", { name: "Body", exact: true }).fill('{"user":"me"}');
  await section(login, "Values for later steps").click();
  await login.getByRole("button", { name: "Add a value" }).last().click();
  await login.getByLabel("Name 1").fill("TOKEN");
  await login.getByLabel("Part of the answer 1").fill("$.token");
  await account.getByLabel("URL").fill(target.url);
  await section(account, "Request").click();
  await account.getByRole("button", { name: "Add a header" }).click();
  await account.getByLabel("Header 1").fill("Authorization");
  await account.getByLabel("Value 1").fill("Bearer {{TOKEN}}");
  await section(account, "Expected answer").click();
  await account.getByLabel("The body contains").fill("hello");
  await page.getByLabel("Name", { exact: true }).fill("login");
  await isAccessible(page);
  await page.getByRole("button", { name: "Check now" }).click();
  const steps = page.getByRole("region", { name: "Table of steps" });
  await steps.getByRole("row", { name: /^sign in 201 Created/ }).waitFor();
  await steps.getByRole("row", { name: /^step 2 200 OK/ }).waitFor();
  await page.getByRole("button", { name: "Create monitor" }).click();
  const created = await served.savedMonitor(page);
  expect(created.config).toEqual({
    interval: 60,
    steps: [
      {
        name: "sign in",
        url: `${target.url}login`,
        method: "POST",
        body: '{"user":"me"}',
        redirects: 5,
        expect: { status: ["2xx"] },
        take: { TOKEN: "$.token" },
      },
      {
        url: target.url,
        headers: { Authorization: "•••" },
        redirects: 5,
        expect: { status: ["2xx"], contains: "hello" },
      },
    ],
  });
  await page.locator(".monitor-target").getByText(`${target.url}login, 2 steps`, { exact: true }).waitFor();
  const card = page.getByRole("region", { name: "Steps", exact: true });
  await card.getByRole("row", { name: /^step 2 200 OK/ }).waitFor();
  await isAccessible(page);
});

test("behavior 26.182: steps are added, moved and removed, also with the keyboard, and keep their values", async () => {
  await using reader = await served.opened("/monitors/new?type=HTTP");
  const { page } = reader;
  await page.getByLabel("Name", { exact: true }).fill("ordered");
  await page.getByLabel("Several steps").check();
  await step(page, 1).getByLabel("URL").fill("http://127.0.0.1:1/a");
  await step(page, 2).getByLabel("URL").fill("http://127.0.0.1:1/b");
  await page.getByRole("button", { name: "Add a step" }).click();
  await becomes(() => page.locator(":focus").getAttribute("name"), "config.steps.2.url");
  await page.keyboard.type("http://127.0.0.1:1/c");
  await step(page, 3).getByLabel("Name of the step").fill("third");
  const urls = async () =>
    Promise.all((await page.locator("fieldset.layer [name$='.url']").all()).map((one) => one.inputValue()));
  await step(page, 3).getByRole("button", { name: "Move up" }).focus();
  await page.keyboard.press("Enter");
  await becomes(
    urls,
    ["a", "c", "b"].map((path) => `http://127.0.0.1:1/${path}`),
  );
  await page.keyboard.press("Enter");
  await becomes(
    urls,
    ["c", "a", "b"].map((path) => `http://127.0.0.1:1/${path}`),
  );
  await becomes(() => page.locator(":focus").textContent(), "Move down step 1");
  await step(page, 2).getByRole("button", { name: "Remove" }).click();
  await becomes(
    urls,
    ["c", "b"].map((path) => `http://127.0.0.1:1/${path}`),
  );
  expect(await step(page, 1).getByRole("button", { name: "Remove" }).count()).toBe(0);
  await step(page, 2).getByLabel("URL").fill("ftp://127.0.0.1/");
  await page.getByRole("button", { name: "Create monitor" }).click();
  await step(page, 2).getByText("Must be a full URL that begins with http").waitFor();
  await becomes(() => page.locator(":focus").getAttribute("name"), "config.steps.1.url");
  await page.keyboard.press("Control+A");
  await page.keyboard.type("http://127.0.0.1:1/b");
  await page.getByRole("button", { name: "Create monitor" }).click();
  const { config } = await served.savedMonitor(page);
  expect(config.steps).toEqual([
    { name: "third", url: "http://127.0.0.1:1/c", redirects: 5, expect: { status: ["2xx"] } },
    { url: "http://127.0.0.1:1/b", redirects: 5, expect: { status: ["2xx"] } },
  ]);
});

test("behavior 26.180: a client certificate, a proxy and OAuth2 are entered, and nothing is lost by an edit", async () => {
  const authority = await createAuthority();
  const { cert, key } = await authority.issue([{ type: "dns", value: "client" }]);
  await using reader = await served.opened("/monitors/new?type=HTTP");
  const { page } = reader;
  await page.getByLabel("URL", { exact: true }).fill("https://api.example.test/");
  await toggleSection(page, "Sign-in");
  await page.getByLabel("A token (OAuth2 client credentials)").check();
  await page.getByLabel("Token URL").fill("https://auth.example.test/token");
  await page.getByLabel("Client ID").fill("stillup");
  await page.getByLabel("Client secret").fill("s3cret-of-client");
  await page.getByLabel("Scope").fill("read write");
  await page.getByLabel("Client certificate", { exact: true }).fill(cert);
  await page.getByLabel("Key of the client certificate").fill(key);
  await toggleSection(page, "Connection");
  await page.getByLabel("Proxy", { exact: true }).fill("socks5://127.0.0.1:1");
  await page.getByLabel("Proxy: user").fill("me");
  await page.getByLabel("Proxy: password").fill("s3cret-of-proxy");
  await isAccessible(page);
  const kept = await page.evaluate(() => JSON.stringify(localStorage));
  expect(kept).toContain("https://auth.example.test/token");
  for (const secret of ["s3cret-of-client", "s3cret-of-proxy", "PRIVATE KEY"])
    expect(kept).not.toContain(secret);
  await page.getByRole("button", { name: "Create monitor" }).click();
  const created = await served.savedMonitor(page);
  expect(created.config).toMatchObject({
    oauth2: { tokenUrl: "https://auth.example.test/token", clientSecret: "•••", scope: "read write" },
    clientCertificate: { certificate: cert, key: "•••" },
    proxy: { url: "socks5://127.0.0.1:1", user: "me", password: "•••" },
  });

  await page.goto(`/monitors/${created.id}/edit`);
  await page.getByLabel("Name", { exact: true }).fill("edited");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("heading", { name: "edited", level: 1 }).waitFor();
  expect(await configOf(created.id)).toEqual(created.config);

  await page.goto(`/monitors/${created.id}/edit`);
  await toggleSection(page, "Connection");
  await page.getByLabel("Proxy", { exact: true }).fill("socks5://127.0.0.2:1");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Must be sent with its value: the origin of config.proxy.url changes.").waitFor();
  await becomes(() => page.locator(":focus").getAttribute("name"), "config.proxy.password");
});

test("behavior 26.180, 26.182, 26.184: each config of reach is saved without an edit as it was", async () => {
  const authority = await createAuthority();
  const { cert, key } = await authority.issue([{ type: "dns", value: "client" }]);
  const url = "http://127.0.0.1:1/";
  const certificate = { certificate: cert.replaceAll("\n", "\r\n"), key };
  const configs: ["HTTP" | "DNS", object][] = [
    ["HTTP", { url, digestAuth: { user: "me", password: "s3cret" }, protocol: "http" }],
    ["HTTP", { url, expect: { matches: ["(?i)a", "b\\d"], same: { of: "header:ETag", keepDays: 3 } } }],
    ["HTTP", { url, expect: { status: [999, "6xx"], same: "json:$['a b']" } }],
    [
      "HTTP",
      { url: "https://127.0.0.1:1/", proxy: { url: "http://127.0.0.1:1" }, clientCertificate: certificate },
    ],
    [
      "HTTP",
      {
        timeout: 100,
        basicAuth: { user: "", password: "s3cret" },
        steps: [
          {
            name: "a",
            url,
            method: "POST",
            body: "a\r\nb",
            headers: { "X-A": "s3cret" },
            take: { A: "$.a", B: "header:B" },
          },
          {
            url: `${url}?a={{A}}`,
            headers: { "X-A": "s3cret" },
            redirects: 0,
            expect: { status: ["100-999"], lacks: "{{A}}" },
          },
          {
            url,
            expect: { json: { "$.a": { min: 1 } }, headers: { "X-B": "b" }, within: 5, complete: true },
          },
        ],
      },
    ],
    ["DNS", { hostname: "localhost", expected: [] }],
    ["DNS", { hostname: "localhost", expectedAny: ["127.0.0.1", "::1"] }],
    ["DNS", { hostname: "localhost", recordType: "TXT", expectedContains: ["v=spf1"] }],
  ];
  await using reader = await served.signedIn();
  const { page } = reader;
  for (const [type, config] of configs) {
    const before = await served.monitor(type, { interval: 3600, ...config });
    await page.goto(`/monitors/${before.id}/edit`);
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { name: before.name, level: 1, exact: true }).waitFor();
    expect((await served.savedMonitor(page)).config).toEqual(before.config);
    expect(await page.evaluate(() => localStorage.drafts ?? "{}")).toBe("{}");
  }
});

test("behavior 26.185: a draft restores the steps in their order, and none of their secrets", async () => {
  await using reader = await served.opened("/monitors/new?type=HTTP");
  const { page } = reader;
  await page.getByLabel("URL", { exact: true }).fill("http://127.0.0.1:1/first");
  await page.getByLabel("Several steps").check();
  await step(page, 2).getByLabel("URL").fill("http://127.0.0.1:1/second");
  await page.getByRole("button", { name: "Add a step" }).click();
  await step(page, 3).getByLabel("URL").fill("http://127.0.0.1:1/third");
  await section(step(page, 3), "Request").click();
  await step(page, 3).getByRole("button", { name: "Add a header" }).click();
  await step(page, 3).getByLabel("Header 1").fill("X-Key");
  await step(page, 3).getByLabel("Value 1").fill("hunter2");
  await step(page, 3).getByRole("button", { name: "Move up" }).click();
  const shown = async () => {
    await page.getByText(/Restored what you typed at .* Enter the secrets again/).waitFor();
    for (const [number, path] of [
      [1, "first"],
      [2, "third"],
      [3, "second"],
    ] as const)
      await becomes(() => step(page, number).getByLabel("URL").inputValue(), `http://127.0.0.1:1/${path}`);
    expect(await step(page, 2).getByLabel("Header 1").inputValue()).toBe("X-Key");
    expect(await step(page, 2).getByLabel("Value 1").inputValue()).toBe("");
  };
  await page.reload();
  await shown();
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain("hunter2");
  await step(page, 1).getByRole("button", { name: "Remove" }).click();
  await becomes(() => step(page, 1).getByLabel("URL").inputValue(), "http://127.0.0.1:1/third");
  await becomes(() => step(page, 2).getByLabel("URL").inputValue(), "http://127.0.0.1:1/second");
});

test("behavior 26.187: the test of a config says that its proxy or its token endpoint failed", async () => {
  await using target = new HttpTarget();
  await using reader = await served.opened("/monitors/new?type=HTTP");
  const { page } = reader;
  await page.getByLabel("URL", { exact: true }).fill(target.url);
  await toggleSection(page, "Connection");
  await page.getByLabel("Proxy", { exact: true }).fill("http://127.0.0.1:1");
  await page.getByRole("button", { name: "Check now" }).click();
  await page.getByText(/[Tt]he check could not be made: .*proxy/).waitFor();
  await page.getByLabel("Proxy", { exact: true }).fill("");
  await toggleSection(page, "Sign-in");
  await page.getByLabel("A token (OAuth2 client credentials)").check();
  await page.getByLabel("Token URL").fill("http://127.0.0.1:1/token");
  await page.getByLabel("Client ID").fill("stillup");
  await page.getByLabel("Client secret").fill("s3cret");
  await page.getByRole("button", { name: "Check now" }).click();
  await page.getByText(/[Tt]he check could not be made: .*token/).waitFor();
  expect(target.requests).toBe(0);
});

test("behavior 26.188: changed content is accepted by an acknowledgement, as the page says", async () => {
  let text = "welcome";
  await using target = new HttpTarget(
    () => new Response(`<p>${text}</p>`, { headers: { "Content-Type": "text/html" } }),
  );
  const { id } = await served.monitor("HTTP", { url: target.url, interval: 4, expect: { same: "text" } });
  await using reader = await served.opened(`/monitors/${id}`);
  const { page } = reader;
  const status = page.locator(".monitor-status");
  await status.getByText("Up", { exact: true }).waitFor();
  text = "pay us";
  await status.getByText("Degraded", { exact: true }).waitFor();
  const advice = page.getByText("Is the change meant? Acknowledge the outage");
  await advice.waitFor();
  await isAccessible(page);
  await page.getByRole("link", { name: "Show the outage" }).click();
  await advice.waitFor();
  await page.getByRole("button", { name: "Acknowledge", exact: true }).click();
  await advice.waitFor({ state: "detached" });
  await page.getByText("Ended", { exact: true }).first().waitFor();
});
