import { posix } from "node:path";
import { Html } from "../html.ts";
import { guideFiles } from "./files.ts";
import { entriesOf, type GuideLink, renderMarkdown, sectionsOf } from "./markdown.ts";
import { type Frame, type Place, pageOf, searchPageOf } from "./page.ts";
import { type Entry, search } from "./search.ts";

/** Behavior 9.113: the documentation of this version, at `/guide`. */
export interface Guide {
  /** The pages, as files below `docs/`, such as `channels/slack.md`. */
  files: string[];
  /** The files of pictures, such as `pictures/form-dark.png`. */
  pictures: string[];
  /** @param path below `/guide/`, such as `channels/slack`; empty for the first page @returns HTML; undefined if there is no such page */
  page(path: string): string | undefined;
  /** The bytes of a picture. @param path below `/guide/`, such as `pictures/form-dark.png` */
  picture(path: string): Promise<Uint8Array<ArrayBuffer>> | undefined;
  /** Behavior 9.114. @returns HTML */
  results(query: string): Promise<string>;
  /** The sections and rows that a search finds. */
  entries(): Promise<Entry[]>;
  frame: Frame;
}

/** A server has more than the guide. */
const LINKS = [
  { title: "API", href: "/docs" },
  { title: "Monitors", href: "/" },
];

const FIRST = "README.md";

/** Such as which test follows an example. */
const COMMENT = /^ *<!--.*-->\n/gm;

let loading: Promise<Guide> | undefined;

/** The guide, which is read at its first use. */
export function loadGuide(): Promise<Guide> {
  loading ??= createGuide();
  return loading;
}

/** @param own what the pages share, besides the list of pages */
export async function createGuide(own: Omit<Frame, "places"> = { links: LINKS }): Promise<Guide> {
  const files = await guideFiles();
  const pictures = new Map(
    files.filter(({ path }) => path.endsWith(".png")).map((file) => [file.path, file]),
  );
  const pages = new Map<string, string>();
  for (const { path, bytes } of files)
    if (path.endsWith(".md")) pages.set(path, new TextDecoder().decode(await bytes()).replace(COMMENT, ""));
  const first = pages.get(FIRST) ?? "";
  const linkFrom = (page: string) => (href: string) => linkOf(href, page, { pages, pictures });
  const frame = { ...own, places: placesOf(first, linkFrom(FIRST)) };
  let reading: Promise<Entry[]> | undefined;
  const entries = () => {
    reading ??= readEntries(pages, linkFrom);
    return reading;
  };
  return {
    files: [...pages.keys()],
    pictures: [...pictures.keys()],
    entries,
    frame,
    page(path) {
      const file = fileOf(path, pages);
      const text = file && pages.get(file);
      if (text === undefined) return undefined;
      const { html, title } = renderMarkdown(text, linkFrom(file ?? ""));
      return pageOf({ ...frame, title, content: new Html(html), address: addressOf(file ?? "") });
    },
    picture: (path) => pictures.get(path)?.bytes(),
    async results(query) {
      return searchPageOf(query, search(await entries(), query), frame);
    },
  };
}

/** Reads one page at a time, because checks and requests run between two of them. */
async function readEntries(
  pages: Map<string, string>,
  linkFrom: (page: string) => (href: string) => GuideLink | null,
): Promise<Entry[]> {
  const entries: Entry[] = [];
  for (const [path, text] of pages) {
    entries.push(...entriesOf(sectionsOf(text), { address: addressOf(path), link: linkFrom(path) }));
    await new Promise((resolve) => setImmediate(resolve));
  }
  return entries;
}

/** The file of an address: a folder has its `README.md`. */
function fileOf(path: string, pages: Map<string, string>): string | undefined {
  return [path === "" ? FIRST : `${path}.md`, `${path}/${FIRST}`].find((file) => pages.has(file));
}

/** The address of a page. @param file below `docs/` */
export function addressOf(file: string): string {
  const path = file.replace(/(^|\/)README\.md$/, "").replace(/\.md$/, "");
  return path === "" ? "/guide" : `/guide/${path}`;
}

/** Where a link of a page leads to. @returns null for a file that the guide lacks */
function linkOf(
  href: string,
  page: string,
  { pages, pictures }: { pages: Map<string, string>; pictures: Map<string, unknown> },
): GuideLink | null {
  if (/^(https?:\/\/|mailto:)/.test(href)) return { href, isExternal: true };
  const [target = "", anchor] = href.split("#");
  const hash = anchor === undefined ? "" : `#${anchor}`;
  if (target === "") return { href: hash };
  const file = posix.join(posix.dirname(page), target).replace(/^\.\.\//, "");
  if (pictures.has(file)) return { href: `/guide/${file}` };
  const found = [file, posix.join(file, FIRST)].find((one) => pages.has(one));
  return found === undefined ? null : { href: addressOf(found) + hash };
}

/** The list of pages, from the tables of the first page: a heading of a table is a group. */
function placesOf(first: string, link: (href: string) => GuideLink | null): Place[] {
  let group = "";
  return first.split("\n").flatMap((line) => {
    const [, heading] = /^\| ([A-Z]\w+) \| \|$/.exec(line) ?? [];
    if (heading) group = heading;
    const [cell = ""] = line.split(" | ");
    return [...cell.matchAll(/\[([^\]]+)\]\(([^)]+)\)/g)].map(([, title = "", href = ""]) => ({
      group,
      title: title.charAt(0).toUpperCase() + title.slice(1),
      href: link(href)?.href ?? "/guide",
    }));
  });
}
