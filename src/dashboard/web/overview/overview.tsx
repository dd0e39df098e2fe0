import { useQuery } from "@tanstack/react-query";
import {
  lazy,
  type MouseEvent,
  memo,
  type ReactNode,
  type RefCallback,
  type RefObject,
  Suspense,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { Link } from "wouter";
import {
  type Headline as HeadlineName,
  headlineOf,
  STANDINGS,
  type Standing,
  type StandingCounts,
  totalOf,
} from "../../../domain/monitors/standing.ts";
import { FirstMonitor, lazyView } from "../app/lazy-views.tsx";
import { useHasRole } from "../app/session.tsx";
import type { MonitorSummary } from "../data/api.ts";
import { unnotifiedQuery } from "../data/query-keys.ts";
import { rich } from "../languages/rich.tsx";
import { formOf, listOf, plural, texts, withTexts } from "../languages/texts.ts";
import { StandingMark, StatusMark } from "../status/status-mark.tsx";
import type { SetFilter } from "../ui/filters.tsx";
import { formatNumber } from "../ui/numbers.ts";
import { useViewMemory, View } from "../ui/view.tsx";
import type { SelectMode } from "./bulk/select-mode.tsx";
import {
  closeFilters,
  countFilters,
  FilterBar,
  FilterToggle,
  type OverviewFilters,
  TagFilter,
  useOverviewFilters,
} from "./filter-bar.tsx";
import { LazyFirstSteps } from "./lazy-first-steps.tsx";
import { MonitorRow, Selecting } from "./monitor-row.tsx";
import { useOverview } from "./overview-queries.ts";
import { areStepsOver } from "./steps-memory.ts";

export function Overview() {
  const [filters, setFilter] = useOverviewFilters();
  const [page, setPage] = usePage(filters);
  const { selected, matching, tags, counts, buckets, isWhole, view, error } = useOverview(filters, page);
  const mayWrite = useHasRole("admin");
  const [mode, setMode] = useState<SelectMode | null>(null);
  if (!selected || !counts) {
    return <View title={texts.overview.title} error={error} />;
  }
  const total = totalOf(counts);
  if (total === 0) return <FirstMonitor />;
  const actions = (
    <>
      <FilterToggle active={countFilters(filters)} />
      {mayWrite && (
        <Link className="button button-primary overview-new" href="/monitors/new">
          {rich(texts.overview.create, { long: (text) => <span>{text}</span> })}
        </Link>
      )}
    </>
  );
  const maySelect = mayWrite && total > 1;
  const mayPause = mayWrite && total > counts.paused;
  return (
    <View title={texts.overview.title} heading={<Headline counts={counts} />} aside={actions}>
      {mayWrite && !areStepsOver() && <LazyFirstSteps monitors={total} />}
      <div className="filters">
        <StateFilter counts={counts} selected={filters.state} setFilter={setFilter} />
        <FilterBar filters={filters} setFilter={setFilter}>
          {(maySelect || mayPause) && (
            <Suspense fallback={<ToolsLoading maySelect={maySelect} mayPause={mayPause} />}>
              <ListTools mode={mode} onMode={maySelect && setMode} mayPause={mayPause} />
            </Suspense>
          )}
        </FilterBar>
        <div className="overview-choices">
          <TagFilter tags={tags} selected={filters.tags} setFilter={setFilter} />
          <Suspense>
            <ViewBar />
          </Suspense>
        </div>
        <button type="button" className="filters-done" onClick={closeFilters}>
          {plural(texts.overview.filters.done, matching)}
        </button>
      </div>
      {mode && <mode.Bar {...mode} monitors={selected} matching={matching} filters={filters} />}
      <p className="visually-hidden" role="status">
        {isWhole && plural(texts.overview.shown, matching)}
      </p>
      {isWhole && matching === 0 && <p className="view-empty">{texts.overview.none}</p>}
      <Selecting value={mode}>
        <MonitorList monitors={selected} buckets={buckets ?? NO_BUCKETS} view={JSON.stringify(view)} />
      </Selecting>
      {isWhole && matching > selected.length && (
        <Suspense>
          <Pages page={page} matching={matching} onPage={setPage} />
        </Suspense>
      )}
    </View>
  );
}

/** The page of a list that the server selects: the first one of other filters. */
function usePage(filters: OverviewFilters): [number, (page: number) => void] {
  const of = JSON.stringify(filters);
  const [chosen, setChosen] = useState({ of, page: 0 });
  return [chosen.of === of ? chosen.page : 0, (page) => setChosen({ of, page })];
}

const Pages = lazyView(async () => (await import("./list-pages.tsx")).Pages, "tools");

/** The list does not wait for their script, and is shown without them if it cannot be loaded. */
const loadTools = () =>
  withTexts(import("./list-tools.tsx"), "tools").catch(() => ({
    ListTools: (_: object) => null,
    ViewBar: () => null,
  }));
const ListTools = lazy(async () => ({ default: (await loadTools()).ListTools }));
const ViewBar = lazy(async () => ({ default: (await loadTools()).ViewBar }));

/** Until their script is loaded, buttons that cannot be pressed take the place of the tools. */
function ToolsLoading({ maySelect, mayPause }: { maySelect: boolean; mayPause: boolean }) {
  const { select, pauseAll } = texts.overview.actions;
  return (
    <div className="list-tools">
      {[maySelect && select, mayPause && pauseAll].filter(Boolean).map((label) => (
        <button key={String(label)} type="button" className="button-quiet button-small" disabled>
          {label}
        </button>
      ))}
    </div>
  );
}

/** The worst state of all monitors in one sentence, and what people do about the rest. The view's heading. */
function Headline({ counts }: { counts: StandingCounts }) {
  const { state, headline } = headlineOf(counts);
  const rest = restOf(counts);
  return (
    <span className="headline" role="status">
      <span className="visually-hidden">{texts.overview.headline.before} </span>
      <StatusMark state={state} size={28} />
      <span>
        <b>{sentenceOf(headline, counts)}</b>
        {rest && (
          <span className="headline-rest">
            <span> · </span>
            {rest}
          </span>
        )}
      </span>
    </span>
  );
}

export function sentenceOf(headline: HeadlineName, counts: StandingCounts): string {
  const { down, warning, counts: words, ...others } = texts.overview.headline;
  const total = totalOf(counts);
  if (headline === "down") return plural(down, counts.down, { total });
  if (headline === "warning") return plural(warning, counts.warning, { total });
  if (headline !== "someHealthy") return others[headline];
  const healthy = plural(words.healthy, counts.healthy);
  return counts.waiting > 0 ? listOf([healthy, plural(words.waiting, counts.waiting)], "unit") : healthy;
}

/** The rest by the actions of people, such as `59 in maintenance · 1 acknowledged`. */
export function restOf(counts: StandingCounts): string {
  const words = texts.overview.headline.counts;
  return (["maintenance", "acknowledged"] as const)
    .filter((standing) => counts[standing] > 0)
    .map((standing) => plural(words[standing], counts[standing]))
    .join(" · ");
}

interface Props {
  counts: StandingCounts;
  /** The state that the list is filtered by. */
  selected: Standing | "";
  setFilter: SetFilter;
}

/** A filter for each state, with its number of monitors. */
function StateFilter({ counts, selected, setFilter }: Props) {
  const { data } = useQuery({ ...unnotifiedQuery, enabled: useHasRole("admin") });
  return (
    <fieldset className="state-filter">
      <legend className="visually-hidden">{texts.overview.groups.states}</legend>
      {STANDINGS.filter((one) => counts[one] > 0 || one === selected).map((one) => (
        <button
          key={one}
          type="button"
          className="button-chip"
          aria-pressed={selected === one}
          onClick={() => setFilter("status", selected === one ? "" : one)}
        >
          <StandingMark standing={one} size={14} />
          <b>{formatNumber(counts[one])}</b> {texts.status.standing[one]}
        </button>
      ))}
      {data && data.monitors > 0 && (
        <Silent href="/channels/choose">
          {rich(formOf(texts.overview.silent.monitors, data.monitors), {
            count: <b>{formatNumber(data.monitors)}</b>,
          })}
        </Silent>
      )}
      {data?.schedules?.map((name) => (
        <Silent key={name} href="/on-call">
          {rich(texts.overview.silent.schedule, { schedule: <b dir="auto">{name}</b> })}
        </Silent>
      ))}
    </fieldset>
  );
}

/** A warning that leads to the remedy. */
function Silent({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Link className="button button-chip" href={href}>
      <StatusMark state="warning" size={14} />
      {children}
    </Link>
  );
}

interface ListProps {
  monitors: MonitorSummary[];
  buckets: string[];
  /** Another text for other filters or another order. */
  view: string;
}

/** All rows are in the document, so that the browser's own search and screen readers find them. */
const MonitorList = memo(function MonitorList({ monitors, buckets, view }: ListProps) {
  const { blocks, current, isWhole } = useChunkedRows(monitors, view);
  const [observer] = useState(() => new ViewportObserver());
  const list = useRef<HTMLDivElement>(null);
  useRememberedHeight(list, isWhole);
  useLayoutEffect(() => {
    for (const [at, block] of Array.from(list.current?.children ?? []).entries())
      (block as HTMLElement).hidden = at >= current;
  }, [current, blocks]);
  return (
    // biome-ignore lint/a11y/useSemanticElements: the children of a <ul> are its items, and these are blocks of them
    // biome-ignore lint/a11y/useKeyWithClickEvents: the link in each row has the keys
    <div
      className="list monitor-list"
      ref={list}
      role="list"
      aria-label={texts.overview.groups.monitors}
      onClick={openRow}
    >
      {blocks.map((block, at) => (
        <RowBlock key={at} monitors={block} buckets={buckets} isFirst={at === 0} observer={observer} />
      ))}
    </div>
  );
});

const NO_BUCKETS: string[] = [];

/** A click anywhere in a row opens its monitor. The link covers the row, except what has a tooltip. */
function openRow({ target }: MouseEvent): void {
  const element = target as Element;
  if (element.closest("a, label, button")) return;
  element.closest(".monitor-row")?.querySelector("a")?.click();
}

interface Block {
  monitors: MonitorSummary[];
  buckets: string[];
  isFirst: boolean;
  observer: ViewportObserver;
}

/** The browser skips the layout of blocks outside the viewport. With single rows instead, scrolling would stutter. */
const RowBlock = memo(function RowBlock({ monitors, buckets, isFirst, observer }: Block) {
  const [ref, isNear] = useNearViewport<HTMLDivElement>(observer, isFirst);
  return (
    <div className="monitor-block" ref={ref}>
      {monitors.map((monitor) => (
        <MonitorRow key={monitor.id} monitor={monitor} buckets={buckets} isNear={isNear} />
      ))}
    </div>
  );
});

/** Gives an incomplete list the height that it had when the reader left it, so that Back can restore the scroll position. */
function useRememberedHeight(list: RefObject<HTMLDivElement | null>, isWhole: boolean): void {
  const memory = useViewMemory();
  useLayoutEffect(() => {
    if (list.current) list.current.style.minHeight = isWhole ? "" : `${memory.listHeight}px`;
  }, [list, memory, isWhole]);
  useLayoutEffect(() => {
    const { current } = list;
    return () => {
      memory.listHeight = current?.offsetHeight ?? 0;
    };
  }, [list, memory]);
}

/** Rows that are added at once, after the first ones. A slow phone renders them in less than 100 ms. */
const CHUNK = 48;
/** Rows in one block. overview.css has the same number. */
const BLOCK = 12;
/** Pixels: about the height of a row, and of other things above the list. */
const ROW = 72;
const ABOVE = 150;

/**
 * Renders a long list chunk by chunk, so that the browser can react to the reader between two of them. With other filters or another
 * order, it begins again with the first chunk: blocks of the previous list stay in the document, hidden, until their turn comes,
 * because to remove all of them at once takes long.
 *
 * @param view other for other filters or another order
 * @returns the blocks, how many of them are of the present list, and whether these are or were all of its rows
 */
function useChunkedRows<Row>(rows: Row[], view: string) {
  // Read here because nothing has to be laid out for it yet.
  const [first] = useState(() => Math.max(1, Math.ceil((innerHeight - ABOVE) / ROW / BLOCK)) * BLOCK);
  const [progress, setProgress] = useState({ view, count: first });
  const count = progress.view === view ? progress.count : first;
  const previous = useRef<Row[][]>([]);
  const blocks = useMemo(() => {
    const fresh = toBlocks(rows.slice(0, count), previous.current);
    // Each keeps its place, and so its rows. After the last row, the others are removed from the end.
    const isRest = count >= rows.length;
    previous.current = [
      ...fresh,
      ...previous.current.slice(fresh.length, isRest ? -CHUNK / BLOCK : undefined),
    ];
    return previous.current;
  }, [rows, count]);
  const current = Math.ceil(Math.min(count, rows.length) / BLOCK);
  const isDone = count >= rows.length && blocks.length === current;
  const wasWhole = useRef(false);
  wasWhole.current ||= count >= rows.length;
  useEffect(() => {
    if (isDone) return undefined;
    const timer = setTimeout(() => setProgress({ view, count: count + CHUNK }));
    return () => clearTimeout(timer);
  }, [view, count, isDone]);
  return { blocks, current, isWhole: wasWhole.current };
}

/** @param previous earlier blocks: a block whose rows have not changed keeps its identity and is not rendered again */
export function toBlocks<Row>(rows: Row[], previous: Row[][]): Row[][] {
  return Array.from({ length: Math.ceil(rows.length / BLOCK) }, (_, at) => {
    const block = rows.slice(at * BLOCK, (at + 1) * BLOCK);
    const before = previous[at];
    const isSame = before?.length === block.length && before.every((row, place) => row === block[place]);
    return isSame ? before : block;
  });
}

/** How far from the viewport an element is still near it, above and below. */
const MARGIN = "600px 0px";

/** Reports which elements are near the viewport. One observer serves all rows of a list. */
class ViewportObserver {
  readonly #listeners = new WeakMap<Element, (isNear: boolean) => void>();
  readonly #observer = new IntersectionObserver(
    (entries) => {
      for (const { isIntersecting, target } of entries) this.#listeners.get(target)?.(isIntersecting);
    },
    { rootMargin: MARGIN },
  );

  /** @returns a function that ends the observation */
  observe(element: Element, listener: (isNear: boolean) => void): () => void {
    this.#listeners.set(element, listener);
    this.#observer.observe(element);
    return () => this.#observer.unobserve(element);
  }
}

/** A ref for an element, and whether it is near the viewport. @param initial the answer until the browser has one */
function useNearViewport<Of extends Element>(
  observer: ViewportObserver,
  initial: boolean,
): [ref: RefCallback<Of>, isNear: boolean] {
  const [isNear, setNear] = useState(initial);
  const ref = useCallback(
    (element: Of | null) => (element ? observer.observe(element, setNear) : undefined),
    [observer],
  );
  return [ref, isNear];
}
