import { Html } from "../html.ts";

/** Behavior 15.46. @param text CommonMark, written by people of an organization */
export function renderMarkdown(text: string): Html {
  // Loaded at the first use, because most servers need no Markdown, and the library takes some megabytes.
  const { render } = require("./markdown-renderer.ts") as typeof import("./markdown-renderer.ts");
  return new Html(render(text));
}
