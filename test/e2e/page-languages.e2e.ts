import { expect, setDefaultTimeout, test } from "bun:test";
import type { Page } from "playwright-core";
import { LANGUAGES, type Language } from "../../src/domain/pages/reader-locale.ts";
import { isAccessible } from "../support/browser/accessibility.ts";
import { everyView } from "../support/browser/every-view.ts";
import { PSEUDO_LOCALE, plainTexts, speakPseudo } from "../support/browser/pseudo-language.ts";
import { PATIENCE, PageServer, ServedPage, sharedBrowser } from "../support/browser/served-page.ts";
import { isLong } from "../support/long.ts";
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

const everything = await untilEndOfFile(ServedPage.start());
const views = await everyView(everything);

/** Documents with languages of their own. */
const isOther = (path: string) => /^\/(guide|status)(\/|$)|^\/reports\/mails\/\w+\/\d/.test(path);
const all = [...views.main, ...views.others].filter((path) => !isOther(path));

/** Chosen by users of the demonstration. */
const NAMES = [
  ...["stillup", "a (TCP|HTTP|SCHEDULED) monitor", "a channel", "changed", "far", "web", "elsewhere"],
  ...["owner", "In public", "A component with a name that is longer than one line of a phone", "Upgrade"],
  ...["A title that is as long as a title can be if people write sentences into it, which they do"],
  ...["that has too many words", "seen", "All payments work again", "Cards", "fail", "one", "two"],
  "Entrance( \\(wall link\\))?",
];
/** Names of products, protocols and time zones, addresses, codes and recorded messages. */
const DATA = [
  ...["[\\w-]+@example\\.com", "https?:\\S*", "/status/\\S*", "127\\.0\\.0\\.1", "(proxy\\.)?example\\.com"],
  "the connection was refused: nothing listens on that port",
  "127\\.0\\.0\\.1 refuses connections on port 1",
  ...["Slack", "Discord", "Teams", "Telegram", "Google Chat", "Matrix", "Signal", "Zulip", "Mattermost"],
  ...["ntfy", "Pushover", "Gotify", "PagerDuty", "Alertmanager", "cron", "systemd", "Kubernetes"],
  ...["GitHub Actions", "Windows", "Python", "curl", "stillup run", "JSON", "HTML", "Markdown", "SQLite"],
  ...["UTC", "PING", "PONG", "Authorization", "Bearer", "\\$\\.status", "DNS", "SSH, FTP", "WebSocket"],
  ...["gRPC", "HTTP", "Asia/Jerusalem"],
];
/** The longest first: an address may begin a message. */
const KNOWN = new RegExp(
  [...NAMES, ...DATA].toSorted((one, other) => other.length - one.length).join("|"),
  "g",
);

test(
  "behavior 27.84: each text of the page comes from the table of its language",
  async () => {
    await using reader = await everything.browser.reader(everything.server.url, { locale: PSEUDO_LOCALE });
    const { page } = reader;
    await speakPseudo(page);
    await reader.signIn(everything.api.key ?? "");
    const found: Record<string, string[]> = {};
    for (const path of isLong ? [...all, ...views.withToken] : views.main) {
      await reader.open(path);
      const plain = await plainTexts(page, KNOWN);
      if (plain.length > 0) found[path] = plain;
    }
    expect(found).toEqual({});
  },
  4 * PATIENCE,
);

/** How much a view is too wide, and the texts of the innermost elements that are. Empty if it fits. */
const OVERFLOW = `(() => {
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth <= clientWidth) return [];
  const isOutside = (one) => {
    const { left, right, width } = one.getBoundingClientRect();
    return width > 0 && (left < 0 || right > clientWidth) && !one.closest("[class*=hidden]");
  };
  const outside = [...document.querySelectorAll("body *")].filter(isOutside);
  const innermost = outside.filter((one) => ![...one.children].some(isOutside));
  return [scrollWidth - clientWidth, ...innermost.map((one) => one.className + ": " + one.textContent.slice(0, 60))];
})()`;
/** Long words, other scripts, and right to left. */
const WIDE: Language[] = ["de", "fi", "ar", "ja", "hi"];

test.each(isLong ? LANGUAGES : (["de", "ar"] as const))(
  "behavior 27.82, 27.83: in %s, views fit 320 pixels, and axe-core finds no violation",
  async (language) => {
    const look = { viewport: { width: 320, height: 640 }, hasTouch: true, isMobile: true, locale: language };
    await using reader = await everything.browser.reader(everything.server.url, look);
    const { page } = reader;
    await reader.signIn(everything.api.key ?? "");
    const isRightToLeft = language === "ar" || language === "he";
    const found: Record<string, unknown> = {};
    for (const path of isLong && WIDE.includes(language) ? all : views.main) {
      await reader.open(path);
      expect([await languageOf(page), await directionOf(page)]).toEqual([
        language,
        isRightToLeft ? "rtl" : "",
      ]);
      const overflow = await page.evaluate<unknown[]>(OVERFLOW);
      if (overflow.length > 0) found[path] = overflow;
      await isAccessible(page).catch((error: Error) => {
        found[`${path} with axe-core`] = error.message;
      });
    }
    expect(found).toEqual({});
  },
  4 * PATIENCE,
);

/** Whether all labels of the chart are inside of it. */
const ARE_INSIDE = `(() => {
  const chart = document.querySelector(".latency-plot svg").getBoundingClientRect();
  const labels = [...document.querySelectorAll(".latency-plot text")].map((one) => one.getBoundingClientRect());
  return labels.length > 2 && labels.every(({ left, right }) => left >= chart.left && right <= chart.right);
})()`;

/** Whether the last character of a text is at the right of its first one, at the first place where it is shown. */
const runsRight = (text: string) => `(() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const at = walker.currentNode.data.indexOf(${JSON.stringify(text)});
    if (at < 0) continue;
    const placeOf = (from) => {
      const range = document.createRange();
      range.setStart(walker.currentNode, from);
      range.setEnd(walker.currentNode, from + 1);
      return range.getBoundingClientRect().left;
    };
    return placeOf(at) < placeOf(at + ${text.length - 1});
  }
})()`;

test("behavior 27.82: in Arabic, charts keep their labels, and addresses their order", async () => {
  await using reader = await everything.browser.reader(everything.server.url, { locale: "ar" });
  const { page } = reader;
  await reader.signIn(everything.api.key ?? "");
  await reader.open("/");
  await page.waitForFunction(runsRight("http://127.0.0.1:1/"));
  await reader.open("/pages");
  await page.waitForFunction(runsRight("/status/"));
  const { body } = await everything.api.get("/api/v1/monitors");
  const far = body.data.find(({ tags }: { tags: string[] }) => tags.includes("far"));
  await reader.open(`/monitors/${far.id}`);
  await page.locator(".latency-plot text").first().waitFor();
  expect(await page.evaluate<boolean>(ARE_INSIDE)).toBe(true);
});
