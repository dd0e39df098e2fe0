/** The script of the page of the search, in the files of the guide: the search of a server, in the browser. */
import { resultsOf } from "../../src/guide/page.ts";
import { type Entry, search, withWords } from "../../src/guide/search.ts";

/** A section, or a row of the words of other products. @property href at a server, by which the search ranks it @property file with its anchor */
export interface Row extends Omit<Entry, "words"> {
  file: string;
}

/** Characters of a search, as at a server. */
const MAX_QUERY = 200;

const SIGNS: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#x27;",
};

/** The parts of a browser that the script uses. */
interface Browser {
  document: { title: string; querySelector(selector: string): { innerHTML: string; value: string } | null };
  location: { search: string };
  guide: Row[];
  escapeText: (text: string) => string;
}

const browser = globalThis as unknown as Browser;
browser.escapeText = (text) => text.replace(/[&<>"']/g, (sign) => SIGNS[sign] ?? sign);

show((new URLSearchParams(browser.location.search).get("q") ?? "").slice(0, MAX_QUERY));

function show(query: string): void {
  const { document, guide } = browser;
  const content = document.querySelector("main");
  const field = document.querySelector("input[name=q]");
  if (!content || !field || query === "") return;
  const found = search(guide.map(withWords), query).map((row) => ({ ...row, href: row.file }));
  field.value = query;
  document.title = document.title.replace(/^[^·]*/, () => `“${query}” `);
  content.innerHTML = resultsOf(query, found).markup.replace('"/guide/words"', '"words.html"');
}
