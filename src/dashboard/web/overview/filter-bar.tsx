import { type ReactNode, useState } from "react";
import { MONITOR_KINDS, type MonitorKind } from "../../../domain/monitors/kinds/kinds.ts";
import { STANDINGS } from "../../../domain/monitors/standing.ts";
import { rangeIn } from "../../../domain/overview/overview-query.ts";
import { type Filters, SORTS, type Sort } from "../../../domain/overview/selection.ts";
import type { Range } from "../../../domain/results/range.ts";
import { plural, texts } from "../languages/texts.ts";
import { RangePicker, SelectFilter, type SetFilter, useUrlFilters } from "../ui/filters.tsx";
import { formatNumber } from "../ui/numbers.ts";
import { parseTags, toggleTag } from "./select-monitors.ts";

interface BarProps {
  filters: OverviewFilters;
  setFilter: SetFilter;
  children: ReactNode;
}

export function FilterBar({ filters, setFilter, children }: BarProps) {
  const words = texts.overview.filters;
  return (
    <search className="filter-bar">
      <input
        type="search"
        placeholder={words.search}
        aria-label={words.searchName}
        value={filters.search}
        onChange={({ target }) => setFilter("search", target.value)}
      />
      <SelectFilter
        label={words.type}
        any={words.anyType}
        value={filters.kind}
        options={MONITOR_KINDS.map((value) => ({ value, label: texts.common.kinds[value] }))}
        onChange={(kind) => setFilter("type", kind)}
      />
      <SelectFilter
        label={words.order}
        value={filters.sort}
        options={SORTS.map((value) => ({ value, label: words.orders[value] }))}
        onChange={(sort) => setFilter("sort", sort)}
      />
      <RangePicker value={filters.range} onChange={(range) => setFilter("range", range)} />
      {children}
    </search>
  );
}

/** The number of tags that are shown at first. */
const SHOWN = 12;

interface Props {
  /** The tags of all monitors, most used first. */
  tags: { tag: string; count: number }[];
  selected: string[];
  setFilter: SetFilter;
}

/** A button for each tag, most used first. Only monitors with all selected tags are listed. */
export function TagFilter({ tags, selected, setFilter }: Props) {
  const [showsAll, setShowsAll] = useState(false);
  const unused = selected.filter((tag) => tags.every((one) => one.tag !== tag));
  const all = [...tags, ...unused.map((tag) => ({ tag, count: 0 }))];
  const shown = all.filter(({ tag }, at) => showsAll || at < SHOWN || selected.includes(tag));
  if (all.length === 0) return null;
  return (
    <fieldset className="tag-filter">
      <legend className="visually-hidden">{texts.overview.groups.tags}</legend>
      {shown.map(({ tag, count }) => (
        <button
          key={tag}
          type="button"
          className="button-chip"
          aria-pressed={selected.includes(tag)}
          onClick={() => setFilter("tag", toggleTag(selected, tag))}
        >
          {tag} <span>{formatNumber(count)}</span>
        </button>
      ))}
      {shown.length < all.length && (
        <button type="button" className="button-quiet button-small" onClick={() => setShowsAll(true)}>
          {plural(texts.overview.filters.moreTags, all.length - shown.length)}
        </button>
      )}
    </fieldset>
  );
}

/** How many filters leave something out. The order and the range do not. */
export function countFilters({ search, kind, state, tags }: OverviewFilters): number {
  return [search.trim(), kind, state, ...tags].filter(Boolean).length;
}

export type OverviewFilters = Filters & { kind: MonitorKind | ""; sort: Sort; tags: string[]; range: Range };

export function useOverviewFilters(): [OverviewFilters, SetFilter] {
  const [params, setFilter] = useUrlFilters();
  const find = <Value extends string>(values: readonly Value[], name: string) =>
    values.find((value) => value === params.get(name));
  const filters = {
    search: params.get("search") ?? "",
    type: "" as const,
    kind: find(MONITOR_KINDS, "type") ?? ("" as const),
    tags: parseTags(params.get("tag")),
    state: find(STANDINGS, "status") ?? ("" as const),
    sort: find(SORTS, "sort") ?? ("trouble" as const),
    range: rangeIn(params),
  };
  return [filters, setFilter];
}

/**
 * The button in the head of a view that shows its filters on a phone: the element with the class `filters`. Other screens always show it.
 *
 * @property active how many filters leave something out
 */
export function FilterToggle({ active }: { active: number }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <button
      type="button"
      className="filters-toggle"
      aria-expanded={isOpen}
      data-active={active || undefined}
      onClick={() => setOpen(!isOpen)}
    >
      {texts.overview.filters.toggle}
    </button>
  );
}

export function closeFilters() {
  document.querySelector<HTMLElement>(".filters-toggle")?.click();
}
