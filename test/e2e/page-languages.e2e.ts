import { expect, setDefaultTimeout, test } from "bun:test";
import type { Page } from "playwright-core";
import { PATIENCE, PageServer, sharedBrowser } from "../support/browser/served-page.ts";
import { joinedPerson, PASSWORD } from "../support/people/person.ts";
import { untilEndOfFile } from "../support/until-end.ts";

setDefaultTimeout(PATIENCE);

const served = await untilEndOfFile(PageServer.start());
const browser = await sharedBrowser();
const { url } = served.server;

const languageOf = (page: Page) => page.evaluate<string>("document.documentElement.lang");
const directionOf = (page: Page) => page.evaluate<string>("document.documentElement.dir");

/** The choice is the only one with this option, in each language. */
const choiceOf = (page: Page) => page.locator("select:has(option[value='zh-TW'])");

async function signIn(page: Page, email: string): Promise<void> {
  await page.goto("/profile");
  await page.locator("#email").fill(email);
  await page.locator("#password").fill(PASSWORD);
  await page.keyboard.press("Enter");
  await choiceOf(page).waitFor();
}

async function choose(page: Page, language: string): Promise<void> {
  const reloaded = page.waitForEvent("load");
  await choiceOf(page).selectOption(language);
  await reloaded;
  await choiceOf(page).waitFor();
}

test("behavior 27.100, 27.101: the language that a person chooses counts in each browser of the person", async () => {
  const owner = await served.organization("Chosen");
  const email = "lea@example.com";
  await joinedPerson(owner, { email, role: "viewer" });
  await using first = await browser.reader(url, { locale: "sv-SE" });
  await signIn(first.page, email);
  expect(await languageOf(first.page)).toBe("sv");
  await choose(first.page, "ar");
  expect([await languageOf(first.page), await directionOf(first.page)]).toEqual(["ar", "rtl"]);

  await using second = await browser.reader(url, { locale: "ja-JP" });
  // An earlier reader of this browser had another choice.
  await second.context.addCookies([{ name: "stillup_language", value: "de", url }]);
  await second.page.goto("/");
  expect(await languageOf(second.page)).toBe("de");
  await signIn(second.page, email);
  await second.page.waitForFunction("document.documentElement.lang === 'ar'");
  await choiceOf(second.page).waitFor();
  await choose(second.page, "");
  expect(await languageOf(second.page)).toBe("ja");
  expect([...first.errors, ...second.errors]).toEqual([]);
});

test("behavior 27.100: with a key, the language is chosen for the browser", async () => {
  const owner = await served.organization("With a key");
  await using reader = await browser.reader(url, { locale: "en-US" });
  await reader.signIn(owner.key ?? "");
  await reader.page.goto("/profile");
  await choose(reader.page, "he");
  expect([await languageOf(reader.page), await directionOf(reader.page)]).toEqual(["he", "rtl"]);
  await choose(reader.page, "");
  expect(await languageOf(reader.page)).toBe("en");
  expect(reader.errors).toEqual([]);
});

test("behavior 27.102: an owner chooses the language of notifications", async () => {
  const owner = await served.organization("Notified");
  await using reader = await browser.reader(url);
  await reader.signIn(owner.key ?? "");
  await reader.page.goto("/settings");
  await reader.page.getByLabel("Language of notifications").selectOption("fi");
  await reader.page.getByRole("button", { name: "Save" }).click();
  await reader.page.getByText("Saved.").waitFor();
  const { body } = await owner.get("/api/v1/organization");
  expect(body).toMatchObject({ data: { language: "fi" } });
  expect(reader.errors).toEqual([]);
});
