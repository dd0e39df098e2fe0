import { type Html, html } from "../../html.ts";
import type { Tone } from "./words.ts";

/** The shapes of all icons. They are in the page once, and `icon` refers to them. */
export const iconShapes = html`<svg class="defs" aria-hidden="true">
<symbol id="good" viewBox="0 0 24 24"><circle cx="12" cy="12" r="10"/><path d="m8 12.4 2.8 2.8L16.2 9.6"/></symbol>
<symbol id="minor" viewBox="0 0 24 24"><path d="M12 3 1.9 20.5h20.2zM12 10v4.6M12 17.4v.1"/></symbol>
<symbol id="bad" viewBox="0 0 24 24"><circle cx="12" cy="12" r="10"/><path d="m9 9 6 6m0-6-6 6"/></symbol>
<symbol id="planned" viewBox="0 0 24 24"><circle cx="12" cy="12" r="10"/><path d="M12 6.5V12l3.5 2.2"/></symbol>
</svg>`;

export function icon(tone: Exclude<Tone, "neutral">): Html {
  return html`<svg aria-hidden="true"><use href="#${tone}"/></svg>`;
}
