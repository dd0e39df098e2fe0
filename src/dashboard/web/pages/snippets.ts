import { BADGE_KINDS, type BadgeKind } from "../../../domain/pages/public-page.ts";

/** The kinds of badges that a page offers. Only components have an uptime and a latency. */
export function offeredKinds(component: string | null, showLatency: boolean): readonly BadgeKind[] {
  if (component === null) return ["status"];
  return BADGE_KINDS.filter((kind) => kind !== "latency" || showLatency);
}

interface Badge {
  /** The URL of the page, without a slash at its end. */
  pageUrl: string;
  /** The ID of a component; null for the badge of the whole page. */
  component: string | null;
  kind: BadgeKind;
  /** What the badge is about, as text for readers who do not see it. */
  alt: string;
}

export interface Snippet {
  label: string;
  text: string;
}

/** The texts that show a badge elsewhere, with a link to the page. */
export function badgeSnippets(badge: Badge): Snippet[] {
  const { pageUrl, alt } = badge;
  const image = badgeUrl(badge, "svg");
  return [
    {
      label: "HTML",
      text: `<a href="${escapeHtml(pageUrl)}"><img src="${escapeHtml(image)}" alt="${escapeHtml(alt)}"></a>`,
    },
    { label: "Markdown", text: `[![${escapeMarkdown(alt)}](${image})](${pageUrl})` },
    { label: "Image URL", text: image },
    { label: "shields.io endpoint", text: badgeUrl(badge, "json") },
  ];
}

/** The URL of a badge: an image, or the JSON from which shields.io draws one. */
export function badgeUrl({ pageUrl, component, kind }: Badge, format: "svg" | "json"): string {
  const place = component === null ? "" : `/components/${encodeURIComponent(component)}`;
  return `${pageUrl}${place}/badge.${format}${kind === "status" ? "" : `?kind=${kind}`}`;
}

/** The addresses of a page for feed readers and programs. */
export function pageLinks(pageUrl: string): Snippet[] {
  return [
    { label: "Page", text: pageUrl },
    { label: "Atom feed", text: `${pageUrl}/feed.atom` },
    { label: "JSON", text: `${pageUrl}/api/v2/summary.json` },
  ];
}

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
}

function escapeMarkdown(text: string): string {
  return text.replace(/[\\[\]`*_<>!]/g, "\\$&").replace(/\s+/g, " ");
}
