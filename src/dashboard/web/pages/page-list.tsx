import { useQuery } from "@tanstack/react-query";
import { useRef } from "react";
import { Link } from "wouter";
import type { DisplayState } from "../../../domain/monitors/display-state.ts";
import { statusesOf } from "../../../domain/monitors/status.ts";
import {
  type ComponentStatus,
  componentStatus,
  indicatorOf,
  isUnderMaintenance,
} from "../../../domain/pages/component-status.ts";
import { useHasRole } from "../app/session.tsx";
import { api, type MonitorSummary, type Page } from "../data/api.ts";
import { changedByPage, queryKeys } from "../data/query-keys.ts";
import { useChange, useWithoutHidden } from "../data/use-change.ts";
import { numberOf, textOf } from "../form/field-errors.ts";
import { useFormData } from "../form/form.tsx";
import { fill, plural, texts } from "../languages/texts.ts";
import { StatusBars } from "../status/status-bars.tsx";
import { MaintenanceMark, StatusMark } from "../status/status-mark.tsx";
import { Card } from "../ui/card.tsx";
import { DeleteButton } from "../ui/clipboard.tsx";
import { ListRow, ListView } from "../ui/list.tsx";
import { deleteLate } from "../ui/undo.tsx";
import { type ComponentEntry, componentEntries, isGroup, type Layout } from "./layout/page-layout.ts";
import { type ComponentMonitors, pagesQuery, pathOf } from "./page-fields.tsx";

/** The public pages of the organization (behavior 15.90). */
export function Pages() {
  const { data, error } = useQuery(pagesQuery);
  const items = useWithoutHidden(data);
  return (
    <ListView
      title={texts.pages.list.title}
      lead={texts.pages.list.lead}
      label={texts.pages.list.label}
      items={items}
      error={error}
      none={texts.pages.list.none}
      row={(page) => <PageRow key={page.id} page={page} />}
      create={{ role: "admin", label: texts.pages.list.create, href: "/pages/new" }}
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
        <div className={`page-visibility page-visibility-${visibility}`}>
          {texts.pages.list.visibility[visibility]}
        </div>
      }
      title={title}
      href={`/pages/${id}`}
      details={
        <span className="list-row-detail">
          <bdi>{pathOf(slug)}</bdi> · {plural(texts.pages.list.components, components.length)}
        </span>
      }
    >
      <div className="actions">
        {visibility !== "off" && <OpenPage slug={slug} title={title} />}
        <Link
          className="button"
          href={`/pages/${id}/incidents`}
          aria-label={fill(texts.pages.actions.incidentsLabel, { title })}
        >
          {texts.pages.actions.incidents}
        </Link>
        {mayWrite && <DeletePage page={page} />}
      </div>
    </ListRow>
  );
}

/** A link to the page as its readers see it, in another tab. */
export function OpenPage({ slug, title }: { slug: string; title: string }) {
  return (
    <a
      className="button"
      href={pathOf(slug)}
      target="_blank"
      rel="noreferrer"
      aria-label={fill(texts.pages.actions.openLabel, { title })}
    >
      {texts.pages.actions.open}
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
      pending: fill(texts.pages.remove.pending, { title }),
      failed: fill(texts.pages.remove.failed, { title }),
      send,
    });
    onDeleted?.();
  };
  return (
    <DeleteButton name={title} label={fill(texts.pages.actions.deleteLabel, { title })} onDelete={remove}>
      {texts.pages.remove.text}
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
        title={(data && textOf(data, "title")) ?? texts.pages.preview.untitled}
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
  const state = isUnderMaintenance(indicator, components) ? "maintenance" : indicator;
  const tone = stateMarks[state];
  const words = texts.pages.preview;
  return (
    <Card id="page-preview" title={words.title} className="page-preview">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard must reach what scrolls */}
      <section className="page-preview-page" aria-label={words.label} tabIndex={0}>
        {logo && <img className="page-preview-logo" src={logo} alt="" />}
        <p className="page-preview-title">
          <bdi>{title}</bdi>
        </p>
        {description && <p className="page-preview-description">{description}</p>}
        <p className={`page-preview-summary state-${tone}`}>
          <ToneMark tone={tone} size={22} />
          <b>{words.summary[state]}</b>
        </p>
        {layout.length === 0 ? (
          <p className="text-hint">{words.noComponents}</p>
        ) : (
          <p className="page-preview-scale">
            <span>{plural(words.daysAgo, days)}</span>
            <span>{words.today}</span>
          </p>
        )}
        <ul className="page-preview-list">
          {layout.map((entry) => {
            if (!isGroup(entry)) return row(entry);
            if (entry.components.length === 0) return null;
            return (
              <li key={entry.key} className="page-preview-group">
                <p className="page-preview-name">
                  <bdi>{entry.name.trim() || texts.pages.group}</bdi>
                </p>
                <ul>{entry.components.map(row)}</ul>
              </li>
            );
          })}
        </ul>
      </section>
      <p className="text-hint">{words.note}</p>
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
      <StatusBars
        statuses={statuses}
        describe={(at) => dayAgo(statuses.length - 1 - at)}
        label={texts.status.bars.history}
      />
      {uptime && <span className="text-muted">{fill(texts.pages.preview.uptime, { uptime })}</span>}
    </div>
  );
}

function dayAgo(days: number): string {
  const { today, daysAgo } = texts.pages.preview;
  return days === 0 ? today : plural(daysAgo, days);
}

function StatusLabel({ status }: { status: ComponentStatus }) {
  const mark = componentMarks[status];
  return (
    <span className={`page-preview-status state-${mark}`}>
      <ToneMark tone={mark} size={14} />
      {texts.pages.preview.componentStatus[status]}
    </span>
  );
}

function ToneMark({ tone, size }: { tone: DisplayState | "maintenance"; size: number }) {
  return tone === "maintenance" ? <MaintenanceMark /> : <StatusMark state={tone} size={size} />;
}

/** The mark beside the state of the whole page. */
const stateMarks: Record<keyof typeof texts.pages.preview.summary, DisplayState | "maintenance"> = {
  none: "healthy",
  minor: "warning",
  major: "down",
  critical: "down",
  maintenance: "maintenance",
};

/** Also the most days of history that a page shows. */
const MAX_DAYS = 90;

/** The mark beside the status of a component. */
const componentMarks: Record<ComponentStatus, DisplayState | "maintenance"> = {
  operational: "healthy",
  degraded_performance: "warning",
  major_outage: "down",
  under_maintenance: "maintenance",
};
