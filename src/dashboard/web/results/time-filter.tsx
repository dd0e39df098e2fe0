import { type ReactNode, useMemo } from "react";
import { fill, texts } from "../languages/texts.ts";
import { closeFilters } from "../overview/filter-bar.tsx";
import { dayOf, startOf } from "../ui/days.ts";
import type { SetFilter } from "../ui/filters.tsx";
import { dateFormat } from "../ui/time.tsx";
import { type Stretch, StretchCalendar, TimeMenu } from "../ui/time-range.tsx";

/** The parameters of requests for results, without those that filter nothing. Times are ISO 8601. */
export interface TimeFilters extends Stretch {
  problems?: "true";
}

const NAMES = ["time", "from", "to", "problems"] as const;

/** The stretches that are offered. The address has their names, so that a saved link means the last hours before it is opened. */
const STRETCHES = ["day", "night", "week", "month"] as const;
type NamedStretch = (typeof STRETCHES)[number];

const MINUTE = 60_000;
const DAY = 86_400_000;
/** The hours at which a night begins and ends, in the reader's zone. */
const NIGHT = { from: 20, to: 8 };

/** @param now milliseconds since 1970 */
export function namedStretch(name: NamedStretch, now: number): Stretch {
  const iso = (at: number) => new Date(at).toISOString();
  const before = (days: number) => ({ from: iso(Math.floor((now - days * DAY) / MINUTE) * MINUTE) });
  if (name !== "night") return before({ day: 1, week: 7, month: 30 }[name]);
  const today = new Date(now);
  const hourOf = (day: number, hour: number) =>
    new Date(today.getFullYear(), today.getMonth(), today.getDate() + day, hour).getTime();
  if (now >= hourOf(0, NIGHT.from)) return { from: iso(hourOf(0, NIGHT.from)) };
  const end = hourOf(0, NIGHT.to);
  return { from: iso(hourOf(-1, NIGHT.from)), ...(now >= end && { to: iso(end) }) };
}

function nameIn(params: URLSearchParams): NamedStretch | undefined {
  return STRETCHES.find((one) => one === params.get("time"));
}

/** The filters in the address of a view. What is no time filters nothing. */
export function timeFilters(params: URLSearchParams, now = Date.now()): TimeFilters {
  const named = nameIn(params);
  const filters: TimeFilters = named ? namedStretch(named, now) : {};
  for (const name of named ? [] : (["from", "to"] as const)) {
    const at = Date.parse(params.get(name) ?? "");
    if (!Number.isNaN(at)) filters[name] = new Date(at).toISOString();
  }
  return { ...filters, ...(params.get("problems") === "true" && { problems: "true" }) };
}

/** The filters of a view, which stay the same until the reader changes them: "Last 24 h" are those before the view was opened. */
export function useFilters<Filters>(
  params: URLSearchParams,
  filtersOf: (params: URLSearchParams) => Filters,
): Filters {
  const text = params.toString();
  return useMemo(() => filtersOf(new URLSearchParams(text)), [text, filtersOf]);
}

interface Props {
  params: URLSearchParams;
  filters: Stretch;
  setFilter: SetFilter;
}

/** Chooses a stretch of time: a named one, or any in a calendar. */
export function TimeFilter({ params, filters: { from, to }, setFilter }: Props) {
  const named = nameIn(params);
  const show = (chosen: { time?: string } & Stretch) => {
    for (const name of ["time", "from", "to"] as const) setFilter(name, chosen[name] ?? "");
  };
  const words = texts.results.time;
  const label = named ? words.stretches[named] : describeStretch({ from, to });
  return (
    <TimeMenu
      legend={words.label}
      label={label}
      value={named ?? (from === undefined && to === undefined ? "" : "calendar")}
      options={[
        { value: "", label: words.any },
        ...STRETCHES.map((value) => ({ value, label: words.stretches[value] })),
      ]}
      onChoose={(time) => show({ time })}
    >
      {(close) => (
        <StretchCalendar
          {...(from !== undefined && { from })}
          {...(to !== undefined && { to })}
          onShow={(stretch) => {
            close();
            show(stretch);
          }}
        />
      )}
    </TimeMenu>
  );
}

/** A check box that leaves only trouble. */
export function ProblemsFilter({ filters, setFilter }: { filters: TimeFilters; setFilter: SetFilter }) {
  return (
    <label className="filter-check">
      <input
        type="checkbox"
        checked={filters.problems !== undefined}
        onChange={({ currentTarget }) => setFilter("problems", currentTarget.checked ? "true" : "")}
      />
      {texts.results.filters.problems}
    </label>
  );
}

/** The filters of a view that a phone hides behind their button. @property done the label of the button below them */
export function FilterSheet({ done, children }: { done: string; children: ReactNode }) {
  return (
    <div className="filters">
      <search className="filter-bar">{children}</search>
      <button type="button" className="filters-done" onClick={closeFilters}>
        {done}
      </button>
    </div>
  );
}

/** How many filters leave something out. */
export function countOf(values: readonly (string | undefined)[]): number {
  return values.filter(Boolean).length;
}

const dayFormat = dateFormat({ dateStyle: "medium" });
const minuteFormat = dateFormat({ dateStyle: "medium", timeStyle: "short" });

/** A stretch in words, whole days without the time. */
export function describeStretch({ from, to }: { from: string | undefined; to: string | undefined }): string {
  const words = texts.results.time;
  if (from === undefined && to === undefined) return words.any;
  const [start, end] = [Date.parse(from ?? ""), Date.parse(to ?? "")];
  const isWhole = [start, end].every((at) => Number.isNaN(at) || startOf(dayOf(at)) === at);
  // The last day, which ends at the start of the next one.
  const [first, last] = isWhole
    ? ([dayFormat.format(start || 0), dayFormat.format((end || 1) - 1)] as const)
    : ([minuteFormat.format(start || 0), minuteFormat.format(end || 0)] as const);
  if (to === undefined) return fill(words.since, { from: first });
  if (from === undefined) return fill(words.until, { to: last });
  return first === last ? first : fill(words.between, { from: first, to: last });
}

/** The sentence without results, with a way back to all of them. */
export function NoneMatches({ text, setFilter }: { text: string; setFilter: SetFilter }) {
  const clear = () => {
    for (const name of NAMES) setFilter(name, "");
  };
  return (
    <>
      {text}{" "}
      <button type="button" className="button-small" onClick={clear}>
        {texts.results.filters.clear}
      </button>
    </>
  );
}
