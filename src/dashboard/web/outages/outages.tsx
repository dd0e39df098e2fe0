import { queryOptions, useQuery } from "@tanstack/react-query";
import { Fragment, useState } from "react";
import { Link } from "wouter";
import { displayStateOfStatus } from "../../../domain/monitors/display-state.ts";
import { base } from "../app/base.ts";
import { useHasRole, useSession } from "../app/session.tsx";
import { api, getAnswer, getData, type ListedOutage, type Outage } from "../data/api.ts";
import { monitorNamesQuery, offeredMonitorsQuery } from "../data/monitor-lists.ts";
import { queryKeys } from "../data/query-keys.ts";
import { useChange } from "../data/use-change.ts";
import { useSettled } from "../data/use-settled.ts";
import { useMonitorSearch } from "../form/monitor-picker.tsx";
import { rich } from "../languages/rich.tsx";
import { fill, texts } from "../languages/texts.ts";
import { FilterToggle } from "../overview/filter-bar.tsx";
import { TagSelect } from "../results/events.tsx";
import { countOf, FilterSheet, TimeFilter, timeFilters, useFilters } from "../results/time-filter.tsx";
import { describeCause } from "../status/result-detail.ts";
import { RowState, StatusCell } from "../status/status-mark.tsx";
import { Card } from "../ui/card.tsx";
import { formatDuration } from "../ui/durations.ts";
import { Failure, SelectFilter, useAction, useUrlFilters } from "../ui/filters.tsx";
import { List, ListRow, PagedTable, usePages } from "../ui/list.tsx";
import { Time, TimeSince } from "../ui/time.tsx";
import type { Stretch } from "../ui/time-range.tsx";
import { Badge, View } from "../ui/view.tsx";
import { OpenCauses, openCausesQuery } from "./causes/causes.tsx";
import { WhyWords } from "./evidence/evidence-card.tsx";

/** The outages of all monitors or of one monitor; open outages first. */
export function Outages() {
  const [params, setFilter] = useUrlFilters();
  const filters = useFilters(params, outageFilters);
  const settled = useSettled(filters);
  const { monitorId = "", tag = "" } = filters;
  const isFiltered = Object.keys(filters).length > 0;
  const [since] = useState(() => lastVisit(Date.now()));
  const clear = () => {
    for (const name of ["monitor", "tag", "search", "time", "from", "to"]) setFilter(name, "");
  };
  const words = texts.outages.filters;
  return (
    <View
      title={texts.outages.title}
      aside={<FilterToggle active={countOf([monitorId, tag, filters.search, filters.from ?? filters.to])} />}
    >
      <FilterSheet done={words.done}>
        <TimeFilter params={params} filters={filters} setFilter={setFilter} />
        <input
          type="search"
          aria-label={words.search}
          placeholder={words.placeholder}
          maxLength={200}
          value={params.get("search") ?? ""}
          onInput={({ currentTarget }) => setFilter("search", currentTarget.value)}
        />
        <TagSelect value={tag} onChange={(value) => setFilter("tag", value)} />
        <MonitorFilter value={monitorId} onChange={(id) => setFilter("monitor", id)} />
        {isFiltered && (
          <button type="button" className="button-quiet" onClick={clear}>
            {words.clear}
          </button>
        )}
      </FilterSheet>
      <OpenOutages filters={settled} />
      <EndedOutages filters={settled} since={since} />
    </View>
  );
}

/** The parameters of `GET /outages` that the address of the view has, without those that filter nothing. */
interface OutageFilters extends Stretch {
  monitorId?: string;
  tag?: string;
  search?: string;
}

export function outageFilters(params: URLSearchParams): OutageFilters {
  const [monitorId, tag, search] = ["monitor", "tag", "search"].map((name) => params.get(name)?.trim());
  const { problems: _, ...stretch } = timeFilters(params);
  return { ...(monitorId && { monitorId }), ...(tag && { tag }), ...(search && { search }), ...stretch };
}

/** Milliseconds without the view after which a reader who comes back has been away. */
const AWAY = 1_800_000;

/**
 * When the reader last left the outages, before this visit; undefined at the first one. This browser keeps it.
 *
 * @param now milliseconds since 1970, like the result
 */
export function lastVisit(now: number): number | undefined {
  // A browser may block the storage of sites, and people may edit it.
  try {
    const [seen, before] = (localStorage.outagesSeen ?? "").split(" ").map(Number);
    const since = seen && now - seen > AWAY ? seen : before;
    localStorage.outagesSeen = `${now} ${since || 0}`;
    return since || undefined;
  } catch {
    return undefined;
  }
}

/** The outages that continue, latest first. */
function OpenOutages({ filters: chosen }: { filters: OutageFilters }) {
  const filters = { open: "true", ...chosen } as const;
  const { data, error, hasNextPage, isFetchingNextPage, fetchNextPage } = usePages<ListedOutage>({
    queryKey: queryKeys.outages(filters),
    load: (query) => getAnswer(api.outages.report.get({ query: { limit: "50", ...filters, ...query } })),
  });
  const outages = data?.pages.flatMap((page) => page.data);
  const isAll = Object.keys(chosen).length === 0;
  const causes = useQuery(openCausesQuery);
  const words = texts.outages.open;
  return (
    <>
      {isAll && outages && <OpenCauses causes={causes.data} />}
      <Failure error={causes.error} />
      <Card id="open" title={words.title} className="outages-open">
        <List
          // With the causes above them, so that nothing moves.
          items={causes.isPending ? undefined : outages}
          error={error}
          none={isAll ? words.none : words.noMatch}
          row={(outage) => <OutageRow key={outage.id} outage={outage} />}
        />
        {hasNextPage && (
          <button type="button" disabled={isFetchingNextPage} onClick={() => fetchNextPage()}>
            {words.older}
          </button>
        )}
      </Card>
    </>
  );
}

function OutageRow({ outage }: { outage: ListedOutage }) {
  const { id, monitor, status, detail, startedAt, why } = outage;
  const mayAcknowledge = useMayAcknowledge();
  return (
    <ListRow
      state={
        <RowState state={displayStateOfStatus(status)} label={texts.status.label[status]}>
          {rich(texts.outages.lasting, { duration: <TimeSince at={startedAt} short /> })}
        </RowState>
      }
      title={monitor.name}
      href={`/outages/${id}`}
      details={
        <>
          {why ? (
            <span className="list-row-note outage-row-why">
              <WhyWords why={why} /> <span className="text-muted">· {texts.common.kinds[monitor.type]}</span>
            </span>
          ) : (
            <span className="list-row-detail">
              <Badge>{texts.common.kinds[monitor.type]}</Badge> {describeCause(detail)}
            </span>
          )}
          <AcknowledgedBy outage={outage} />
        </>
      }
    >
      {mayAcknowledge && <AcknowledgeToggle outage={outage} />}
    </ListRow>
  );
}

function AcknowledgedBy({ outage: { acknowledgedBy, note } }: { outage: ListedOutage }) {
  if (acknowledgedBy === null) return null;
  const { by, byWithNote } = texts.status.acknowledged;
  const name = acknowledgedBy;
  return (
    <span className="list-row-note outage-row-acknowledged">
      {note ? fill(byWithNote, { name, note }) : fill(by, { name })}
    </span>
  );
}

/** One button for both actions, so that it keeps the focus. */
function AcknowledgeToggle({ outage: { id, monitor, acknowledgedAt } }: { outage: ListedOutage }) {
  const { acknowledge, takeBack } = useAcknowledgement(id);
  const { error, busy, run } = useAction();
  const isAcknowledged = acknowledgedAt !== null;
  const words = texts.outages.acknowledge;
  const label = fill(isAcknowledged ? words.takeBackName : words.name, { monitor: monitor.name });
  return (
    <div className="list-row-action">
      <button
        type="button"
        className={isAcknowledged ? "button-quiet" : ""}
        aria-label={label}
        aria-disabled={busy}
        onClick={() => run(() => (isAcknowledged ? takeBack() : acknowledge()))}
      >
        {isAcknowledged ? words.takeBack : words.button}
      </button>
      <Failure error={error} />
    </div>
  );
}

const COLUMNS = ["start", "duration", "monitor", "status", "reason", "acknowledgedBy"] as const;

interface EndedProps {
  filters: OutageFilters;
  /** When the reader was here before; milliseconds since 1970. */
  since: number | undefined;
}

/** The outages that have ended, latest first. */
function EndedOutages({ filters: chosen, since }: EndedProps) {
  const filters = { open: "false", ...chosen } as const;
  const pages = usePages<ListedOutage>({
    queryKey: queryKeys.outages(filters),
    load: (query) => getAnswer(api.outages.report.get({ query: { limit: "50", ...filters, ...query } })),
  });
  const { monitorId, ...others } = chosen;
  const exported = new URLSearchParams({ ...others });
  const known = pages.data?.pages.flatMap(({ data }) => data);
  // The first outage that the reader may have seen. Without a newer one, there is nothing new.
  const seen = since !== undefined && known?.find(({ startedAt }) => Date.parse(startedAt) <= since);
  const firstSeen = seen && known?.[0] !== seen ? seen.id : undefined;
  const words = texts.outages.ended;
  return (
    <Card
      id="ended"
      title={words.title}
      aside={
        // The export has no filter by monitor.
        monitorId === undefined && (
          <a className="button button-small" href={`${base}/api/v1/outages.csv?${exported}`} download>
            {rich(words.export, { hidden: (text) => <span className="visually-hidden">{text}</span> })}
          </a>
        )
      }
    >
      <PagedTable
        label={words.table}
        older={words.older}
        pages={pages}
        columns={COLUMNS.map((column) => words.columns[column])}
        row={(outage) => (
          <Fragment key={outage.id}>
            {outage.id === firstSeen && since !== undefined && (
              <tr className="table-line">
                <td colSpan={COLUMNS.length}>
                  {rich(words.newSince, {
                    time: <Time at={new Date(since).toISOString()} only="minute" />,
                  })}
                </td>
              </tr>
            )}
            <EndedOutage outage={outage} />
          </Fragment>
        )}
        none={Object.keys(chosen).length > 0 ? words.noMatch : words.none}
      />
    </Card>
  );
}

function EndedOutage({ outage }: { outage: ListedOutage }) {
  const { id, monitor, status, detail, startedAt, endedAt, acknowledgedBy, why } = outage;
  return (
    <tr>
      <td className="table-time">
        <Link href={`/outages/${id}`}>
          <Time at={startedAt} only="minute" />
        </Link>
      </td>
      <td>{endedAt && formatDuration(Date.parse(endedAt) - Date.parse(startedAt))}</td>
      <td className="table-long">
        <Link href={`/monitors/${monitor.id}`}>{monitor.name}</Link>
      </td>
      <td>
        <StatusCell state={displayStateOfStatus(status)} status={status} />
      </td>
      <td className="table-long table-detail">{why ? <WhyWords why={why} /> : describeCause(detail)}</td>
      <td className="table-long">{acknowledgedBy}</td>
    </tr>
  );
}

interface Props {
  /** The ID of the monitor whose outages are shown; empty for all. */
  value: string;
  onChange: (id: string) => void;
}

/** A list of all monitors or, if they are too many for one, a search. */
function MonitorFilter({ value, onChange }: Props) {
  const { data: offered, isLoading } = useQuery(offeredMonitorsQuery);
  const { data: names } = useQuery(monitorNamesQuery(value ? [value] : []));
  const options = (offered ?? []).map(({ id, name }) => ({ value: id, label: name }));
  const isOffered = value === "" || options.some((option) => option.value === value);
  const words = texts.outages.filters;
  const label = names ? (names.get(value) ?? words.unknownMonitor) : "…";
  return (
    <>
      <SelectFilter
        label={words.monitor}
        any={words.anyMonitor}
        value={value}
        options={isOffered ? options : [...options, { value, label }]}
        onChange={onChange}
      />
      {/* What is below appears with it, so that nothing moves. */}
      {isLoading && <span className="skeleton" hidden />}
      {offered === null && <MonitorSearch onChange={onChange} />}
    </>
  );
}

function MonitorSearch({ onChange }: Pick<Props, "onChange">) {
  const choose = ({ id }: { id: string }) => {
    onChange(id);
    clear();
  };
  const { input, clear, found, isNone, error } = useMonitorSearch({ onChoose: choose });
  const words = texts.outages.filters;
  return (
    <>
      <input {...input} aria-label={words.monitorSearch} placeholder={words.monitorPlaceholder} />
      {found.length > 0 && (
        <ul className="picker-found" aria-label={words.monitorsFound}>
          {found.map((monitor) => (
            <li key={monitor.id}>
              <button type="button" className="button-small" onClick={() => choose(monitor)}>
                {monitor.name}
              </button>
            </li>
          ))}
        </ul>
      )}
      {isNone && <p className="text-hint">{words.noMonitor}</p>}
      <Failure error={error} />
    </>
  );
}

/** Milliseconds between two fetches of a timeline that can still grow. */
const TIMELINE_INTERVAL = 5000;
/** Milliseconds between two fetches of what the checks of an outage see. */
const REPORT_INTERVAL = 15_000;
/** Milliseconds after the end of an outage in which its last notifications are sent. */
const AFTERMATH = 60_000;

export function outageQuery(id: string) {
  return queryOptions({
    queryKey: queryKeys.outage(id),
    queryFn: () => getData(api.outages({ id }).get()),
  });
}

/** No event of the server says that the same trouble was seen again, and checks after the end follow. */
export function outageReportQuery(id: string, endedAt: string | null | undefined) {
  return queryOptions({
    queryKey: queryKeys.outageReport(id),
    queryFn: () => getData(api.outages({ id }).report.get()),
    refetchInterval: () => (endedAt !== undefined && canGrow(endedAt, Date.now()) ? REPORT_INTERVAL : false),
  });
}

/** No event of the server says that a notification was sent, so the timeline is fetched again while it can grow. */
export function timelineQuery({ id, endedAt }: Outage) {
  return queryOptions({
    queryKey: queryKeys.timeline(id),
    queryFn: () => getData(api.outages({ id }).timeline.get()),
    refetchInterval: () => (canGrow(endedAt, Date.now()) ? TIMELINE_INTERVAL : false),
  });
}

function canGrow(endedAt: string | null, now: number): boolean {
  return endedAt === null || now - Date.parse(endedAt) < AFTERMATH;
}

/** Whether the reader may acknowledge outages: people of any role, and keys that may write. */
export function useMayAcknowledge(): boolean {
  const mayWrite = useHasRole("admin");
  return useSession()?.personId !== undefined || mayWrite;
}

/**
 * The actions on an outage: `acknowledge` also replaces the note, which is empty for none, and `takeBack` deletes the
 * acknowledgement with its note.
 */
export function useAcknowledgement(id: string) {
  const change = useChange(queryKeys.allOutages);
  const { acknowledge } = api.outages({ id });
  return {
    acknowledge: (note = "") => change(acknowledge.post(note === "" ? {} : { note })),
    takeBack: () => change(acknowledge.delete()),
  };
}
