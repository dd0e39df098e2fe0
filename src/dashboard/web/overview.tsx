import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useDeferredValue, useEffect, useMemo, useState } from "react";
import { Link } from "wouter";
import { RANGES, type Range } from "../../domain/range.ts";
import { api, ask, type Overview as Data, type Standing } from "./api.ts";
import { useFilters } from "./filters.ts";
import { FirstMonitor } from "./first-monitor.tsx";
import { MonitorRow } from "./monitor-row.tsx";
import { countMoods, type Filters, overallOf, SORTS, selectMonitors } from "./overview-list.ts";
import { Failure, RangePicker, View } from "./parts.tsx";
import { PauseAll } from "./pause-all.tsx";
import { useMay } from "./session.tsx";
import { StatusMark } from "./status-mark.tsx";
import { countWords, MONITOR_TYPES, MOODS, monitorTypeWords, moodWords } from "./words.ts";

/** The past moves slowly. */
const PAST_PACE = 60_000;

export function Overview() {
  const [filters, setFilter] = useOverviewFilters();
  const queries = useQueryClient();
  const past = useQuery({
    queryKey: ["past", filters.range],
    queryFn: async () => {
      const { now, past } = divided(await ask(api.overview.get({ query: { range: filters.range } })));
      queries.setQueryData(["now"], now);
      return past;
    },
    staleTime: PAST_PACE,
    refetchInterval: PAST_PACE,
    placeholderData: (before) => before,
  });
  // The first answer tells of now too; from then on, that alone is asked for whenever something has happened.
  const now = useQuery({
    queryKey: ["now"],
    queryFn: () => ask(api.overview.get()),
    enabled: past.data !== undefined,
  });
  const monitors = useMemo(() => joined(now.data?.monitors, past.data), [now.data, past.data]);
  const deferred = useDeferredValue(filters);
  const selected = useMemo(() => selectMonitors(monitors ?? [], deferred), [monitors, deferred]);
  const mayWrite = useMay("admin");
  if (!monitors) {
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
      <Overall monitors={monitors} filters={filters} setFilter={setFilter} />
      <Toolbar filters={filters} setFilter={setFilter} />
      <p className="unseen" role="status">
        {countWords(selected.length, "monitor")} shown
      </p>
      {selected.length === 0 && <p className="none">No monitor matches.</p>}
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
    mood: from(MOODS, "status") ?? ("" as const),
    sort: from(SORTS, "sort") ?? ("trouble" as const),
    range: from(RANGES, "range") ?? ("90d" as const),
  };
  return [filters, setFilter];
}

type PastOfOne = Pick<Standing, "id" | "uptime" | "history">;
type Past = { buckets: string[]; monitors: PastOfOne[] };

/** What changes all the time and what hardly does, apart: each keeps its identity as long as it is the same. */
function divided({ monitors, buckets = [] }: Data): { now: Data; past: Past } {
  const past: PastOfOne[] = [];
  const now = monitors.map(({ uptime = null, history = "", ...standing }) => {
    past.push({ id: standing.id, uptime, history });
    return standing;
  });
  return { now: { monitors: now }, past: { buckets, monitors: past } };
}

/** What was joined before, so that a row whose monitor did not change is not drawn again. */
const joins = new WeakMap<Standing, { past: PastOfOne | undefined; whole: Standing }>();

function joined(monitors: Standing[] | undefined, past: Past | undefined): Standing[] | undefined {
  if (!monitors || !past) return monitors;
  const byId = new Map(past.monitors.map((one) => [one.id, one]));
  return monitors.map((one) => join(one, byId.get(one.id)));
}

function join(monitor: Standing, past: PastOfOne | undefined): Standing {
  const before = joins.get(monitor);
  if (before && before.past === past) return before.whole;
  const whole = { ...monitor, ...past };
  joins.set(monitor, { past, whole });
  return whole;
}

interface Bar {
  filters: AllFilters;
  setFilter: SetFilter;
}

function Overall({ monitors, filters, setFilter }: Bar & { monitors: Standing[] }) {
  const counts = countMoods(monitors);
  const { mood, words } = overallOf(counts);
  return (
    <section className={`overall ${mood}`} aria-label="Overall state">
      <p className="overall-words" role="status">
        <StatusMark mood={mood} size={36} />
        {words}
      </p>
      <div className="counts">
        {MOODS.filter((one) => counts[one] > 0 || one === filters.mood).map((one) => (
          <button
            key={one}
            type="button"
            className="count"
            aria-pressed={filters.mood === one}
            onClick={() => setFilter("status", filters.mood === one ? "" : one)}
          >
            <StatusMark mood={one} size={14} />
            <b>{counts[one].toLocaleString("en")}</b> {moodWords[one]}
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
        defaultValue={filters.search}
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
        {MOODS.map((mood) => (
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

/** Those that a screen has room for. */
const FIRST_ROWS = 16;
const MORE_ROWS = 120;

/** Many rows come in pieces, so that none of them holds up the reader. */
function Rows({ monitors, buckets }: { monitors: Standing[]; buckets: string[] }) {
  const [room, setRoom] = useState(FIRST_ROWS);
  useEffect(() => {
    if (room >= monitors.length) return undefined;
    const timer = setTimeout(() => setRoom(room + MORE_ROWS));
    return () => clearTimeout(timer);
  }, [room, monitors.length]);
  return (
    <ul className="rows" aria-label="Monitors">
      {monitors.slice(0, room).map((monitor, at) => (
        <MonitorRow key={monitor.id} monitor={monitor} buckets={buckets} first={at < FIRST_ROWS} />
      ))}
    </ul>
  );
}
