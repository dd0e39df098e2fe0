import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "wouter";
import { useHasRole } from "../app/session.tsx";
import { api, getData, type Page } from "../data/api.ts";
import { changedByPage, invalidate, queryKeys } from "../data/query-keys.ts";
import { DeleteButton } from "../ui/item-actions.tsx";
import { ListRow, ListView } from "../ui/list.tsx";
import { formatCount } from "../ui/numbers.ts";
import { visibilityLabels } from "./page-preview.tsx";
import { pagesQuery, pathOf } from "./page-queries.ts";

/** The public pages of the organization (behavior 15.90). */
export function Pages() {
  const { data, error } = useQuery(pagesQuery);
  return (
    <ListView
      title="Public pages"
      lead="A public page shows your customers the status of the monitors that you choose, without their targets."
      label="Public pages"
      items={data}
      error={error}
      none="No public pages yet."
      row={(page) => <PageRow key={page.id} page={page} />}
      create={{ role: "admin", label: "New page", href: "/pages/new" }}
    />
  );
}

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
        {visibility !== "off" && <OpenPage slug={slug} title={title} />}
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

/** @property onDeleted called once it is deleted */
export function DeletePage({ page: { id, title }, onDeleted }: { page: Page; onDeleted?: () => void }) {
  const queries = useQueryClient();
  const remove = async () => {
    await getData(api.pages({ id }).delete());
    onDeleted?.();
    queries.removeQueries({ queryKey: queryKeys.page(id) });
    await invalidate(queries, changedByPage);
  };
  return (
    <DeleteButton name={title} label={`Delete ${title}`} onDelete={remove}>
      Its incidents and subscribers are deleted too. Its monitors stay. You cannot undo this.
    </DeleteButton>
  );
}
