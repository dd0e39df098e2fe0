/** Writes the guide of a server as files, which any host can serve. `scripts/guide` runs it. */
import { existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { parseArgs } from "node:util";
import { addressOf, createGuide, type Guide } from "../../src/guide/guide.ts";
import { pageOf } from "../../src/guide/page.ts";
import { html } from "../../src/html.ts";
import type { Row } from "./guide-search.ts";

const SEARCH = "search.html";
const STYLESHEET = join(import.meta.dir, "../../src/guide/guide.css");

/** Also as files on a disk, a browser asks no other host for anything. */
const POLICY =
  "default-src 'none'; style-src 'self' file:; img-src 'self' file:; script-src 'self' file:; form-action 'self' file:; base-uri 'none'";
const HEAD = html`<meta http-equiv="content-security-policy" content="${POLICY}">\n`;

/**
 * Writes the guide: the same pages as at `/guide` of a server, with relative links between files, and a search that runs in the
 * browser. Only the page of the search has scripts.
 *
 * @param folder is emptied first @throws Error if it has other files than a guide
 */
export async function writeGuide(folder: string): Promise<void> {
  const guide = await createGuide({ links: [], head: HEAD });
  const write = async (file: string, content: string | Uint8Array<ArrayBuffer>) => {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    await Bun.write(join(folder, file), content);
  };
  if (existsSync(folder) && readdirSync(folder).length > 0 && !existsSync(join(folder, "guide.css")))
    throw new Error(`${folder} must be empty or a guide, because its files are deleted first`);
  rmSync(folder, { recursive: true, force: true });
  const files = new Map(guide.files.map((file) => [addressOf(file), siteFileOf(file)]));
  files.set("/guide/search", SEARCH);
  for (const [address, file] of files) {
    const page = file === SEARCH ? searchPage(guide) : guide.page(address.replace(/^\/guide\/?/, ""));
    await write(file, withRelativeLinks(page ?? "", file, files));
  }
  for (const path of guide.pictures) await write(path, (await guide.picture(path)) ?? "");
  await write("guide.css", await Bun.file(STYLESHEET).text());
  await write("index.js", `globalThis.guide = ${JSON.stringify(await rows(guide, files))};\n`);
  await write("search.js", await searchScript());
}

/** The file of a page of the site. @param file below `docs/` */
export function siteFileOf(file: string): string {
  return file.replace(/(^|\/)README\.md$/, "$1index.html").replace(/\.md$/, ".html");
}

/**
 * Replaces the addresses of a server by paths from one file to another. Text has no such attributes, because its quotation marks
 * are escaped.
 *
 * @param files of the pages, by their addresses
 */
export function withRelativeLinks(page: string, from: string, files: ReadonlyMap<string, string>): string {
  return page.replace(/(href|src|action)="(\/guide[^"#]*)/g, (_, name: string, address: string) => {
    const file = files.get(address) ?? address.replace(/^\/guide\//, "");
    return `${name}="${posix.relative(posix.dirname(from), file)}`;
  });
}

function searchPage({ frame }: Guide): string {
  const content = html`<h1>Search</h1>
<noscript><p>The search of these files needs JavaScript.</p></noscript>
<script src="index.js"></script>
<script src="search.js"></script>`;
  return pageOf({ ...frame, title: "Search", content, address: "" });
}

async function rows(guide: Guide, files: ReadonlyMap<string, string>): Promise<Row[]> {
  const entries = await guide.entries();
  return entries.map(({ words: _, answer, href, ...entry }) => {
    const [, file = ""] = /"(.*)"/.exec(withRelativeLinks(`href="${href}"`, SEARCH, files)) ?? [];
    const answered = answer === undefined ? {} : { answer: withRelativeLinks(answer, SEARCH, files) };
    return { ...entry, href, file, ...answered };
  });
}

async function searchScript(): Promise<string> {
  const { outputs } = await Bun.build({
    entrypoints: [join(import.meta.dir, "guide-search.ts")],
    target: "browser",
    format: "iife",
    minify: true,
    // A browser has no function of Bun.
    define: { "Bun.escapeHTML": "globalThis.escapeText" },
  });
  return (await outputs[0]?.text()) ?? "";
}

if (import.meta.main) {
  try {
    const { values } = parseArgs({ options: { out: { type: "string", default: "dist/guide" } } });
    await writeGuide(values.out);
    console.log(`${values.out}/index.html`);
  } catch (error) {
    console.error(`scripts/guide: ${(error as Error).message}`);
    process.exit(1);
  }
}
