import { expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { siteFileOf, withRelativeLinks, writeGuide } from "../../scripts/package/guide.ts";
import { addressOf, loadGuide } from "../../src/guide/guide.ts";
import { ApiServer } from "../support/product/api-server.ts";
import { tempDir } from "../support/temp-dir.ts";
import { untilEndOfFile } from "../support/until-end.ts";

const server = await untilEndOfFile(ApiServer.start());
const dir = await untilEndOfFile(tempDir());
const folder = join(dir.path, "guide");
await writeGuide(folder);

const written = readdirSync(folder, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map(({ parentPath, name }) => posix.relative(folder, join(parentPath, name)))
  .sort();
const texts = new Map<string, string>();
for (const file of written)
  if (file.endsWith(".html")) texts.set(file, await Bun.file(join(folder, file)).text());

const { files, pictures } = await loadGuide();
const pages = new Map(files.map((file) => [addressOf(file), siteFileOf(file)]));

const contentOf = (page: string) => page.slice(page.indexOf("<main"), page.indexOf("</main>"));
const navigationOf = (page: string) => page.slice(page.indexOf("<nav"), page.indexOf("</nav>"));

test("behavior 9.140: the files are the pages of the server, with the same contents and list, its pictures, and a search", async () => {
  const rest = ["guide.css", "index.js", "search.html", "search.js"];
  expect(written).toEqual([...pages.values(), ...pictures, ...rest].sort());
  expect(pages.size).toBeGreaterThan(50);
  for (const [address, file] of pages) {
    const served = await (await fetch(server.url + address)).text();
    const text = texts.get(file) ?? "";
    expect(contentOf(served).length).toBeGreaterThan(100);
    expect(contentOf(text)).toBe(withRelativeLinks(contentOf(served), file, pages));
    expect(navigationOf(text)).toBe(withRelativeLinks(navigationOf(served), file, pages));
  }
  for (const picture of [pictures[0] ?? "", "guide.css"]) {
    const bytes = await (await fetch(`${server.url}/guide/${picture}`)).bytes();
    expect(Buffer.from(bytes).equals(await Bun.file(join(folder, picture)).bytes())).toBe(true);
  }
});

const linksIn = (text: string) =>
  [...text.matchAll(/(?:href|src|action)="([^"]*)"/g)].map(([, href = ""]) => href);

test("behavior 9.140: every link and anchor of the files leads to one of them, and nothing is loaded from elsewhere", () => {
  const dead: string[] = [];
  for (const [file, text] of texts)
    for (const href of linksIn(text)) {
      if (/^(https?:\/\/|mailto:)/.test(href)) continue;
      const [target = "", anchor] = href.split("#");
      const to = target === "" ? file : posix.join(dirname(file), target);
      const isThere = existsSync(join(folder, to)) && !to.startsWith("..") && !to.endsWith("/");
      const hasAnchor = anchor === undefined || texts.get(to)?.includes(` id="${anchor}"`);
      if (!isThere || !hasAnchor || target.startsWith("/")) dead.push(`${file}: ${href}`);
    }
  expect(dead).toEqual([]);
  const loaded = [...texts].flatMap(([file, text]) =>
    [...text.matchAll(/<(?:link|script|img|iframe)[^>]* (?:src|href)="((?:[a-z]+:)?\/\/[^"]*)"/g)].map(
      ([, url]) => `${file}: ${url}`,
    ),
  );
  expect(loaded).toEqual([]);
});

test("behavior 9.140: only the page of the search has scripts, and the policy of each page allows no other host", () => {
  for (const [file, text] of texts) {
    expect([file, text.includes("<script")]).toEqual([file, file === "search.html"]);
    const [, policy = ""] = /<meta http-equiv="content-security-policy" content="([^"]*)">/.exec(text) ?? [];
    expect(policy).toStartWith("default-src &#x27;none&#x27;; ");
    expect(policy).not.toMatch(/https?:|\*|data:|unsafe/);
  }
});

test("behavior 9.140: the same documentation gives the same bytes, and what was in the folder before is gone", async () => {
  using second = tempDir();
  const other = join(second.path, "deeper", "guide");
  await Bun.write(join(other, "old.html"), "old");
  await expect(writeGuide(other)).rejects.toThrow("must be empty or a guide");
  expect(existsSync(join(other, "old.html"))).toBe(true);
  await Bun.write(join(other, "guide.css"), "");
  await writeGuide(other);
  for (const file of written)
    expect([file, Bun.hash(await Bun.file(join(other, file)).bytes())]).toEqual([
      file,
      Bun.hash(await Bun.file(join(folder, file)).bytes()),
    ]);
  expect(existsSync(join(other, "old.html"))).toBe(false);
});

test("behavior 9.141: the search in the files finds and shows what the search of the server does", async () => {
  const index = await Bun.file(join(folder, "index.js")).text();
  const script = await Bun.file(join(folder, "search.js")).text();
  const shownFor = (query: string) => {
    const [content, field] = [{ innerHTML: "" }, { value: "" }];
    const document = {
      title: "Search · Guide",
      querySelector: (one: string) => (one === "main" ? content : field),
    };
    const browser: Record<string, unknown> = {
      document,
      location: { search: `?q=${encodeURIComponent(query)}` },
    };
    // In strict mode of a function, and not in the scope of this file.
    new Function("globalThis", "Bun", `${index}\n${script}`)(browser, undefined);
    return { content: content.innerHTML, field: field.value, title: document.title };
  };
  for (const query of [
    "Telegram",
    "nightly backup",
    "self-signed",
    "2FA",
    "zzzzqqqq",
    '<img src=x> "$&',
    "of the",
  ]) {
    const served = await (await fetch(`${server.url}/guide/search?q=${encodeURIComponent(query)}`)).text();
    const { content, field, title } = shownFor(query);
    const expected = contentOf(served).slice(contentOf(served).indexOf("<h1")).trimEnd();
    expect(content).toBe(withRelativeLinks(expected, "search.html", pages));
    expect([field, title]).toEqual([query, `“${query}” · Guide`]);
    expect(linksIn(content).filter((href) => href.startsWith("/"))).toEqual([]);
  }
  expect(shownFor("").content).toBe("");
});
