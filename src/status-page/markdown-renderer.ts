import MarkdownIt from "markdown-it";

/** What a link may lead to. */
const SCHEMES = /^(https?:\/\/|mailto:)/i;

/**
 * HTML in a text stays text. Pictures would load from other hosts, and the alignment of a table is an inline style, which
 * the policy of a page forbids.
 */
const markdown = new MarkdownIt({ html: false, linkify: true, breaks: true }).disable(["image", "table"]);
markdown.linkify.set({ fuzzyLink: false, fuzzyEmail: false, fuzzyIP: false });
markdown.validateLink = (url) => SCHEMES.test(url.trim());

// A heading within an update is no part of the outline of a page.
markdown.renderer.rules.heading_open = () => "<p><strong>";
markdown.renderer.rules.heading_close = () => "</strong></p>\n";

markdown.renderer.rules.link_open = (tokens, index, options, _env, renderer) => {
  tokens[index]?.attrSet("rel", "nofollow noopener noreferrer");
  return renderer.renderToken(tokens, index, options);
};

/** @returns HTML */
export function render(text: string): string {
  return markdown.render(text);
}
