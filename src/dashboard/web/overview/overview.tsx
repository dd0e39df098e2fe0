import { useQuery } from "@tanstack/react-query";
import {
  type RefObject,
  useDeferredValue,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { Link } from "wouter";
import { DISPLAY_STATES, type DisplayState } from "../../../domain/monitors/display-state.ts";
import { rangeIn } from "../../../domain/monitors/overview-query.ts";
import type { Range } from "../../../domain/results/range.ts";
import { useMay } from "../app/session.tsx";
import { api, ask, type Standing } from "../data/api.ts";
import { MONITOR_TYPES, monitorTypeWords } from "../monitor/monitor-type.ts";
import { StatusMark } from "../status/status-mark.tsx";
import { moodWords } from "../status/status-names.ts";
import { Failure } from "../ui/failure.tsx";
import { countWords, numberWords } from "../ui/numbers.ts";
import { RangePicker } from "../ui/range-picker.tsx";
import { useFilters } from "../ui/use-url-filters.ts";
import { View } from "../ui/view.tsx";
import { FirstMonitor } from "./first-monitor.tsx";
import { blocksOf, RowBlock, SEEN_FIRST } from "./monitor-list.tsx";
import { isPart, joined, pastQuery } from "./overview-queries.ts";
import { PauseAll } from "./pause-all.tsx";
import { type Filters, overallOf, SORTS, selectMonitors } from "./select-monitors.ts";

export function Overview() {
  const [filters, setFilter] = useOverviewFilters();
  const past = useQuery({ ...pastQuery(filters.range), placeholderData: (before) => before });
  // The first answer tells of now too; from then on, that alone is asked for whenever something has happened.
  const now = useQuery({
    queryKey: ["now"],
    queryFn: () => ask(api.overview.get()),
    enabled: past.data !== undefined,
  });
  const monitors = useMemo(() => joined(now.data?.monitors, past.data), [now.data, past.data]);
  const deferred = useDeferredValue(filters);
  const whole = now.data !== undefined && !isPart(now.data);
  // A part comes in its order.
  const selected = useMemo(
    () => (whole ? selectMonitors(monitors ?? [], deferred) : (monitors ?? [])),
    [whole, monitors, deferred],
  );
  const mayWrite = useMay("admin");
  if (!monitors || !now.data) {
    return (
      <View title="Overview">
        <Failure error={past.error ?? now.error} />
      </View>
    );
  }
  const aside = mayWrite && (
    <>
      {monitors.some(({ enabled }) => enabled) && <PauseAll />}
      <Link className="button primary" href="/monitors/new">
        New monitor
      </Link>
    </>
  );
  if (monitors.length === 0) return <FirstMonitor />;
  return (
    <View title="Overview" aside={aside}>
      <Overall counts={now.data.counts} filters={filters} setFilter={setFilter} />
      <Toolbar filters={filters} setFilter={setFilter} />
      <p className="unseen" role="status">
        {whole && `${countWords(selected.length, "monitor")} shown`}
      </p>
      {whole && selected.length === 0 && <p className="none">No monitor matches.</p>}
      <Rows monitors={selected} buckets={past.data?.buckets ?? []} />
    </View>
  );
}

type AllFilters = Filters & { range: Range };
type SetFilter = (name: string, value: string) => void;

function useOverviewFilters(): [AllFilters, SetFilter] {
  const [params, setFilter] = useFilters();
  const from = <Word extends string>(words: readonly Word[], name: string) =>
    words.find((word) => word === params.get(name));
  const filters = {
    search: params.get("search") ?? "",
    type: from(MONITOR_TYPES, "type") ?? ("" as const),
    mood: from(DISPLAY_STATES, "status") ?? ("" as const),
    sort: from(SORTS, "sort") ?? ("trouble" as const),
    range: rangeIn(params),
  };
  return [filters, setFilter];
}

interface Bar {
  filters: AllFilters;
  setFilter: SetFilter;
}

function Overall({ counts, filters, setFilter }: Bar & { counts: Record<DisplayState, number> }) {
  const { mood, words } = overallOf(counts);
  return (
    <section className={`overall ${mood}`} aria-label="Overall state">
      <p className="overall-words" role="status">
        <StatusMark mood={mood} size={36} />
        {words}
      </p>
      <div className="counts">
        {DISPLAY_STATES.filter((one) => counts[one] > 0 || one === filters.mood).map((one) => (
          <button
            key={one}
            type="button"
            className="count"
            aria-pressed={filters.mood === one}
            onClick={() => setFilter("status", filters.mood === one ? "" : one)}
          >
            <StatusMark mood={one} size={14} />
            <b>{numberWords(counts[one])}</b> {moodWords[one]}
          </button>
        ))}
      </div>
    </section>
  );
}

const sortWords = {
  trouble: "Trouble first",
  name: "By name",
  uptime: "Lowest uptime first",
  latency: "Slowest first",
};

function Toolbar({ filters, setFilter }: Bar) {
  return (
    <search className="toolbar">
      <input
        type="search"
        placeholder="Search"
        aria-label="Search by name or target"
        value={filters.search}
        onChange={({ target }) => setFilter("search", target.value)}
      />
      <select
        aria-label="Type"
        value={filters.type}
        onChange={({ target }) => setFilter("type", target.value)}
      >
        <option value="">All types</option>
        {MONITOR_TYPES.map((type) => (
          <option key={type} value={type}>
            {monitorTypeWords[type].name}
          </option>
        ))}
      </select>
      <select
        aria-label="Status"
        value={filters.mood}
        onChange={({ target }) => setFilter("status", target.value)}
      >
        <option value="">Any status</option>
        {DISPLAY_STATES.map((mood) => (
          <option key={mood} value={mood}>
            {moodWords[mood]}
          </option>
        ))}
      </select>
      <select
        aria-label="Order"
        value={filters.sort}
        onChange={({ target }) => setFilter("sort", target.value)}
      >
        {SORTS.map((sort) => (
          <option key={sort} value={sort}>
            {sortWords[sort]}
          </option>
        ))}
      </select>
      <RangePicker value={filters.range} onChange={(range) => setFilter("range", range)} />
    </search>
  );
}

/** At a time, once the first are there. */
const MORE_ROWS = 120;

/** Many rows come in pieces, so that none of them holds up the reader. */
function Rows({ monitors, buckets }: { monitors: Standing[]; buckets: string[] }) {
  const [room, setRoom] = useState(SEEN_FIRST);
  const before = useRef<Standing[][]>([]);
  const blocks = useMemo(() => {
    before.current = blocksOf(monitors.slice(0, room), before.current);
    return before.current;
  }, [monitors, room]);
  const list = useRef<HTMLDivElement>(null);
  useHeight(list, room >= monitors.length);
  useEffect(() => {
    if (room >= monitors.length) return undefined;
    const timer = setTimeout(() => setRoom(room + MORE_ROWS));
    return () => clearTimeout(timer);
  }, [room, monitors.length]);
  return (
    // biome-ignore lint/a11y/useSemanticElements: the children of a <ul> are its items, and these are blocks of them
    <div className="rows" ref={list} role="list" aria-label="Monitors">
      {blocks.map((block, at) => (
        <RowBlock key={at} monitors={block} buckets={buckets} first={at === 0} />
      ))}
    </div>
  );
}

/** Pixels: of the list when one left it. */
let height = 0;

/** Keeps the list, until it is whole, as high as one left it: the browser leads back to a place that has to be there. */
function useHeight(list: RefObject<HTMLDivElement | null>, whole: boolean): void {
  useLayoutEffect(() => {
    if (list.current) list.current.style.minHeight = whole ? "" : `${height}px`;
  }, [list, whole]);
  useLayoutEffect(() => {
    const { current } = list;
    return () => {
      height = current?.offsetHeight ?? 0;
    };
  }, [list]);
}
