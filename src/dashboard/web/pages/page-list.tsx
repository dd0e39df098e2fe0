import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { Link } from "wouter";
import type { DisplayState } from "../../../domain/monitors/display-state.ts";
import {
  COMPONENT_LABELS,
  type ComponentStatus,
  componentStatus,
  indicatorOf,
  summaryOf,
} from "../../../domain/pages/component-status.ts";
import type { PageVisibility } from "../../../domain/pages/page-request.ts";
import { useHasRole } from "../app/session.tsx";
import { api, getData, type Page } from "../data/api.ts";
import { changedByPage, invalidate, queryKeys } from "../data/query-keys.ts";
import { textOf } from "../form/field-errors.ts";
import { useFormData } from "../form/form.tsx";
import { MaintenanceMark, StatusMark } from "../status/status-mark.tsx";
import { Card } from "../ui/card.tsx";
import { DeleteButton } from "../ui/clipboard.tsx";
import { ListRow, ListView } from "../ui/list.tsx";
import { formatCount } from "../ui/numbers.ts";
import { type ComponentEntry, componentEntries, isGroup, type Layout } from "./layout/page-layout.ts";
import { type ComponentMonitors, pagesQuery, pathOf } from "./page-fields.tsx";

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

interface Props {
  title: string;
  description: string;
  layout: Layout;
  monitors: ComponentMonitors;
}

/** The preview of what the form around it has now. */
export function FormPreview(props: Pick<Props, "layout" | "monitors">) {
  const element = useRef<HTMLDivElement>(null);
  const data = useFormData(element);
  return (
    <div className="page-editor-preview" ref={element}>
      <PagePreview
        title={(data && textOf(data, "title")) ?? "Untitled"}
        description={(data && textOf(data, "description")) ?? ""}
        {...props}
      />
    </div>
  );
}

/** A preview of the page, without incidents and history (behavior 15.92). */
export function PagePreview({ title, description, layout, monitors }: Props) {
  const statusOf = ({ monitorId }: ComponentEntry): ComponentStatus => {
    const monitor = monitors.byId.get(monitorId);
    return monitor
      ? componentStatus({ ...monitor, isMaintained: monitor.maintenance !== null })
      : "operational";
  };
  const row = (component: ComponentEntry) => (
    <li key={component.key} className="page-preview-row">
      <bdi className="text-wrap">{component.name.trim() || monitors.nameOf(component.monitorId)}</bdi>
      <StatusLabel status={statusOf(component)} />
    </li>
  );
  const components = componentEntries(layout).map((one) => ({ status: statusOf(one) }));
  const indicator = indicatorOf(components, []);
  return (
    <Card id="page-preview" title="Preview" className="page-preview">
      <div className="page-preview-page">
        <p className="page-preview-title">
          <bdi>{title}</bdi>
        </p>
        {description && <p className="page-preview-description">{description}</p>}
        <p className={`page-preview-summary page-preview-${indicator}`}>{summaryOf(indicator, components)}</p>
        {layout.length === 0 && <p className="text-hint">Its components are shown here.</p>}
        <ul className="page-preview-list">
          {layout.map((entry) => {
            if (!isGroup(entry)) return row(entry);
            if (entry.components.length === 0) return null;
            return (
              <li key={entry.key} className="page-preview-group">
                <p className="page-preview-name">
                  <bdi>{entry.name.trim() || "Group"}</bdi>
                </p>
                <ul>{entry.components.map(row)}</ul>
              </li>
            );
          })}
        </ul>
      </div>
      <p className="text-hint">
        With the current statuses. The page also shows incidents, maintenance and history.
      </p>
    </Card>
  );
}

function StatusLabel({ status }: { status: ComponentStatus }) {
  const mark = componentMarks[status];
  return (
    <span className={`page-preview-status state-${mark}`}>
      {mark === "maintenance" ? <MaintenanceMark /> : <StatusMark state={mark} size={14} />}
      {COMPONENT_LABELS[status]}
    </span>
  );
}

const visibilityLabels: Record<PageVisibility, string> = {
  public: "Public",
  password: "Password",
  off: "Off",
};

/** The mark beside the status of a component. */
const componentMarks: Record<ComponentStatus, DisplayState | "maintenance"> = {
  operational: "healthy",
  degraded_performance: "warning",
  major_outage: "down",
  under_maintenance: "maintenance",
};
