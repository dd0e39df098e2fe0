import type { Html } from "../html.ts";
import { renderMarkdown } from "./markdown.ts";

/** Characters of all texts that are kept with their HTML. */
const LARGEST = 2_000_000;

const kept = new Map<string, Html>();
let size = 0;

/**
 * As `renderMarkdown`, but a text is rendered once: a page is rendered again each minute, and the worst text of 10,000
 * characters takes 50 ms.
 */
export function keptMarkdown(text: string): Html {
  const known = kept.get(text);
  if (known) return known;
  const rendered = renderMarkdown(text);
  if (size + text.length > LARGEST) {
    kept.clear();
    size = 0;
  }
  kept.set(text, rendered);
  size += text.length;
  return rendered;
}
