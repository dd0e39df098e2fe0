import { expect, setDefaultTimeout, test } from "bun:test";
import type { Page } from "playwright-core";
import { PATHS } from "../../src/dashboard/paths.ts";
import { lastWholePeriod, type ReportKind } from "../../src/domain/reports/report-mail.ts";
import { isAccessible, schemesOf } from "../support/browser/accessibility.ts";
import { becomes } from "../support/browser/becomes.ts";
import type { Reader } from "../support/browser/browser.ts";
import { MAX_SHIFT, observeShifts, shiftOf } from "../support/browser/layout-shift.ts";
import { chooseAction } from "../support/browser/monitor-form.ts";
import { PATIENCE, ServedPage } from "../support/browser/served-page.ts";
import { smallTargets } from "../support/browser/targets.ts";
import { isLong, longTest } from "../support/long.ts";
import { createChannel } from "../support/requests/monitors.ts";
import { createIncident, createPage } from "../support/requests/pages.ts";
import { createLocation } from "../support/requests/probe-client.ts";
import { untilEndOfFile } from "../support/until-end.ts";

setDefaultTimeout(PATIENCE);

const served = await untilEndOfFile(ServedPage.start());
const { api } = served;

/** The paths of views with one thing of each kind, with long names and names from right to left. */
async function everything() {
  const target = { host: "127.0.0.1", port: 1, interval: 3600 };
  const long = "A component with a name that is longer than one line of a phone";
  const monitor = await served.monitor("TCP", target);
  const job = await served.monitor("SCHEDULED", {}, { tags: ["web"] });
  await fetch(`${job.checkinUrl}?status=fail`);
  const [outage] = (await api.get(`/api/v1/outages?monitorId=${job.id}`)).body.data;
  await api.post(`/api/v1/outages/${outage.id}/acknowledge`, { note: "seen" });
  const site = await served.monitor("HTTP", {
    url: "http://127.0.0.1:1/",
    interval: 3600,
    headers: { "X-Key": "secret" },
    expect: { status: ["2xx", 304], json: { "$.a": 1 } },
  });
  await api.patch(`/api/v1/monitors/${site.id}`, { name: "changed" });
  const location = await createLocation(api, "elsewhere");
  await location.probe.work();
  const locations = ["here", location.id];
  const far = await served.monitor("TCP", target, { locations, dependsOn: [monitor.id], tags: ["far"] });
  await location.probe.observe({ monitorId: far.id });
  const channel = await createChannel(api);
  const maintenance = await api.post("/api/v1/maintenances", {
    title: "Upgrade",
    selector: { monitorIds: [site.id] },
    startsAt: new Date(Date.now() - 3_600_000).toISOString(),
    endsAt: new Date(Date.now() + 3_600_000).toISOString(),
  });
  const shown = await createPage(api, {
    ...{ title: "In public", visibility: "public", minOutage: 0 },
    components: [
      { monitorId: monitor.id, name: long },
      { monitorId: job.id, name: "דוגמה", group: "קבוצה" },
    ],
  });
  const { id } = await createIncident(api, shown.id, {
    title: "A title that is as long as a title can be if people write sentences into it, which they do",
    componentIds: [shown.components[0].id],
    updates: [
      { status: "investigating", body: "**Cards** fail.\n\n- one\n- two" },
      { status: "resolved", body: "All payments work again." },
    ],
  });
  const incidents = `/pages/${shown.id}/incidents`;
  const person = await api.post("/api/v1/people", {
    email: `${crypto.randomUUID()}@example.com`,
    role: "viewer",
  });
  const layer = { personIds: [person.body.data.id], every: "day", startsAt: "2026-01-05T09:00:00Z" };
  await api.patch(`/api/v1/people/${person.body.data.id}`, { alertChannelIds: [channel.id] });
  const schedule = await api.post("/api/v1/schedules", { name: long, layers: [layer, layer] });
  await api.post("/api/v1/schedules", { name: "תורנות", timezone: "Asia/Jerusalem", layers: [layer] });
  const report = (title: string, values: object = {}) =>
    api.post("/api/v1/reports/mails", {
      ...{ title, kind: "day", selector: { all: true }, to: ["ops@example.com", "ada@example.com"] },
      ...values,
    });
  const { body: daily } = await report(`${long} that has too many words`);
  const { body: weekly } = await report("דוח שבועי", { kind: "week", language: "he" });
  const firstDay = (kind: ReportKind) => lastWholePeriod({ kind, timezone: "UTC" }, Date.now()).first;
  const wall = await api.post("/api/v1/wall-links", { name: "Entrance" });
  return {
    main: ["/", `/monitors/${far.id}`, `/monitors/${site.id}/edit`, `/outages/${outage.id}`, "/channels"],
    others: [
      ...["/?tag=web", `/monitors/${monitor.id}`, `/monitors/${job.id}`, `/monitors/${far.id}/edit`],
      ...["/monitors/new", "/monitors/deleted/edit", "/channels/new", `/channels/${channel.id}`],
      ...["/locations", "/reports", "/outages", "/events", "/events?show=all", "/maintenances"],
      ...["/maintenances/new", `/maintenances/${maintenance.body.data.id}/edit`, "/pages", "/pages/new"],
      ...[
        `/pages/${shown.id}`,
        incidents,
        `${incidents}/${id}`,
        `${incidents}/${id}/edit`,
        `${incidents}/new`,
      ],
      ...[
        "/keys",
        "/settings",
        "/settings/server",
        "/settings/audit",
        "/settings/people",
        "/profile",
        "/hindsight",
      ],
      ...["/channels/choose", "/wall", "/nothing", "/guide", "/guide/monitors", "/guide/search?q=docker"],
      ...["/on-call", "/on-call/new", `/on-call/edit/${schedule.body.data.id}`],
      ...["/reports/mails", "/reports/mails/new", `/reports/mails/${daily.data.id}/edit`],
      `/reports/mails/${daily.data.id}/${firstDay("day")}`,
      `/reports/mails/${weekly.data.id}/${firstDay("week")}`,
      ...[`/status/${shown.slug}`, `/status/${shown.slug}/history/${new Date().toISOString().slice(0, 7)}`],
    ],
    /** Nobody has to sign in for these. */
    withToken: [person.body.data.inviteUrl, wall.body.data.url].map((url) => new URL(url).pathname),
    incidents,
    monitor: `/monitors/${job.id}`,
    outage: `/outages/${outage.id}`,
    page: `/pages/${shown.id}`,
  };
}

const paths = await everything();

test("every view that the server offers is among those that are checked", () => {
  const checked = [...paths.main, ...paths.others, ...paths.withToken].map(
    (path) => path.split("?")[0] ?? "",
  );
  const patterns = PATHS.map((path) => ({
    path,
    parameters: path.split(":").length,
    regexp: new RegExp(`^${path.replaceAll(/:\w+/g, "[^/]+")}$`),
  })).toSorted((a, b) => a.parameters - b.parameters);
  const found = checked.map((path) => patterns.find(({ regexp }) => regexp.test(path))?.path);
  expect(PATHS.filter((path) => !found.includes(path))).toEqual([]);
});

/** The dialogs, menus and previews that a reader opens in a view. */
const ACTIONS: [path: string, act: (page: Page) => Promise<void>][] = [
  [
    "/keys",
    async (page) => {
      await page.getByRole("button", { name: "New key" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Create key" }).waitFor();
    },
  ],
  [
    "/locations",
    async (page) => {
      const dialog = page.getByRole("dialog");
      await page.getByRole("button", { name: "New location" }).click();
      await dialog.getByLabel("Name").fill(`new ${crypto.randomUUID()}`);
      await dialog.getByRole("button", { name: "Create location" }).click();
      await dialog.getByRole("button", { name: "systemd" }).click();
      await dialog.getByText("DynamicUser=yes").waitFor();
    },
  ],
  [
    "/maintenances",
    async (page) => {
      await page.getByRole("button", { name: "End now: Upgrade" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "End now" }).waitFor();
    },
  ],
  [
    `${paths.incidents}/new`,
    async (page) => {
      await page.getByRole("button", { name: "Preview" }).click();
      await page.getByLabel("Message").fill("See [the log](https://example.com/) and `code`.\n\n> quoted");
      await page.getByRole("region", { name: "Preview" }).getByRole("link").waitFor();
    },
  ],
  [
    paths.page,
    async (page) => {
      await page.getByRole("button", { name: "Add a group" }).click();
      await page.getByText("Move components into this group.").waitFor();
      await page.getByRole("button", { name: "Remove the group קבוצה" }).click();
    },
  ],
  [
    "/pages",
    async (page) => {
      await page.getByRole("button", { name: /^(Keyboard shortcuts|More)$/ }).click();
      await page.getByRole("dialog").waitFor();
    },
  ],
  [
    "/",
    async (page) => {
      await openFilters(page);
      await page.getByRole("button", { name: "Select", exact: true }).click();
      await page.getByRole("region", { name: "Selected monitors" }).waitFor();
    },
  ],
  [
    "/events",
    async (page) => {
      await openFilters(page);
      await page.getByRole("button", { name: /^Time/ }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Show" }).waitFor();
    },
  ],
  [
    "/monitors/new?type=HTTP",
    async (page) => {
      await page.getByRole("searchbox", { name: "Find a field" }).fill("timeout");
      await page.getByRole("list", { name: "Fields" }).getByRole("button").first().waitFor();
    },
  ],
  [
    "/settings/audit",
    async (page) => {
      await page.getByText("Old value").first().click();
      await page.getByRole("button", { name: /^Undo/ }).first().waitFor();
    },
  ],
  [
    paths.monitor,
    async (page) => {
      // The test of the other theme has paused it.
      await api.patch(`/api/v1${paths.monitor}`, { enabled: true });
      await page.reload();
      await chooseAction(page, "Pause");
      await page.getByRole("button", { name: "Undo", exact: true }).waitFor();
    },
  ],
];

/** On a phone, the filters are behind a button. */
async function openFilters(page: Page): Promise<void> {
  const button = page.getByRole("button", { name: /^Filter/ });
  await button.or(page.getByRole("search")).first().waitFor();
  if (await button.isVisible()) await button.click();
}

/** The text color of the light theme. */
const LIGHT_TEXT = "rgb(27, 29, 33)";
const MOVING_PARTS = `[...document.querySelectorAll("*")].filter((one) => {
  const { transitionDuration, animationName, animationDuration } = getComputedStyle(one);
  const durations = animationName === "none" ? transitionDuration : transitionDuration + ", " + animationDuration;
  return durations.split(", ").some((duration) => parseFloat(duration) > 0);
}).map((one) => one.outerHTML.slice(0, 80))`;
const OVERFLOW = "document.documentElement.scrollWidth - document.documentElement.clientWidth";

test.each(schemesOf("dark"))(
  "behavior 14.95, 15.90, 16.368, 16.376: in %s, axe-core finds no violation, nothing is wider than the window or too low to tap, and nothing moves while a view loads",
  async (colorScheme) => {
    const phone = { viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true };
    const look = colorScheme === "dark" ? phone : { viewport: { width: 1280, height: 860 } };
    await using reader = await served.browser.reader(served.server.url, { colorScheme, ...look });
    const { page } = reader;
    const isWell = async (path: string) => {
      await isAccessible(page);
      expect(await page.evaluate<number>(OVERFLOW), path).toBe(0);
      if (colorScheme === "dark") expect(await smallTargets(page), path).toEqual([]);
    };
    await observeShifts(page);
    await page.goto("/");
    await page.getByLabel("API key").waitFor();
    await isAccessible(page);
    await reader.signIn(api.key ?? "");
    for (const path of isLong ? [...paths.main, ...paths.others, ...paths.withToken] : paths.main) {
      await reader.open(path);
      expect(await shiftOf(page), path).toBeLessThanOrEqual(MAX_SHIFT);
      await isWell(path);
    }
    for (const [path, act] of isLong ? ACTIONS : ACTIONS.slice(0, 1)) {
      await page.goto(path);
      await act(page);
      await isWell(path);
    }
  },
  4 * PATIENCE,
);

longTest(
  "behavior 14.91, 14.95, 15.90, 15.99: viewers see everything except the audit log, and are offered no change",
  async () => {
    const { key } = (await api.post("/api/v1/api-keys", { name: "viewer", role: "viewer" })).body.data;
    await using reader = await served.signedIn({}, key);
    const { page } = reader;
    const offered =
      /^(New|Pause|Resume|Edit|Rename|Delete|Save(?! view)|Create|Disable|Send|Post|Resolve|Turn|Preview|Move|Acknowledge|Take back|End now)/;
    const isForm = (path: string) => /\/(new|edit|audit|server|choose)$|^\/on-call\/edit\//.test(path);
    for (const path of [...paths.main, ...paths.others].filter((one) => !isForm(one))) {
      await reader.open(path);
      for (const role of ["button", "link"] as const)
        expect(await page.getByRole(role, { name: offered }).allTextContents(), path).toEqual([]);
    }
    for (const [path, back] of [
      [`${paths.incidents}/unknown`, "Back to the incidents"],
      ["/outages/0000000000000000000000", "Back to the outages"],
    ] as const) {
      await page.goto(path);
      await page.getByRole("link", { name: back }).click();
      await page.getByRole("heading", { name: /^(Incidents|Outages|In public)/, level: 1 }).waitFor();
    }
    for (const path of [`${paths.incidents}/new`, "/settings/audit"]) {
      await page.goto(path);
      await page
        .getByRole("alert")
        .or(page.getByText("You need the role admin or owner for this."))
        .waitFor();
    }
  },
  PATIENCE,
);

longTest(
  "behavior 16.378: paper is light and has no controls, a system with colors of its own shows what is selected, and nothing moves",
  async () => {
    await using reader = await served.signedIn({
      colorScheme: "dark",
      viewport: { width: 703, height: 1000 },
    });
    const { page } = reader;
    for (const path of ["/", paths.monitor, paths.outage, "/outages", "/events", "/reports"]) {
      await reader.open(path);
      expect(await page.evaluate<string[]>(MOVING_PARTS), path).toEqual([]);
      await page.emulateMedia({ media: "print" });
      expect(await page.evaluate<string>("getComputedStyle(document.body).color"), path).toBe(LIGHT_TEXT);
      expect(await page.getByRole("button").or(page.getByRole("navigation")).count(), path).toBe(0);
      expect(await page.evaluate<number>(OVERFLOW), path).toBe(0);
      await page.emulateMedia({ media: "screen" });
    }
    await page.emulateMedia({ forcedColors: "active" });
    await reader.open("/");
    const grounds = await page.evaluate<string[]>(
      "[...document.querySelectorAll('.segments span')].map((one) => getComputedStyle(one).backgroundColor)",
    );
    expect(new Set(grounds).size).toBe(2);
  },
);

test("the keyboard alone is enough", async () => {
  await using reader = await served.signedIn();
  const { page } = reader;
  await reader.open("/");
  await page.keyboard.press("Tab");
  await becomes(() => focused(reader), "Skip to the content");
  await page.getByRole("button", { name: "Keyboard shortcuts" }).waitFor();
  const order = [/stillup/, /Search/, /\?/, /Overview/, /Outages/];
  for (const name of order) {
    await page.keyboard.press("Tab");
    await becomes(async () => name.test(await focused(reader)), true);
  }
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Outages", level: 1 }).waitFor();
  await becomes(() => focused(reader), "Outages");
});

longTest(
  "behavior 16.376: a view that loads slowly leaves the focus where the reader has put it",
  async () => {
    await using empty = await ServedPage.start();
    await using reader = await empty.browser.reader(empty.server.url);
    const { page } = reader;
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route("**/assets/first-steps-*", async (route) => {
      await held;
      await route.continue();
    });
    await reader.signIn(empty.api.key ?? "");
    await page.goto("/");
    await page.getByRole("link", { name: "Outages" }).focus();
    release();
    await becomes(() => page.title(), "No monitors yet · stillup");
    expect(await focused(reader)).toBe("Outages");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Outages", level: 1 }).and(page.locator(":focus")).waitFor();
  },
);

function focused({ page }: Reader): Promise<string> {
  return page.evaluate("document.activeElement.textContent");
}
