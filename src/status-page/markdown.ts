import { Html } from "../html.ts";

/** Characters of all texts in the cache. */
const MAX_SIZE = 2_000_000;

/** HTML by text. */
const cache = new Map<string, Html>();
let size = 0;

/**
 * As `renderMarkdown`, but a text is rendered once: a page is rendered again each minute, and the worst text of 10,000
 * characters takes 50 ms.
 */
export function cachedMarkdown(text: string): Html {
  const known = cache.get(text);
  if (known) return known;
  const rendered = renderMarkdown(text);
  if (size + text.length > MAX_SIZE) {
    cache.clear();
    size = 0;
  }
  cache.set(text, rendered);
  size += text.length;
  return rendered;
}

/** Behavior 15.46. @param text CommonMark, written by people of an organization */
export function renderMarkdown(text: string): Html {
  // Loaded at the first use, because most servers need no Markdown, and the library takes some megabytes.
  const { render } = require("./markdown-renderer.ts") as typeof import("./markdown-renderer.ts");
  return new Html(render(text));
}
