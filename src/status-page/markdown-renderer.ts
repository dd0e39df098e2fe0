import MarkdownIt from "markdown-it";

/** The allowed schemes of links. */
const SCHEMES = /^(https?:\/\/|mailto:)/i;

/**
 * HTML in a text stays text. Pictures would load from other hosts, and the alignment of a table is an inline style, which
 * the policy of a page forbids.
 */
function createRenderer({ linkify }: { linkify: boolean }) {
  const markdown = new MarkdownIt({ html: false, linkify, breaks: true }).disable(["image", "table"]);
  markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false });
  markdown.validateLink = (url) => SCHEMES.test(url.trim());

  // A heading within an update is no part of the outline of a page.
  markdown.renderer.rules.heading_open = () => "<p><strong>";
  markdown.renderer.rules.heading_close = () => "</strong></p>\n";

  markdown.renderer.rules.link_open = (tokens, index, options, _env, renderer) => {
    tokens[index]?.attrSet("rel", "nofollow noopener noreferrer");
    return renderer.renderToken(tokens, index, options);
  };
  return markdown;
}

const markdown = createRenderer({ linkify: true });
const withoutLinks = createRenderer({ linkify: false }).disable(["link", "reference"]);

/** @returns HTML */
export function render(text: string): string {
  return (hasCostlyLinks(text) ? withoutLinks : markdown).render(text);
}

const MAX_BRACKETS = 1000;
const LONG_WORD = /\S{3000}/;

/** The time to find links grows with the square of the number of brackets, and of the length of a word that has many URLs. */
function hasCostlyLinks(text: string): boolean {
  return text.split("[").length > MAX_BRACKETS + 1 || LONG_WORD.test(text);
}
