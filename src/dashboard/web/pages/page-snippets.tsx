import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { BADGE_KINDS, type BadgeKind } from "../../../domain/pages/public-page.ts";
import type { Page } from "../data/api.ts";
import { rich } from "../languages/rich.tsx";
import { fill, texts } from "../languages/texts.ts";
import { Card } from "../ui/card.tsx";
import { CopyableText } from "../ui/clipboard.tsx";
import { optionsOf, Segments } from "../ui/filters.tsx";
import { type ComponentMonitors, pageUrlQuery, pathOf } from "./page-fields.tsx";

interface Props {
  page: Page;
  monitors: ComponentMonitors;
}

/** The addresses of a page and its badges, to copy (behavior 15.93). */
export function PageSnippets({ page, monitors }: Props) {
  const isPublic = page.visibility === "public";
  const { data: url } = useQuery({ ...pageUrlQuery(page.slug), enabled: isPublic });
  const pageUrl = url ?? `${location.origin}${pathOf(page.slug)}`;
  const hasOwnHost = !pageUrl.endsWith(pathOf(page.slug));
  const words = texts.pages.snippets;
  return (
    <Card id="page-snippets" title={words.title} className="card page-snippets">
      {!isPublic && (
        <p className="text-hint">{page.visibility === "password" ? words.needPassword : words.notPublic}</p>
      )}
      {/* Only a page that everybody may read says its host. */}
      {isPublic && !hasOwnHost && (
        <p className="text-hint">
          {rich(words.ownHost, { option: <code>--page-hosts status.example.com={page.slug}</code> })}
        </p>
      )}
      <SnippetList snippets={[...pageLinks(pageUrl), ...embedSnippets(page, pageUrl)]} />
      <BadgeSnippets
        page={page}
        pageUrl={pageUrl}
        isReadable={isPublic && url !== undefined}
        monitors={monitors}
      />
    </Card>
  );
}

interface BadgeProps extends Props {
  pageUrl: string;
  /** Whether the server shows the page to everybody already. */
  isReadable: boolean;
}

function BadgeSnippets({ page, pageUrl, isReadable, monitors }: BadgeProps) {
  const [chosen, setComponent] = useState("");
  const [chosenKind, setKind] = useState<BadgeKind>("status");
  const component = page.components.find(({ id }) => id === chosen) ?? null;
  const kinds = offeredKinds(component?.id ?? null, page.showLatency);
  const kind = kinds.includes(chosenKind) ? chosenKind : "status";
  const nameOf = ({ name, monitorId }: Page["components"][number]) => name ?? monitors.nameOf(monitorId);
  const about = component ? nameOf(component) : page.title;
  const words = texts.pages.badge;
  const alt = fill(words.image[kind], { name: about });
  const badge = { component: component?.id ?? null, kind, alt };
  return (
    <>
      <h3 className="page-snippets-badge">{words.title}</h3>
      <div className="page-snippets-choices">
        <select
          aria-label={words.about}
          value={component?.id ?? ""}
          onChange={({ currentTarget }) => setComponent(currentTarget.value)}
        >
          <option value="">{words.wholePage}</option>
          {optionsOf(page.components.map((one) => ({ value: one.id, label: nameOf(one) })))}
        </select>
        {kinds.length > 1 && (
          <Segments
            legend={words.kind}
            value={kind}
            options={kinds.map((value) => ({ value, label: words.kinds[value] }))}
            onChange={setKind}
          />
        )}
        {isReadable && (
          <img
            className="page-snippets-image"
            src={badgeUrl({ ...badge, pageUrl: pathOf(page.slug) }, "svg")}
            alt={badge.alt}
          />
        )}
      </div>
      <SnippetList snippets={badgeSnippets({ ...badge, pageUrl })} />
    </>
  );
}

function SnippetList({ snippets }: { snippets: readonly Snippet[] }) {
  return (
    <dl className="page-snippets-list">
      {snippets.map(({ label, text }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            <CopyableText text={text} label={fill(texts.pages.snippets.copy, { label })} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

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
  /** Describes the badge for readers who do not see it. */
  alt: string;
}

interface Snippet {
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
    { label: texts.pages.snippets.imageUrl, text: image },
    { label: texts.pages.snippets.shields, text: badgeUrl(badge, "json") },
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
    { label: texts.pages.snippets.page, text: pageUrl },
    { label: texts.pages.snippets.atomFeed, text: `${pageUrl}/feed.atom` },
    { label: "JSON", text: `${pageUrl}/api/v2/summary.json` },
  ];
}

/** The frame that shows the page on another site; none if no site may. */
export function embedSnippets(
  { title, embedOrigins }: Pick<Page, "title" | "embedOrigins">,
  pageUrl: string,
): Snippet[] {
  if (embedOrigins.length === 0) return [];
  const attributes = `title="${escapeHtml(title)}" width="100%" height="600" style="border:0"`;
  return [
    {
      label: texts.pages.snippets.frame,
      text: `<iframe src="${escapeHtml(pageUrl)}?embed" ${attributes}></iframe>`,
    },
  ];
}

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
}

function escapeMarkdown(text: string): string {
  return text.replace(/[\\[\]`*_<>!]/g, "\\$&").replace(/\s+/g, " ");
}
