import { expect, setDefaultTimeout } from "bun:test";
import type { MonitorType } from "../../src/domain/monitors/monitor.ts";
import { becomes } from "../support/browser/becomes.ts";
import { enterInterval, toggleSection } from "../support/browser/monitor-form.ts";
import { PATIENCE, ServedPage } from "../support/browser/served-page.ts";
import { longTest as test } from "../support/long.ts";
import { createAuthority } from "../support/servers/certificates.ts";
import { HttpTarget } from "../support/servers/targets.ts";
import { answering, startServer } from "../support/servers/tcp-server.ts";
import { untilEndOfFile } from "../support/until-end.ts";

setDefaultTimeout(PATIENCE);

const served = await untilEndOfFile(ServedPage.start());

test("a new HTTP monitor is offered 2xx and one confirmation, and any other type none", async () => {
  await using reader = await served.opened("/monitors/new?type=TCP");
  const { page } = reader;
  await becomes(() => page.getByLabel("Confirm before notifying").inputValue(), "0");
  await page.getByRole("radio", { name: /^Website/ }).check({ force: true });
  await becomes(() => page.getByLabel("An answer with a status of 2xx").isChecked(), true);
  await page.getByLabel("Name", { exact: true }).fill("as offered");
  await page.getByLabel("URL", { exact: true }).fill("http://127.0.0.1:1/");
  await page.getByRole("button", { name: "Create monitor" }).click();
  await page.getByRole("heading", { name: "as offered", level: 1 }).waitFor();
  expect(await served.savedMonitor(page)).toMatchObject({
    config: { url: "http://127.0.0.1:1/", interval: 60, redirects: 5, expect: { status: ["2xx"] } },
    confirmations: 1,
    recoveries: 0,
  });
});

test("what a check sends and expects is saved without an edit as it was, with its secrets", async () => {
  const seen: string[] = [];
  await using target = new HttpTarget(({ headers }) => {
    seen.push(`${headers.get("x-token")} ${headers.get("authorization")}`);
    return Response.json({ a: 1 });
  });
  const shared = { url: target.url, interval: 3600 };
  const secret = {
    headers: { "X-Token": "first-secret" },
    basicAuth: { user: "me", password: "second-secret" },
  };
  const configs: [MonitorType, object][] = [
    ["HTTP", shared],
    ["HTTP", { ...shared, expect: {} }],
    ["HTTP", { ...shared, expect: { status: ["100-599"] } }],
    ["HTTP", { ...shared, ...secret, method: "GET", timeout: 5, redirects: 0, verifyTls: true, ipFamily: 4 }],
    ["HTTP", { ...shared, method: "POST", body: "a\r\nb\n", verifyTls: false }],
    [
      "HTTP",
      {
        ...shared,
        expect: {
          status: ["2xx", 304, "400-404"],
          contains: ['"a"'],
          lacks: ["error", " two "],
          json: { "$.a": 1, "$.b": "", "$.c": null, "$.d": { min: 1, max: 2 }, "$.e": { exists: false } },
          headers: { "content-type": "json" },
          within: 900,
        },
      },
    ],
    [
      "TCP",
      { host: "127.0.0.1", port: 1, interval: 3600, send: "PING\r\n\\", contains: "PO\r\nNG", timeout: 3 },
    ],
    ["TLS", { host: "127.0.0.1", port: 1, interval: 3600, warnDays: 30, servername: "example.com" }],
    ["DNS", { hostname: "localhost", interval: 3600, servers: ["127.0.0.1:1", "[::1]:53"] }],
    ["DNS", { hostname: "localhost", recordType: "TXT", expected: ["a", "b"], interval: 600 }],
    ["SCHEDULED", { cron: "30 2 * * *", timezone: "Europe/Berlin", grace: 90 }],
    ["SCHEDULED", { period: 120 }],
  ];
  await using reader = await served.signedIn();
  const { page } = reader;
  for (const [type, config] of configs) {
    const before = await served.monitor(type, config);
    await page.goto(`/monitors/${before.id}/edit`);
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { name: before.name, level: 1, exact: true }).waitFor();
    expect((await served.savedMonitor(page)).config).toEqual(before.config);
    if (!("basicAuth" in config)) continue;
    await page.goto(`/monitors/${before.id}/edit`);
    await becomes(() => page.getByLabel("Value 1").inputValue(), "•••");
    seen.length = 0;
    await page.getByRole("button", { name: "Check now" }).click();
    await page.getByRole("region", { name: "Answer" }).waitFor();
    expect(seen).toContain(`first-secret Basic ${btoa("me:second-secret")}`);
    await page.getByLabel("URL", { exact: true }).fill("http://127.0.0.2:1/");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("X-Token: Must be sent with its value: the origin of config.url changes.").waitFor();
  }
});

test("a request and its expectations are created from the form, and an error opens them", async () => {
  await using reader = await served.opened("/monitors/new?type=HTTP");
  const { page } = reader;
  await page.getByLabel("Name", { exact: true }).fill("an API");
  await page.getByLabel("URL", { exact: true }).fill("http://127.0.0.1:1/");
  await toggleSection(page, "What counts as up");
  await page.getByLabel("An answer with one of these statuses").check();
  await page.getByLabel("Statuses", { exact: true }).fill("2xx, 304");
  await toggleSection(page, "Request");
  await page.getByRole("button", { name: "Add a header" }).click();
  await page.getByLabel("Header 1").fill("Authorization");
  await page.getByLabel("Value 1").fill("Bearer abc");
  await page.getByRole("button", { name: "Add a value" }).click();
  await page.getByLabel("Path 1").fill("$.jobs[*]");
  await page.getByLabel("Condition 1").selectOption({ label: "is at most" });
  await page.getByRole("group", { name: "Values in a JSON body" }).getByLabel("Value 1").fill("100");
  await page.getByLabel("Degraded above").fill("8000");
  await toggleSection(page, "What counts as up");
  await page.getByLabel("Degraded above").waitFor({ state: "hidden" });
  // An interval limits the time of a check.
  await enterInterval(page, "5", "s");
  await page.getByRole("button", { name: "Create monitor" }).click();
  await page.getByText("Must be at most the timeout of the check, 5000 ms, got 8000.").waitFor();
  await becomes(() => page.locator(":focus").getAttribute("name"), "config.expect.within");
  await page.locator(":focus").fill("800");
  await page.getByRole("button", { name: "Add a value" }).click();
  await page.getByRole("button", { name: "Remove row 2 of Values in a JSON body" }).click();
  await page.getByRole("button", { name: "Create monitor" }).click();
  await page.getByText("$.jobs[*]: Must be a path to one value").waitFor();
  await page.getByLabel("Path 1").fill("$.jobs[0]");
  await page.getByRole("button", { name: "Create monitor" }).click();
  await page.getByRole("heading", { name: "an API", level: 1 }).waitFor();
  expect((await served.savedMonitor(page)).config).toEqual({
    url: "http://127.0.0.1:1/",
    interval: 5,
    redirects: 5,
    headers: { Authorization: "•••" },
    expect: { status: ["2xx", 304], json: { "$.jobs[0]": { max: 100 } }, within: 800 },
  });
});

test("behavior 10.30: Check now shows the answer and the expectation that it fails", async () => {
  await using target = new HttpTarget(
    () => new Response("busy", { status: 503, headers: { "X-Node": "n7" } }),
  );
  await using reader = await served.opened("/monitors/new?type=HTTP");
  const { page } = reader;
  await page.getByLabel("URL", { exact: true }).fill(target.url);
  await page.getByRole("button", { name: "Check now" }).click();
  await page.getByText("Not as expected: 503 Service Unavailable, expected 2xx").waitFor();
  const answer = page.getByRole("region", { name: "Answer" });
  for (const part of ["503 Service Unavailable", "ms", "because the address is private", "not stored"])
    await answer.filter({ hasText: part }).waitFor();
  expect(await answer.textContent()).not.toMatch(/n7|busy/);
  await toggleSection(page, "What counts as up");
  await page.getByLabel("Any answer, also an error").check();
  await page.getByRole("button", { name: "Check now" }).click();
  await page.getByText("answered with 503").waitFor();
});

test("behavior 16.280, 16.281, 16.284, 16.285: a website is entered by its address, and a redirect offers to follow it", async () => {
  await using target = new HttpTarget(({ url }) =>
    url.endsWith("/there")
      ? new Response("fine")
      : new Response(null, { status: 301, headers: { Location: "/there" } }),
  );
  const { host } = new URL(target.url);
  await using reader = await served.opened("/monitors/new?type=HTTP");
  const { page } = reader;
  const [url, name] = ["URL", "Name"].map((label) => page.getByLabel(label, { exact: true }));
  if (!url || !name) throw new Error("no fields");
  const warning = page.getByLabel("Also warn before the certificate expires");
  await url.fill("www.example.com");
  await page.keyboard.press("Tab");
  await becomes(() => url.inputValue(), "https://www.example.com");
  await becomes(() => name.inputValue(), "example.com");
  await becomes(() => page.getByLabel("days before its end").inputValue(), "14");
  expect(await warning.isChecked()).toBe(true);

  await name.fill("moved");
  await url.fill(`http://me:s3cret@${host}/`);
  await page.keyboard.press("Tab");
  await becomes(() => url.inputValue(), `http://${host}/`);
  await becomes(() => page.getByLabel("User", { exact: true }).inputValue(), "me");
  await becomes(() => warning.isEnabled(), false);
  expect(await name.inputValue()).toBe("moved");

  const redirects = page.getByLabel("Follow … redirects");
  await toggleSection(page, "What counts as up");
  await becomes(() => redirects.inputValue(), "5");
  await redirects.fill("");
  await page.getByRole("button", { name: "Check now" }).click();
  await page.getByText("Not as expected: 301 Moved Permanently, expected 2xx").waitFor();
  await page.getByRole("button", { name: "Follow redirects" }).click();
  await page.getByText("answered with 200").waitFor();
  await becomes(() => redirects.inputValue(), "5");
  await page.getByRole("button", { name: "Create monitor" }).click();
  await page.getByRole("heading", { name: "moved", level: 1 }).waitFor();
  expect((await served.savedMonitor(page)).config).toEqual({
    url: `http://${host}/`,
    interval: 60,
    redirects: 5,
    basicAuth: { user: "me", password: "•••" },
    expect: { status: ["2xx"] },
  });

  const unfollowed = { url: target.url, interval: 3600, expect: { status: ["2xx"] } };
  const { id } = await served.monitor("HTTP", unfollowed);
  await page.goto(`/monitors/${id}`);
  await page.getByRole("link", { name: "Follow redirects" }).click();
  await becomes(() => page.locator(":focus").getAttribute("name"), "config.redirects");
  const [outage] = (await served.api.get(`/api/v1/outages?monitorId=${id}`)).body.data;
  await page.goto(`/outages/${outage.id}`);
  await page.getByRole("link", { name: "Follow redirects" }).waitFor();
});

test("behavior 16.286: the page of a website shows the end of its certificate, and advice", async () => {
  const authority = await createAuthority();
  const tls = await authority.issue([{ type: "ip", value: "127.0.0.1" }], { left: 12.5 });
  using target = await startServer(answering("HTTP/1.1 200 OK\r\n\r\n"), { tls });
  const url = `https://127.0.0.1:${target.port}/`;
  const { id } = await served.monitor("HTTP", { url, interval: 3600, verifyTls: false, expiryWarning: 14 });
  await using reader = await served.opened(`/monitors/${id}`);
  const { page } = reader;
  await page.locator(".monitor-status").getByText("Degraded", { exact: true }).waitFor();
  await page
    .getByText(/^the certificate expires in 12 days, on \d{4}-\d\d-\d\d$/)
    .first()
    .waitFor();
  const card = page.getByRole("region", { name: "Certificate" });
  for (const part of ["12 days left", "TLSv1.3, TLS_", "Send the certificate of the issuer too"])
    await card.filter({ hasText: part }).waitFor();
});

test("behavior 11.13: a suspected change is shown on the monitor until it is confirmed", async () => {
  let status = 200;
  await using target = new HttpTarget(() => new Response("fine", { status }));
  const { id } = (
    await served.api.post("/api/v1/monitors", {
      name: "suspected",
      type: "HTTP",
      config: { url: target.url, interval: 4, expect: { status: ["2xx"] } },
      confirmations: 10,
    })
  ).body.data;
  await using reader = await served.opened(`/monitors/${id}`);
  const { page } = reader;
  const shown = page.locator(".monitor-status");
  await shown.getByText("Up", { exact: true }).waitFor();
  await page.locator(".monitor-suspicion").waitFor({ state: "detached" });
  status = 500;
  await shown.getByText(/^\d+ of 11 checks saw: Down: 500 Internal Server Error, expected 2xx$/).waitFor();
  await shown.getByText("Up", { exact: true }).waitFor();
  await page.getByText("Not confirmed: Down: 500").first().waitFor();
  status = 200;
  await page.locator(".monitor-suspicion").waitFor({ state: "detached" });
});
