import { Glob } from "bun";

/** The parts of a documentation page that tests check. */
export interface Page {
  /** The path from the root of the repository. */
  path: string;
  /** The test that executes the page, if it needs its own environment. */
  followedBy: string | undefined;
  blocks: Block[];
  links: string[];
  /** The anchors that a link can name after `#`. */
  anchors: Set<string>;
  /** Inline code. */
  code: string[];
}

/** A fenced block. @property mark the HTML comment right before it: an instruction for the test */
export interface Block {
  mark: string | undefined;
  language: string;
  text: string;
}

/** The pages at the root that users read, and all of docs/. */
export async function readPages(): Promise<Page[]> {
  const paths = [
    "README.md",
    "SECURITY.md",
    "CONTRIBUTING.md",
    ...[...new Glob("docs/**/*.md").scanSync()].sort(),
  ];
  return Promise.all(paths.map(async (path) => pageOf(path, await Bun.file(path).text())));
}

export async function readPage(path: string): Promise<Page> {
  return pageOf(path, await Bun.file(path).text());
}

export function pageOf(path: string, markdown: string): Page {
  const page: Page = { path, followedBy: undefined, blocks: [], links: [], anchors: new Set(), code: [] };
  let mark: string | undefined;
  const unmark = () => {
    mark = undefined;
    return "";
  };
  Bun.markdown.render(
    markdown,
    {
      html(text) {
        mark = /^<!--\s*(.*?)\s*-->\s*$/s.exec(text)?.[1];
        page.followedBy ??= /^followed by (\S+)$/.exec(mark ?? "")?.[1];
        return "";
      },
      code(text, meta) {
        page.blocks.push({ mark, language: meta?.language ?? "", text });
        return unmark();
      },
      heading(text, { id }) {
        if (id) page.anchors.add(id);
        unmark();
        return text;
      },
      paragraph: unmark,
      list: unmark,
      table: unmark,
      codespan(text) {
        page.code.push(text);
        return text;
      },
      link(text, { href }) {
        page.links.push(href);
        return text;
      },
      image(text, { src }) {
        page.links.push(src);
        return text;
      },
    },
    { headings: true },
  );
  return page;
}
