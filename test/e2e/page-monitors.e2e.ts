import { expect, setDefaultTimeout, test } from "bun:test";
import { isAccessible } from "../support/browser/accessibility.ts";
import { becomes } from "../support/browser/becomes.ts";
import { chooseAction, enterInterval } from "../support/browser/monitor-form.ts";
import { PATIENCE, ServedPage } from "../support/browser/served-page.ts";
import { eventually } from "../support/eventually.ts";
import { isLong, longTest } from "../support/long.ts";
import { HttpTarget } from "../support/servers/targets.ts";
import { untilEndOfFile } from "../support/until-end.ts";

setDefaultTimeout(PATIENCE);

const served = await untilEndOfFile(ServedPage.start());

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

test.each(isLong ? forms : forms.slice(0, 1))(
  "monitors of the type $type are created, with each error beside its field",
  async ({ type, name, fields, shows }) => {
    await using reader = await served.opened("/monitors/new");
    const { page } = reader;
    const tile = page.getByRole("radio", { name: new RegExp(`^${type}`) });
    await tile.check({ force: true });
    // The purpose of the type.
    await page.locator(".type-picker label").filter({ has: tile }).locator("small").waitFor();
    await page.getByRole("button", { name: "Create monitor" }).click();
    await page.getByText("Enter a name of 1 to 200 characters.").waitFor();
    await becomes(() => page.getByLabel("Name", { exact: true }).getAttribute("aria-invalid"), "true");
    await page.getByLabel("Name", { exact: true }).fill(name);
    for (const [label, value] of Object.entries(fields))
      await page.getByLabel(label, { exact: true }).fill(value);
    await page.getByRole("button", { name: "Create monitor" }).click();
    await page.getByRole("heading", { name, level: 1 }).waitFor();
    await page.locator(".monitor-status").getByText(shows).waitFor();
  },
);

test("an error is shown in a form when the reader leaves a field, or at once for a number, until the field is valid", async () => {
  await using reader = await served.signedIn();
  const { page } = reader;
  const writes: string[] = [];
  page.on("request", (request) => request.method() !== "GET" && writes.push(request.url()));
  await page.goto("/monitors/new?type=TCP");
  const [name, host, port] = ["Name", "Host", "Port"].map((label) =>
    page.getByRole("textbox", { name: label, exact: true }),
  );
  if (!name || !host || !port) throw new Error("no fields");
  await host.focus();
  await page.keyboard.type("http://x");
  expect(await page.getByRole("alert").count()).toBe(0);
  await page.keyboard.press("Tab");
  const sentence = "Must be a host name or an IP address, without scheme, port or path.";
  await page.getByRole("alert").filter({ hasText: sentence }).waitFor();
  await becomes(() => host.getAttribute("aria-invalid"), "true");
  const described = (await host.getAttribute("aria-describedby")) ?? "";
  await becomes(() => page.locator(`[id="${described}"]`).textContent(), sentence);
  await page.keyboard.type("44300");
  await becomes(() => page.getByRole("alert").count(), 1);
  await page.keyboard.type("0");
  await page.getByText("Must be a whole number from 1 to 65535, got 443000.").waitFor();
  await page.keyboard.press("Backspace");
  await host.fill("x");
  // It was proposed.
  await name.fill("");
  await becomes(() => page.getByRole("alert").count(), 0);
  await becomes(() => host.getAttribute("aria-invalid"), null);
  await page.getByRole("button", { name: "Create monitor" }).click();
  await page.getByText("Enter a name of 1 to 200 characters.").waitFor();
  await becomes(() => name.evaluate((field) => field === field.ownerDocument.activeElement), true);
  expect(writes).toEqual([]);
});

longTest(
  "the button of a monitor takes no click until the page shows the answer to the last one",
  async () => {
    const { id } = await served.monitor("HTTP", { url: "http://127.0.0.1:1/", interval: 3600 });
    await using reader = await served.opened(`/monitors/${id}`);
    const { page } = reader;
    await page.getByRole("button", { name: "Check now" }).waitFor();
    const pausing = Promise.withResolvers<void>();
    await page.route("**/report?*", async (route) => {
      await pausing.promise;
      await route.continue();
    });
    await chooseAction(page, "Pause");
    const resume = page.getByRole("button", { name: "Resume" });
    await resume.waitFor();
    expect(await resume.isEnabled()).toBe(false);
    pausing.resolve();
    await resume.click();
    await page.getByRole("button", { name: "Check now" }).waitFor();
  },
);

test("a monitor goes down and up again in an open page, is paused, edited and deleted", async () => {
  await using target = new HttpTarget();
  await using reader = await served.opened("/monitors/new?type=HTTP");
  const { page } = reader;
  await page.getByLabel("Name", { exact: true }).fill("the target");
  await page.getByLabel("URL", { exact: true }).fill(target.url);
  await enterInterval(page, "1", "s");
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
  await target.fix();
  await row.getByText("Up", { exact: true }).waitFor();

  await row.getByRole("link", { name: "the target" }).click();
  await page
    .getByText(/refuse[ds]/)
    .filter({ visible: true })
    .first()
    .waitFor();
  await chooseAction(page, "Pause");
  await page.locator(".monitor-status").getByText("Paused").waitFor();
  await page.getByRole("button", { name: "Resume" }).click();
  await page.getByRole("button", { name: "Mute" }).waitFor();
  await page.getByRole("link", { name: "Edit" }).click();
  await page.getByLabel("Name", { exact: true }).fill("renamed");
  await page.getByLabel("Time between two checks").fill("0");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("An interval is at least 1 s.").waitFor();
  await enterInterval(page, "1", "h");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("heading", { name: "renamed", level: 1, exact: true }).waitFor();

  await chooseAction(page, "Delete");
  await page.getByRole("dialog").getByText("All its results").waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await chooseAction(page, "Delete");
  await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
  await becomes(() => new URL(page.url()).pathname, "/");
  await becomes(() => page.getByText("renamed").count(), 0);
});

longTest("monitors of jobs show the check-in URL, and each check-in", async () => {
  const { id, checkinUrl } = (
    await served.api.post("/api/v1/monitors", { name: "nightly", type: "SCHEDULED", config: {} })
  ).body.data;
  await using reader = await served.opened(`/monitors/${id}`);
  const { page } = reader;
  await page.getByText(checkinUrl, { exact: true }).waitFor();
  for (const scheduler of ["cron", "systemd", "Kubernetes", "GitHub Actions", "Windows", "Python"]) {
    await page.getByRole("button", { name: scheduler, exact: true }).click();
    expect(await page.locator(".copyable-text").last().textContent()).toContain(checkinUrl);
  }
  await page.getByText("never", { exact: true }).waitFor();
  await fetch(`${checkinUrl}?status=fail`);
  await page.locator(".monitor-status").getByText("Failed").waitFor();
  await page.getByText("so far").waitFor();
});

longTest("all monitors are paused after a confirmation", async () => {
  await using reader = await served.opened("/");
  const { page } = reader;
  await page.getByRole("button", { name: "Pause all" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Pause all" }).click();
  await page.getByText("All monitors are paused").waitFor();
});

longTest(
  "behavior 16.240, 16.241, 16.242, 16.243, 16.244, 16.245, 16.246, 16.248: a monitor shows its latest checks, checks now, zooms and is duplicated",
  async () => {
    await using target = new HttpTarget();
    const config = { url: target.url, interval: 3600, headers: { "X-Key": "secret" } };
    const { id } = await served.monitor("HTTP", config, { name: "now", tags: ["shop"] });
    await using reader = await served.opened(`/monitors/${id}`, {
      viewport: { width: 390, height: 780 },
      colorScheme: "dark",
    });
    const { page } = reader;
    await page.getByText("every 1 h").waitFor();
    const strip = page.getByRole("slider", { name: /^Last 50 checks/ });
    await strip.focus();
    await becomes(async () => /: Up, \d/.test((await strip.getAttribute("aria-valuetext")) ?? ""), true);
    await page.keyboard.press("ArrowLeft");
    await becomes(() => strip.getAttribute("aria-valuetext"), "No check");

    await target.break();
    await page.getByRole("button", { name: "Check now" }).click();
    await page.locator(".monitor-status").getByText("Down", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Check now" }).waitFor();
    await page.keyboard.press("End");

    await page.getByRole("radio", { name: "1 hour" }).check();
    const history = page.getByRole("slider", { name: /^History/ });
    await becomes(() => history.getAttribute("aria-valuemax"), "60");
    await page.getByRole("img", { name: /^Phases of the checks/ }).waitFor();
    await page.getByText("p95", { exact: false }).waitFor();
    await page.locator(".latency-key-down").first().waitFor();
    await isAccessible(page);
    const fits = () => page.evaluate<boolean>("document.documentElement.scrollWidth <= innerWidth");
    expect(await fits()).toBe(true);

    await history.focus();
    await page.keyboard.press("Enter");
    const reset = page.getByRole("button", { name: "Reset zoom" });
    await reset.waitFor();
    expect(new URL(page.url()).searchParams.get("from")).toMatch(/^\d{4}-/);
    await becomes(async () => Number(await history.getAttribute("aria-valuemax")) <= 6, true);
    await isAccessible(page);
    await page.reload();
    await reset.click();
    // The monitor is young: the view begins with its first hour.
    await becomes(() => history.getAttribute("aria-valuemax"), "60");
    const chart = page.locator(".latency-plot").first();
    await chart.hover({ position: { x: 100, y: 50 } });
    await page.mouse.down();
    // The only checks are at the right end.
    const { width } = (await chart.boundingBox()) ?? { width: 0 };
    await chart.hover({ position: { x: width - 1, y: 50 } });
    await page.mouse.up();
    await reset.waitFor();
    await chart.dblclick();
    await reset.waitFor({ state: "detached" });

    await chooseAction(page, "Duplicate");
    await page.getByRole("heading", { name: "New monitor" }).waitFor();
    await becomes(() => page.getByLabel("Name", { exact: true }).inputValue(), "now (copy)");
    await page.getByRole("button", { name: "Create monitor" }).click();
    await page.getByText(/Must be sent with its value/i).waitFor();
    await page.getByLabel("Value", { exact: false }).first().fill("another");
    await page.getByRole("button", { name: "Create monitor" }).click();
    const copy = await served.savedMonitor(page);
    expect(copy).toMatchObject({ name: "now (copy)", tags: ["shop"], ref: null });
    expect(copy.config).toMatchObject({ url: target.url, interval: 3600, headers: { "X-Key": "•••" } });
  },
);

test("behavior 16.245, 16.249, 16.252, 16.253, 16.254: a monitor is muted and heard again from its page, whose strip opens checks", async () => {
  await using target = new HttpTarget();
  const { id } = await served.monitor("HTTP", { url: target.url, interval: 3600 }, { name: "loud" });
  const windows = async () =>
    (await served.api.get("/api/v1/maintenances")).body.data.filter(
      ({ selector }: { selector: { monitorIds?: string[] } }) => selector.monitorIds?.includes(id),
    );
  await using reader = await served.opened(`/monitors/${id}`, { viewport: { width: 390, height: 844 } });
  const { page } = reader;
  const card = page.getByRole("region", { name: "Status", exact: true });
  await card.getByText("every 1 h").waitFor();
  await card.getByText("no channel").waitFor();
  await chooseAction(page, "For an hour", "Mute");
  await card.getByText(/^In maintenance until/).waitFor();
  const [first] = await windows();
  expect(first).toMatchObject({ state: "active", selector: { monitorIds: [id] } });
  expect(Math.round((Date.parse(first.endsAt) - Date.parse(first.startsAt)) / 60_000)).toBe(60);
  await chooseAction(page, "As long as …", "Muted");
  await page.getByRole("dialog").getByLabel("Title").fill("Move of the shop");
  await page.getByRole("dialog").getByRole("button", { name: "Mute" }).click();
  await card.getByRole("link", { name: "Move of the shop" }).waitFor();
  expect(await windows()).toHaveLength(1);
  await isAccessible(page);
  await card.getByRole("button", { name: "End now" }).click();
  await page.getByRole("button", { name: "Mute", exact: true }).waitFor();
  expect((await windows())[0].state).toBe("ended");

  const strip = page.getByRole("slider", { name: /^Last 50 checks/ });
  await strip.focus();
  await page.keyboard.press("Enter");
  await page
    .getByRole("dialog", { name: /^Check of/ })
    .getByText("Up", { exact: true })
    .waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Compare with the time before" }).click();
  await page.getByText("before: no checks").waitFor();
  expect(new URL(page.url()).searchParams.get("compare")).toBe("before");
  const chart = page.getByRole("slider", { name: /^Latency from/ });
  await chart.focus();
  await page.keyboard.press("End");
  await becomes(async () => / ms/.test((await chart.getAttribute("aria-valuetext")) ?? ""), true);
});

test("behavior 16.287, 16.288, 16.289: the form finds a field in a closed section, and forgets the answer to earlier values", async () => {
  const asked = Promise.withResolvers<void>();
  const answers = Promise.withResolvers<void>();
  await using target = new HttpTarget(async () => {
    asked.resolve();
    await answers.promise;
    return new Response("fine");
  });
  await using reader = await served.opened("/monitors/new?type=HTTP");
  const { page } = reader;
  await page.getByText("Follow 5 redirects").waitFor();
  await page.getByLabel("URL", { exact: true }).fill(target.url);
  await page.getByRole("button", { name: "Check now" }).click();
  await asked.promise;
  await page.getByLabel("Find a field").fill("self-signed");
  await page.keyboard.press("Enter");
  await becomes(() => page.locator(":focus").getAttribute("name"), "config.verifyTls");
  await page.keyboard.press("Space");
  answers.resolve();
  await becomes(() => page.getByRole("button", { name: "Check now" }).isEnabled(), true);
  expect(await page.locator(".check-now-preview").count()).toBe(0);
  await page.getByRole("button", { name: "Check now" }).click();
  await page.getByText("answered with 200").waitFor();
  const button = await page.getByRole("button", { name: "Create monitor" }).boundingBox();
  expect((button?.y ?? 0) + (button?.height ?? 0)).toBeLessThan(860);
});

longTest.each(["en-US", "es-CO"])("no label of the latency chart is cut off in %s", async (locale) => {
  await using target = new HttpTarget();
  const { id } = await served.monitor("HTTP", { url: target.url, interval: 1 });
  const results = () => served.api.get(`/api/v1/monitors/${id}/results`);
  await eventually(async () => (await results()).body.data.length > 0, PATIENCE);
  // The next noon and midnight: then the last label is at the right end, and the chart still begins a day before.
  const hours = [12, 24, 36].filter((hour) => hour > new Date().getUTCHours()).slice(0, 2);
  for (const hour of hours) {
    const look = { locale, timezoneId: "UTC", viewport: { width: 390, height: 780 } };
    await using reader = await served.signedIn(look);
    const { page } = reader;
    await page.route("**/report?*", async (route) => {
      const response = await route.fetch();
      const { data } = await response.json();
      const [from, to] = [hour - 24, hour].map((end) => new Date(new Date().setUTCHours(end, 0, 0, 0)));
      await route.fulfill({
        response,
        json: { data: { ...data, stretch: { ...data.stretch, from, to } } },
      });
    });
    await page.goto(`/monitors/${id}`);
    // For each label: whether the label is in its chart, and whether the label is at the right end.
    const labels = `[...document.querySelectorAll(".latency-plot text")].map((label) => {
      const [box, chart] = [label.getBoundingClientRect(), label.closest("svg").getBoundingClientRect()];
      const isInside = box.left >= chart.left && box.right <= chart.right;
      return { isInside, isLast: box.right > chart.right - 20 };
    })`;
    type Label = { isInside: boolean; isLast: boolean };
    const drawn = await eventually(async () => {
      const all = await page.evaluate<Label[]>(labels);
      return all.some(({ isLast }) => isLast) && all;
    }, PATIENCE);
    expect(drawn.filter(({ isInside }) => !isInside)).toEqual([]);
    await page.unrouteAll({ behavior: "wait" });
  }
});
