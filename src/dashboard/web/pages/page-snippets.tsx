import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { BadgeKind } from "../../../domain/pages/public-page.ts";
import type { Page } from "../data/api.ts";
import { CopyableText } from "../ui/clipboard.tsx";
import { Segments } from "../ui/filters.tsx";
import { pageUrlQuery, pathOf } from "./page-queries.ts";
import { badgeSnippets, badgeUrl, offeredKinds, pageLinks, type Snippet } from "./snippets.ts";

interface Props {
  page: Page;
  /** Those whose names are known. */
  monitors: readonly { id: string; name: string }[];
}

const kindLabels: Record<BadgeKind, string> = { status: "Status", uptime: "Uptime", latency: "Latency" };

/** The addresses of a page and its badges, to copy (behavior 15.93). */
export function PageSnippets({ page, monitors }: Props) {
  const isPublic = page.visibility === "public";
  const { data: url } = useQuery({ ...pageUrlQuery(page.slug), enabled: isPublic });
  const pageUrl = url ?? `${location.origin}${pathOf(page.slug)}`;
  return (
    <section className="card page-snippets" aria-labelledby="page-snippets">
      <h2 id="page-snippets">Links and badges</h2>
      {!isPublic && <p className="text-hint">They work once the page is public.</p>}
      <SnippetList snippets={pageLinks(pageUrl)} />
      <BadgeSnippets
        page={page}
        pageUrl={pageUrl}
        isReadable={isPublic && url !== undefined}
        monitors={monitors}
      />
    </section>
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
  const nameOf = ({ name, monitorId }: Page["components"][number]) =>
    name ?? monitors.find(({ id }) => id === monitorId)?.name ?? "Component";
  const about = component ? nameOf(component) : page.title;
  const badge = { component: component?.id ?? null, kind, alt: `${kindLabels[kind]} of ${about}` };
  return (
    <>
      <h3 className="page-snippets-badge">Badge</h3>
      <div className="page-snippets-choices">
        <select
          aria-label="What the badge is about"
          value={component?.id ?? ""}
          onChange={({ currentTarget }) => setComponent(currentTarget.value)}
        >
          <option value="">The whole page</option>
          {page.components.map((one) => (
            <option key={one.id} value={one.id}>
              {nameOf(one)}
            </option>
          ))}
        </select>
        {kinds.length > 1 && (
          <Segments
            legend="What the badge shows"
            value={kind}
            options={kinds.map((value) => ({ value, label: kindLabels[value] }))}
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
            <CopyableText text={text} label={label} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
