import { html } from "../../html.ts";
import { htmlDocument } from "./document.ts";

/** The answer for every page that does not exist or is off, so that nobody can tell them apart. */
export function notFoundPage(): string {
  return htmlDocument({
    title: "Page not found",
    base: "",
    head: html`<meta name="robots" content="noindex">`,
    body: html`<main class="alone"><div class="card panel"><h1>Page not found</h1>
<p>There is no status page at this address.</p></div></main>`,
  });
}
