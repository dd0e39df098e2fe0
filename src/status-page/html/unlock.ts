import type { ComponentStatus } from "../../domain/pages/component-status.ts";
import type { Impact } from "../../domain/pages/incident.ts";
import { accentColors } from "../../domain/pages/page-look.ts";
import type { DayLevel, PublicPage } from "../../domain/pages/public-page.ts";
import { Html, html } from "../../html.ts";
import type { Localization } from "../localization.ts";
import { liveScript } from "../script/script.ts";
import { styles } from "../styles/styles.ts";

/** Why a password did not open a page. */
export type UnlockFault = "wrong" | "limited";

/** The form for the password of a page. It shows the title and nothing else of the page (behavior 21.37). @param base its path */
export function unlockPage(
  local: Localization,
  { title, base }: { title: string; base: string },
  fault?: UnlockFault,
): string {
  const { unlock, limited } = local.texts;
  const said = fault === "wrong" ? unlock.wrong : limited.text;
  return htmlDocument({
    title: local.isolated(title),
    base,
    local,
    head: html`<meta name="robots" content="noindex">`,
    body: html`<main class="alone"><div class="card panel"><h1><bdi>${title}</bdi></h1>
<form method="post" action="${base}/unlock">
<label>${unlock.label}<input type="password" name="password" required autofocus autocomplete="current-password"${fault ? html` aria-invalid="true" aria-describedby="fault"` : ""}></label>
<button class="button" type="submit">${unlock.button}</button>
${fault ? html`<p class="fault" id="fault" role="alert">${said}</p>` : ""}
</form></div></main>`,
  });
}

/**
 * The headers that a document needs in addition to the headers of every public answer: no other host, no frame on a
 * site that the page does not name, and only the styles and the script with these hashes (behavior 15.42).
 *
 * @param page which the document shows, with its script; undefined for other documents
 */
export function documentHeaders(page?: PageLook): Record<string, string> {
  const accent = accentStyle(page?.accent ?? null);
  const ancestors = page?.embedOrigins.join(" ") || "'none'";
  const policy = [
    "default-src 'none'",
    ...(page ? [`script-src ${source(liveScript())} ${source(THEME)}`, "connect-src 'self'"] : []),
    `style-src ${[styles, ...(accent === "" ? [] : [accent])].map(source).join(" ")}`,
    "img-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    `frame-ancestors ${ancestors}`,
  ];
  return {
    "content-security-policy": policy.join("; "),
    "cross-origin-opener-policy": "same-origin",
  };
}

/** The parts of a page that its documents have in common. */
export type PageLook = Pick<PublicPage, "accent" | "embedOrigins">;

/** The style that replaces the accent color (behavior 17.21); empty without one. */
function accentStyle(accent: string | null): string {
  if (accent === null) return "";
  const { light, dark } = accentColors(accent);
  const rule = ({ accent, on }: typeof light) => `:root{--accent:${accent};--on-accent:${on}}`;
  const edge = `body{border-top:4px solid ${accent}}`;
  const chosen = rule(dark).replace(":root", ':root[data-theme="dark"]');
  const followed = rule(dark).replace(":root", ':root:not([data-theme="light"])');
  return `${rule(light)}@media screen and (prefers-color-scheme:dark){${followed}}@media screen{${chosen}${edge}}`;
}

function source(text: string): string {
  return `'sha256-${new Bun.CryptoHasher("sha256").update(text).digest("base64")}'`;
}

export const DOCUMENT_TYPE = "text/html; charset=utf-8";

/** Where a page is. */
export interface PageAddress {
  /** The path before its routes: `/status/example`, or empty at the root of its own host. */
  base: string;
  /** The absolute URL that others link to. */
  url: string;
}

/**
 * A complete HTML document.
 *
 * @param title of the window @param local of its reader @param head what is in the head besides title, style and icon
 * @param page which it shows: in its color, and with its script
 */
export function htmlDocument({
  title,
  base,
  local,
  head = html``,
  body,
  page,
}: {
  title: string;
  base: string;
  local: Localization;
  head?: Html;
  body: Html;
  page?: PageLook;
}): string {
  const accent = accentStyle(page?.accent ?? null);
  return html`<!doctype html>
<html lang="${local.locale}"${local.isRightToLeft ? html` dir="rtl"` : ""}>
<head>
<meta charset="utf-8">
<title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="${base}/icon">
${head}${page ? html`<script>${new Html(THEME)}</script>` : ""}
<style>${new Html(styles)}</style>${accent === "" ? "" : html`<style>${new Html(accent)}</style>`}
</head>
<body>
${iconShapes}
${body}
${page ? live(local) : ""}
</body>
</html>
`.markup;
}

/**
 * Applies the choice of a reader before anything is shown (behavior 15.107). A frame of another site may forbid the storage.
 */
const THEME = `try{const t=localStorage.getItem("stillup-page-theme");if(t)document.documentElement.dataset.theme=t}catch{}`;

/** The script, and where it says that it can't refresh the document. */
function live({ texts }: Localization): Html {
  return html`<p class="stale" role="status" data-since="${texts.notRefreshed}"></p>
<script>${new Html(liveScript())}</script>`;
}

/** The answer for every page that does not exist or is off, so that nobody can tell them apart. */
export function notFoundPage(local: Localization, base: string): string {
  const { heading, text } = local.texts.notFound;
  return htmlDocument({
    title: heading,
    base,
    local,
    head: html`<meta name="robots" content="noindex">`,
    body: html`<main class="alone"><div class="card panel"><h1>${heading}</h1>
<p>${text}</p></div></main>`,
  });
}

/** The icon of stillup, for pages without an icon of the settings. */
export const STILLUP_ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><title>stillup</title><rect width="32" height="32" rx="8" fill="#2f57c8"/><path d="M6 17h5l3-8 4 14 3-6h5" fill="none" stroke="#fff" stroke-width="2.6" stroke-linecap="round" stroke-linejoin="round"/></svg>
`;

/** A color and, for readers who do not see it, an icon. Classes of the styles. */
export type Tone = "good" | "planned" | "minor" | "bad" | "neutral";

export const componentTones: Record<ComponentStatus, Exclude<Tone, "neutral">> = {
  operational: "good",
  under_maintenance: "planned",
  degraded_performance: "minor",
  major_outage: "bad",
};

export const impactTones: Record<Impact, Tone> = {
  none: "neutral",
  minor: "minor",
  major: "bad",
  critical: "bad",
};

/** The class of a bar. */
export const dayMarks: Record<DayLevel, string> = { good: "", partial: "p", down: "d", none: "n" };

/** The shapes of all icons. They are in the page once, and `icon` refers to them. */
const iconShapes = html`<svg class="defs" aria-hidden="true">
<symbol id="good" viewBox="0 0 24 24"><circle cx="12" cy="12" r="10"/><path d="m8 12.4 2.8 2.8L16.2 9.6"/></symbol>
<symbol id="minor" viewBox="0 0 24 24"><path d="M12 3 1.9 20.5h20.2zM12 10v4.6M12 17.4v.1"/></symbol>
<symbol id="bad" viewBox="0 0 24 24"><circle cx="12" cy="12" r="10"/><path d="m9 9 6 6m0-6-6 6"/></symbol>
<symbol id="theme" viewBox="0 0 24 24"><circle cx="12" cy="12" r="9"/><path d="M12 3v18a9 9 0 0 0 0-18z" fill="currentColor"/></symbol>
<symbol id="planned" viewBox="0 0 24 24"><circle cx="12" cy="12" r="10"/><path d="M12 6.5V12l3.5 2.2"/></symbol>
</svg>`;

export function icon(tone: Exclude<Tone, "neutral"> | "theme"): Html {
  return html`<svg aria-hidden="true"><use href="#${tone}"/></svg>`;
}
