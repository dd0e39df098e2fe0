import MarkdownIt from "markdown-it";
import { type Entry, withWords } from "./search.ts";

/** A link of a page as the server answers it. */
export interface GuideLink {
  href: string;
  isExternal?: boolean;
}

type FindLink = (href: string) => GuideLink | null;

const markdown = new MarkdownIt({ html: false, linkify: false });

// The alignment of a column would be an inline style, which the policy of the page forbids. A heading without words is none.
for (const [cell, words] of [
  ["th_open", 1],
  ["th_close", -1],
  ["td_open", 1],
] as const)
  markdown.renderer.rules[cell] = (tokens, at, options, _env, renderer) => {
    const token = tokens[at];
    if (token) token.attrs = null;
    if (token && tokens[at + words]?.content === "") token.tag = "td";
    return renderer.renderToken(tokens, at, options);
  };
// An example has the focus, so that the keyboard scrolls it.
const { fence } = markdown.renderer.rules;
markdown.renderer.rules.fence = (...rule) => fence?.(...rule).replace("<pre>", '<pre tabindex="0">') ?? "";
markdown.renderer.rules.table_open = () => '<div class="table" tabindex="0"><table>\n';
markdown.renderer.rules.table_close = () => "</table></div>\n";

/** @param link finds where a link leads to; a link to nothing stays as its text */
export function renderMarkdown(text: string, link: FindLink): { html: string; title: string } {
  const tokens = markdown.parse(text, {});
  const idOf = anchors();
  let title = "Guide";
  for (const [at, token] of tokens.entries()) {
    if (token.type === "heading_open") {
      const heading = plain(tokens[at + 1]?.content ?? "");
      token.attrSet("id", idOf(heading));
      if (token.tag === "h1") title = heading;
    }
    for (const child of token.children ?? []) follow(child, link);
  }
  return { html: markdown.renderer.render(tokens, markdown.options, {}), title };
}

type Token = ReturnType<typeof markdown.parse>[number];

function follow(token: Token, link: FindLink): void {
  if (token.type === "image") {
    token.attrSet("src", link(String(token.attrGet("src")))?.href ?? "");
    token.attrSet("loading", "lazy");
  }
  if (token.type !== "link_open") return;
  const found = link(String(token.attrGet("href")));
  token.attrs = found ? [["href", found.href]] : null;
  if (found?.isExternal) token.attrSet("rel", "noopener noreferrer");
}

/** The words of a heading or a cell, without marks. */
export function plain(text: string): string {
  return text
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/[`*]/g, "")
    .trim();
}

/** The anchors of one page, as services that show Markdown make them: the links of `docs/` work in both places. */
function anchors(): (heading: string) => string {
  const seen = new Map<string, number>();
  return (heading) => {
    const id = heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .replace(/\s/g, "-");
    const count = seen.get(id) ?? 0;
    seen.set(id, count + 1);
    return count === 0 ? id : `${id}-${count}`;
  };
}

/** A part of a page from one heading to the next. @property title of the page @property rows of its tables, as cells */
export interface Section {
  title: string;
  heading: string;
  anchor: string;
  text: string;
  rows: string[][];
}

export function sectionsOf(text: string): Section[] {
  const idOf = anchors();
  const sections: Section[] = [];
  let isCode = false;
  let title = "";
  for (const line of text.split("\n")) {
    if (line.trimStart().startsWith("```")) isCode = !isCode;
    const [, marks, heading = ""] = (!isCode && /^(#{1,4}) (.+)$/.exec(line)) || [];
    if (marks) {
      if (marks === "#") title = plain(heading);
      sections.push({ title, heading: plain(heading), anchor: idOf(plain(heading)), text: "", rows: [] });
      continue;
    }
    const section = sections.at(-1);
    if (!section) continue;
    const cells = line.startsWith("| ") ? line.slice(2, -2).split(" | ") : [];
    if (cells.length > 1 && !/^-+$/.test(cells[0] ?? "")) section.rows.push(cells);
    if (!/^\| -/.test(line))
      section.text += `${plain(line.replaceAll(" | ", " · ").replace(/^\| |\|$/g, ""))}\n`;
  }
  return sections;
}

const WORDS_PAGE = "/guide/words";

/** The parts of a page that a search finds. @param address of the page */
export function entriesOf(
  sections: Section[],
  { address, link }: { address: string; link: FindLink },
): Entry[] {
  return sections.flatMap(({ title, heading, anchor, text, rows }): Entry[] => {
    if (address === WORDS_PAGE)
      return rows.slice(1).map(([asked = "", answer = ""]) =>
        withWords({
          href: WORDS_PAGE,
          title: plain(asked),
          heading: "",
          text: plain(answer),
          answer: renderLine(answer, link),
        }),
      );
    const below = heading === title ? "" : heading;
    const href = below === "" ? address : `${address}#${anchor}`;
    return [withWords({ href, title, heading: below, text })];
  });
}

/** One line of Markdown, such as a cell of a table. @returns HTML */
function renderLine(text: string, link: FindLink): string {
  const tokens = markdown.parseInline(text, {});
  for (const token of tokens) for (const child of token.children ?? []) follow(child, link);
  return markdown.renderer.render(tokens, markdown.options, {});
}
