import { useQuery } from "@tanstack/react-query";
import { useRef } from "react";
import { Link } from "wouter";
import type { DisplayState } from "../../../domain/monitors/display-state.ts";
import { statusesOf } from "../../../domain/monitors/status.ts";
import {
  COMPONENT_LABELS,
  type ComponentStatus,
  componentStatus,
  indicatorOf,
  isUnderMaintenance,
  summaryOf,
} from "../../../domain/pages/component-status.ts";
import type { PageVisibility } from "../../../domain/pages/page-request.ts";
import { useHasRole } from "../app/session.tsx";
import { api, type MonitorSummary, type Page } from "../data/api.ts";
import { changedByPage, queryKeys } from "../data/query-keys.ts";
import { useChange, useWithoutHidden } from "../data/use-change.ts";
import { numberOf, textOf } from "../form/field-errors.ts";
import { useFormData } from "../form/form.tsx";
import { StatusBars } from "../status/status-bars.tsx";
import { MaintenanceMark, StatusMark } from "../status/status-mark.tsx";
import { Card } from "../ui/card.tsx";
import { DeleteButton } from "../ui/clipboard.tsx";
import { ListRow, ListView } from "../ui/list.tsx";
import { formatCount } from "../ui/numbers.ts";
import { deleteLate } from "../ui/undo.tsx";
import { type ComponentEntry, componentEntries, isGroup, type Layout } from "./layout/page-layout.ts";
import { type ComponentMonitors, pagesQuery, pathOf } from "./page-fields.tsx";

/** The public pages of the organization (behavior 15.90). */
export function Pages() {
  const { data, error } = useQuery(pagesQuery);
  const items = useWithoutHidden(data);
  return (
    <ListView
      title="Public pages"
      lead="A public page shows your customers the status of the monitors that you choose, without their targets."
      label="Public pages"
      items={items}
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

/** @property onDeleted called once it is hidden */
export function DeletePage({ page: { id, title }, onDeleted }: { page: Page; onDeleted?: () => void }) {
  const change = useChange(...changedByPage);
  const send = () => change(api.pages({ id }).delete(), queryKeys.page(id));
  const remove = async () => {
    deleteLate({
      ids: [id],
      pending: `The page “${title}” will be deleted.`,
      failed: `The page “${title}” could not be deleted`,
      send,
    });
    onDeleted?.();
  };
  return (
    <DeleteButton name={title} label={`Delete ${title}`} onDelete={remove}>
      Its incidents and subscribers are deleted too. Its monitors stay. You can undo this for ten seconds.
    </DeleteButton>
  );
}

interface Props {
  title: string;
  description: string;
  /** The URL of the stored logo of a public page. */
  logo?: string | undefined;
  /** How many days of history. */
  days: number;
  layout: Layout;
  monitors: ComponentMonitors;
}

/** The preview of what the form around it has now. */
export function FormPreview(props: Pick<Props, "layout" | "monitors" | "logo">) {
  const element = useRef<HTMLDivElement>(null);
  const data = useFormData(element);
  return (
    <div className="page-editor-preview" ref={element}>
      <PagePreview
        {...props}
        title={(data && textOf(data, "title")) ?? "Untitled"}
        description={(data && textOf(data, "description")) ?? ""}
        days={daysIn(data)}
        logo={data?.has("removeLogo") ? undefined : props.logo}
      />
    </div>
  );
}

/** The days of history in the form, or the default for a number that the page would not accept. */
function daysIn(data: FormData | null): number {
  const days = data && numberOf(data, "days");
  return typeof days === "number" && days >= 1 && days <= MAX_DAYS ? days : MAX_DAYS;
}

/** A preview of the page, without incidents (behavior 15.92). */
export function PagePreview({ title, description, logo, days, layout, monitors }: Props) {
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
      <Days monitor={monitors.byId.get(component.monitorId)} days={days} />
    </li>
  );
  const components = componentEntries(layout).map((one) => ({ status: statusOf(one) }));
  const indicator = indicatorOf(components, []);
  const tone = isUnderMaintenance(indicator, components) ? "maintenance" : indicatorMarks[indicator];
  return (
    <Card id="page-preview" title="Preview" className="page-preview">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must reach what scrolls */}
      <section className="page-preview-page" aria-label="What readers see" tabIndex={0}>
        {logo && <img className="page-preview-logo" src={logo} alt="" />}
        <p className="page-preview-title">
          <bdi>{title}</bdi>
        </p>
        {description && <p className="page-preview-description">{description}</p>}
        <p className={`page-preview-summary state-${tone}`}>
          <ToneMark tone={tone} size={22} />
          <b>{summaryOf(indicator, components)}</b>
        </p>
        {layout.length === 0 ? (
          <p className="text-hint">Its components are shown here.</p>
        ) : (
          <p className="page-preview-scale">
            <span>{days} days ago</span>
            <span>Today</span>
          </p>
        )}
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
      </section>
      <p className="text-hint">
        With the current statuses. The page also shows incidents and maintenance, in its own color.
      </p>
    </Card>
  );
}

/** The last days of a component and its uptime, as on the page. */
function Days({ monitor, days }: { monitor: MonitorSummary | undefined; days: number }) {
  if (!monitor?.history) return null;
  const { type, history, uptime } = monitor;
  const statuses = [...history].slice(-days).map((letter) => statusesOf[type][Number(letter)] ?? "unknown");
  return (
    <div className="page-preview-days">
      <StatusBars statuses={statuses} describe={(at) => dayAgo(statuses.length - 1 - at)} label="History" />
      {uptime && <span className="text-muted">{uptime} uptime</span>}
    </div>
  );
}

function dayAgo(days: number): string {
  return days === 0 ? "Today" : `${formatCount(days, "day")} ago`;
}

function StatusLabel({ status }: { status: ComponentStatus }) {
  const mark = componentMarks[status];
  return (
    <span className={`page-preview-status state-${mark}`}>
      <ToneMark tone={mark} size={14} />
      {COMPONENT_LABELS[status]}
    </span>
  );
}

function ToneMark({ tone, size }: { tone: DisplayState | "maintenance"; size: number }) {
  return tone === "maintenance" ? <MaintenanceMark /> : <StatusMark state={tone} size={size} />;
}

const indicatorMarks: Record<ReturnType<typeof indicatorOf>, DisplayState> = {
  none: "healthy",
  minor: "warning",
  major: "down",
  critical: "down",
};

/** Also the most days of history that a page shows. */
const MAX_DAYS = 90;

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
