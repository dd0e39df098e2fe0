import { Html, html } from "../html.ts";
import type { Entry } from "./search.ts";
import { wordsOf } from "./search.ts";

/** A page in the list at the side. */
export interface Place {
  group: string;
  title: string;
  href: string;
}

/** The parts that all pages of one place share. @property links in the header, beside the search @property head of each page */
export interface Frame {
  places: Place[];
  links: { title: string; href: string }[];
  head?: Html;
}

interface Shown extends Frame {
  title: string;
  content: Html;
  address: string;
  query?: string;
}

/** @returns the HTML document of a page */
export function pageOf({ title, content, places, links, head, address, query = "" }: Shown): string {
  return `<!doctype html>\n${
    html`<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
${head ?? ""}<title>${title} · Guide to stillup</title>
<link rel="stylesheet" href="/guide/guide.css">
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header>
<a class="home" href="/guide">Guide to stillup</a>
<form action="/guide/search" role="search">
<input type="search" name="q" value="${query}" aria-label="Search the guide" placeholder="Search, such as: self-signed" required>
<button>Search</button>
</form>
<a class="pages" href="#pages">Pages</a>
${links.map((link) => html`<a href="${link.href}">${link.title}</a>\n`)}</header>
<div class="columns">
<nav id="pages" aria-label="Pages" tabindex="-1">${groupsOf(places, address)}</nav>
<main id="content" tabindex="-1">
${content}
</main>
</div>
</body>
</html>
`.markup
  }`;
}

function groupsOf(places: Place[], address: string): Html[] {
  return [...Map.groupBy(places, ({ group }) => group)].map(
    ([group, some]) =>
      html`<h2>${group}</h2><ul>${some.map(({ title, href }) =>
        href === address
          ? html`<li><a href="${href}" aria-current="page">${title}</a></li>`
          : html`<li><a href="${href}">${title}</a></li>`,
      )}</ul>`,
  );
}

/** @returns the HTML document of what a search found */
export function searchPageOf(query: string, found: Entry[], frame: Frame): string {
  return pageOf({ ...frame, title: `“${query}”`, content: resultsOf(query, found), address: "", query });
}

export function resultsOf(query: string, found: Entry[]): Html {
  if (found.length === 0)
    return html`<h1>Nothing about “${query}”</h1>
<p>Try one word of it, or look at <a href="/guide/words">From your word to ours</a>: the words of other products.</p>`;
  const asked = wordsOf(query);
  return html`<h1>“${query}”</h1><ol class="found">${found.map((entry) => foundItem(entry, asked))}</ol>`;
}

function foundItem({ href, title, heading, text, answer }: Entry, asked: string[]): Html {
  const name = heading === "" ? title : `${title} › ${heading}`;
  return html`<li><a href="${href}">${name}</a><p>${answer === undefined ? excerptOf(text, asked) : new Html(answer)}</p></li>`;
}

const EXCERPT = 220;

/** The lines of a text around the first word that was asked for. */
function excerptOf(text: string, asked: string[]): Html {
  const flat = text.replace(/\s+/g, " ").trim();
  const lower = flat.toLowerCase();
  const places = asked.map((word) => lower.indexOf(word)).filter((at) => at >= 0);
  const from = Math.max(0, (places.length > 0 ? Math.min(...places) : 0) - 60);
  const start = from === 0 ? 0 : flat.indexOf(" ", from) + 1;
  const shown = flat.slice(start, start + EXCERPT);
  const words = asked.map((word) => word.replace(/[^\p{L}\p{N}]/gu, "")).filter((word) => word !== "");
  const parts = words.length === 0 ? [shown] : shown.split(new RegExp(`(${words.join("|")})`, "iu"));
  const marked = parts.map((part, at) => (at % 2 === 1 ? html`<mark>${part}</mark>` : html`${part}`));
  return html`${start > 0 ? "… " : ""}${marked}${start + EXCERPT < flat.length ? " …" : ""}`;
}
