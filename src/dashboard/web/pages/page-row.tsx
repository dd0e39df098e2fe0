import { Link } from "wouter";
import { useHasRole } from "../app/session.tsx";
import type { Page } from "../data/api.ts";
import { formatCount } from "../ui/numbers.ts";
import { DeletePage } from "./delete-page.tsx";
import { pathOf } from "./page-address.ts";
import { visibilityLabels } from "./page-words.ts";

export function PageRow({ page }: { page: Page }) {
  const { id, slug, title, visibility, components } = page;
  const mayWrite = useHasRole("admin");
  return (
    <li className="list-row page-row">
      <p className={`page-visibility page-visibility-${visibility}`}>{visibilityLabels[visibility]}</p>
      <div className="list-row-name">
        <Link href={`/pages/${id}`}>{title}</Link>
        <span className="list-row-detail">
          {pathOf(slug)} · {formatCount(components.length, "component")}
        </span>
      </div>
      <div className="actions">
        {visibility === "public" && <OpenPage slug={slug} title={title} />}
        <Link className="button" href={`/pages/${id}/incidents`} aria-label={`Incidents of ${title}`}>
          Incidents
        </Link>
        {mayWrite && <DeletePage page={page} />}
      </div>
    </li>
  );
}

/** A link to the page as its readers see it, in another tab. */
export function OpenPage({ slug, title }: { slug: string; title: string }) {
  return (
    <a className="button" href={pathOf(slug)} target="_blank" rel="noreferrer" aria-label={`Open ${title}`}>
      Open
    </a>
  );
}
