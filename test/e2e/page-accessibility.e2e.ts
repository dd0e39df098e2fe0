import { expect, setDefaultTimeout, test } from "bun:test";
import type { Page } from "playwright-core";
import { PATHS } from "../../src/dashboard/paths.ts";
import { isAccessible, schemesOf } from "../support/browser/accessibility.ts";
import { becomes } from "../support/browser/becomes.ts";
import type { Reader } from "../support/browser/browser.ts";
import { everyView } from "../support/browser/every-view.ts";
import { MAX_SHIFT, observeShifts, shiftOf } from "../support/browser/layout-shift.ts";
import { chooseAction } from "../support/browser/monitor-form.ts";
import { PATIENCE, ServedPage } from "../support/browser/served-page.ts";
import { smallTargets } from "../support/browser/targets.ts";
import { isLong, longTest } from "../support/long.ts";
import { untilEndOfFile } from "../support/until-end.ts";

setDefaultTimeout(PATIENCE);

const served = await untilEndOfFile(ServedPage.start());
const { api } = served;

const paths = await everyView(served);

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
      await page.getByRole("button", { name: /^Remove the group .*קבוצה/ }).click();
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
