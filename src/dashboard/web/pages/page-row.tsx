import { Link } from "wouter";
import { useHasRole } from "../app/session.tsx";
import type { Page } from "../data/api.ts";
import { ListRow } from "../ui/list/list.tsx";
import { formatCount } from "../ui/numbers.ts";
import { DeletePage } from "./delete-page.tsx";
import { pathOf } from "./page-address.ts";
import { visibilityLabels } from "./page-words.ts";

export function PageRow({ page }: { page: Page }) {
  const { id, slug, title, visibility, components } = page;
  const mayWrite = useHasRole("admin");
  return (
    <ListRow
      className="page-row"
      state={
        <div className={`page-visibility page-visibility-${visibility}`}>{visibilityLabels[visibility]}</div>
      }
      title={title}
      href={`/pages/${id}`}
      details={
        <span className="list-row-detail">
          {pathOf(slug)} · {formatCount(components.length, "component")}
        </span>
      }
    >
      <div className="actions">
        {visibility === "public" && <OpenPage slug={slug} title={title} />}
        <Link className="button" href={`/pages/${id}/incidents`} aria-label={`Incidents of ${title}`}>
          Incidents
        </Link>
        {mayWrite && <DeletePage page={page} />}
      </div>
    </ListRow>
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
