import { expect, setDefaultTimeout, test } from "bun:test";
import type { Page } from "playwright-core";
import { textsOf } from "../../src/status-page/languages/load.ts";
import { isAccessible } from "../support/browser/accessibility.ts";
import { accessibilityTree } from "../support/browser/accessibility-tree.ts";
import { becomes } from "../support/browser/becomes.ts";
import type { Reader } from "../support/browser/browser.ts";
import { PATIENCE, ServedPage } from "../support/browser/served-page.ts";
import { isLong, longTest } from "../support/long.ts";
import { createIncident, createPage, PAGES } from "../support/requests/pages.ts";
import { untilEndOfFile } from "../support/until-end.ts";

setDefaultTimeout(PATIENCE);

const PASSWORD = "open sesame";
const COMPONENT = "Secret component";

const served = await untilEndOfFile(ServedPage.start());

/** A page with a password, a component and an incident. */
async function lockedPage() {
  const { id: monitorId } = await served.monitor("SCHEDULED", {});
  const page = await createPage(served.api, {
    ...{ title: "Inner status (EU)!", visibility: "password", password: PASSWORD },
    components: [{ monitorId, name: COMPONENT }],
  });
  const incident = await createIncident(served.api, page.id, { title: "Secret incident" });
  return { id: page.id as string, path: `/status/${page.slug}`, incident: `/incidents/${incident.id}` };
}

const PHONE = { width: 360, height: 780 };
const DESK = { width: 1280, height: 860 };

const LOOKS = [
  ["ar", "dark", true, PHONE],
  ["he", "dark", false, PHONE],
  ["en", "light", true, DESK],
  ["de", "light", false, PHONE],
] as const;

test.each(isLong ? LOOKS : LOOKS.slice(0, 1))(
  "behavior 21.36, 21.37: the keyboard alone opens a page, in %s, %s, with a script: %p",
  async (locale, colorScheme, javaScriptEnabled, viewport) => {
    const { unlock, currentIncidents } = textsOf(locale);
    const { path, incident } = await lockedPage();
    const look = { locale, colorScheme, javaScriptEnabled, viewport };
    await using reader = await served.browser.reader(served.server.url, look);
    const { page } = reader;
    const isForm = async (field: { description: string; invalid: string }) => {
      await becomes(() => page.evaluate("document.activeElement.name"), "password");
      expect(await fieldOf(page)).toEqual({ name: unlock.label, ...field });
      expect(await page.evaluate<number>("document.documentElement.scrollWidth")).toBe(viewport.width);
      expect(await page.getByText("Secret").count()).toBe(0);
      // It waits for timers, which a page without scripts does not have.
      if (javaScriptEnabled) await isAccessible(page);
    };
    await page.goto(path + incident);
    await isForm({ description: "", invalid: "false" });

    await page.keyboard.type("not this one");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").filter({ hasText: unlock.wrong }).waitFor();
    await isForm({ description: unlock.wrong, invalid: "true" });
    expect(await page.evaluate<string>("document.activeElement.value")).toBe("");

    await page.keyboard.type(PASSWORD);
    await page.keyboard.press("Tab");
    await becomes(() => page.evaluate("document.activeElement.textContent"), unlock.button);
    await page.keyboard.press("Space");
    await page.getByRole("heading", { name: currentIncidents }).waitFor();
    expect(new URL(page.url()).pathname).toBe(path);
    await page.getByRole("link", { name: "Secret incident" }).click();
    await page.getByRole("heading", { name: "Secret incident", level: 1 }).waitFor();
  },
);

/** The texts that a screen reader says about the field for the password. */
async function fieldOf(page: Page) {
  const [field] = (await accessibilityTree(page)).filter(({ role }) => role === "textbox");
  return { name: field?.name, description: field?.description, invalid: field?.invalid };
}

async function unlock({ page }: Reader): Promise<void> {
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Open the page" }).click();
  await page.getByText(COMPONENT).waitFor();
}

longTest(
  "behavior 17.11, 21.39: open documents ask for the password when it has changed, and show no old status",
  async () => {
    const { id, path, incident } = await lockedPage();
    await using reader = await served.browser.reader(served.server.url);
    const { page, context } = reader;
    await page.clock.install();
    await page.goto(path);
    await unlock(reader);
    const second = await context.newPage();
    await second.clock.install();
    await second.goto(path + incident);
    await second.getByRole("heading", { name: "Secret incident", level: 1 }).waitFor();

    await served.api.patch(`${PAGES}/${id}`, { password: "another one" });
    await becomes(async () => (await context.request.get(path)).status(), 401);
    for (const open of [page, second]) {
      await open.clock.fastForward(60_000);
      await open.getByLabel("Password").waitFor();
      expect(await open.locator("body").textContent()).not.toContain("Secret");
      expect(await open.locator("script").count()).toBe(0);
    }
  },
);
