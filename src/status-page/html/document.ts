import { Html, html } from "../../html.ts";
import { styles } from "../styles/styles.ts";
import { iconShapes } from "./icons.ts";

const hash = new Bun.CryptoHasher("sha256").update(styles).digest("base64");

/** Behavior 15.42: no script, no other host, no frame; the only style is the one with this hash. */
const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${hash}'`,
  "img-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join("; ");

/** The headers that a document needs besides those of every public answer. */
export const documentHeaders = {
  "content-security-policy": POLICY,
  "cross-origin-opener-policy": "same-origin",
};

export const DOCUMENT_TYPE = "text/html; charset=utf-8";

/** Where a page is. */
export interface PageAddress {
  /** The path before those of its routes: `/status/example`, or empty at the root of its own host. */
  base: string;
  /** The absolute URL that others link to. */
  url: string;
}

/**
 * A complete HTML document.
 *
 * @param title of the window @param head what is in the head besides title, style and icon
 */
export function htmlDocument({
  title,
  base,
  head = html``,
  body,
}: {
  title: string;
  base: string;
  head?: Html;
  body: Html;
}): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="${base}/icon">
${head}
<style>${new Html(styles)}</style>
</head>
<body>
${iconShapes}
${body}
</body>
</html>
`.markup;
}
