import type { Page } from "playwright-core";

/*
 * A language in which each letter of the tables has an accent: what a page shows in plain letters then comes from no table.
 */

const PLAIN = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
const ACCENTED = "áḅćḍéḟǵḥíĵḱĺḿńóṕɋŕśţúṽẃẋýźÁḄĆḌÉḞǴḤÍĴḰĹḾŃÓṔɊŔŚŢÚṼẂẊÝŹ";

/** A text of a table, whose places and tags stay. */
export function accented(text: string): string {
  return text.replaceAll(/\{\w+\}|<\/?\w+>|[a-zA-Z]/g, (part) =>
    part.length > 1 ? part : ([...ACCENTED][PLAIN.indexOf(part)] ?? part),
  );
}

/** The language that the browser asks for, in whose stead the pseudo-language is sent: what `Intl` writes in it has no Latin letters. */
export const PSEUDO_LOCALE = "ja-JP";

/** Sends all texts of the page in this language. */
export async function speakPseudo(page: Page): Promise<void> {
  await page.route("**/assets/texts-*.json", async (route) => {
    const url = route.request().url().replace("-ja-", "-en-");
    const texts: unknown = await (await route.fetch({ url })).json();
    const json = JSON.stringify(texts, (_, value) => (typeof value === "string" ? accented(value) : value));
    await route.fulfill({ contentType: "application/json", body: json });
  });
}

/** Elements whose texts come from users, from `Intl` or from no language. */
const DATA =
  "bdi, code, pre, kbd, samp, time, script, style, noscript, textarea, option, [lang]:not(html), .icons";

/** The texts and names of a view, without data. Hidden ones, which a screen reader reads, are among them. */
const FIND_TEXTS = `(() => {
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
  for (let node = walker.currentNode; node; node = walker.nextNode()) {
    const element = node.nodeType === Node.TEXT_NODE ? node.parentElement : node;
    if (element.closest(${JSON.stringify(DATA)})) continue;
    if (node.nodeType === Node.TEXT_NODE) found.push(node.data);
    else for (const name of ["aria-label", "title", "placeholder", "alt"])
      if (node.hasAttribute(name)) found.push(node.getAttribute(name));
  }
  return [document.title, ...found].map((text) => text.trim()).filter(Boolean);
})()`;

/** Texts of a view that come from no table. @param data names that users chose, and other known words */
export async function plainTexts(page: Page, data: RegExp): Promise<string[]> {
  const texts = await page.evaluate<string[]>(FIND_TEXTS);
  return [...new Set(texts)].filter((text) => /[a-zA-Z]{3}/.test(text.replaceAll(data, "")));
}
