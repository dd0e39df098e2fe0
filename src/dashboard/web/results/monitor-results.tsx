import { useEffect, useRef, useState } from "react";
import { api, getAnswer, type Result } from "../data/api.ts";
import { queryKeys } from "../data/query-keys.ts";
import { Card } from "../ui/card.tsx";
import { Dialog, DialogActions, DialogButton } from "../ui/dialog.tsx";
import { useUrlFilters } from "../ui/filters.tsx";
import { PagedTable, usePages } from "../ui/list.tsx";
import { hasPendingAlert, RESULT_COLUMNS, RESULT_COLUMNS_WITH_LOCATION, ResultRow } from "./result-row.tsx";
import { dayOf, NoneMatches, startOf, TimeFilter, type TimeFilters, timeFilters } from "./time-filter.tsx";

/** The results of a monitor, page by page. @property hasLocation whether other locations check the monitor */
export function Results({ id, hasLocation }: { id: string; hasLocation: boolean }) {
  const [params, setFilter] = useUrlFilters();
  const filters = timeFilters(params);
  const pages = usePages<Result>({
    queryKey: queryKeys.results(id, filters),
    load: (query) =>
      getAnswer(api.monitors({ id }).results.get({ query: { limit: "25", ...filters, ...query } })),
    isUnderWay: hasPendingAlert,
  });
  const top = useScrollToResults(pages.isSuccess);
  return (
    <Card
      id="results"
      title="Results"
      aside={<CsvExport of="results" path={`/api/v1/monitors/${id}/results.csv`} filters={filters} />}
    >
      <search ref={top} className="filter-bar">
        <TimeFilter filters={filters} setFilter={setFilter} />
      </search>
      <PagedTable
        of="results"
        pages={pages}
        columns={hasLocation ? RESULT_COLUMNS_WITH_LOCATION : RESULT_COLUMNS}
        row={(result) => <ResultRow key={result.id} result={result} hasLocation={hasLocation} />}
        none={
          Object.keys(filters).length > 0 ? (
            <NoneMatches of="result" setFilter={setFilter} />
          ) : (
            "No results yet."
          )
        }
      />
    </Card>
  );
}

/** A link to results of a time leads to them, below the rest of the view. */
function useScrollToResults(isLoaded: boolean) {
  const top = useRef<HTMLElement>(null);
  useEffect(() => {
    if (isLoaded && location.hash === "#results") top.current?.closest("section")?.scrollIntoView();
  }, [isLoaded]);
  return top;
}

interface Props {
  /** The exported items, such as `results`. */
  of: string;
  /** The path of the export. */
  path: string;
  /** The filters of the list. */
  filters: TimeFilters;
}

/** A button that opens the export of a list as a CSV file, of the days that the reader chooses (behavior 14.99). */
function CsvExport({ of, path, filters }: Props) {
  const label = (
    <>
      Export <span className="visually-hidden">{of}</span> as CSV
    </>
  );
  return (
    <DialogButton label={label} className="button-small">
      {(onClose) => <ExportDialog of={of} path={path} filters={filters} onClose={onClose} />}
    </DialogButton>
  );
}

function ExportDialog({ of, path, filters, onClose }: Props & { onClose: () => void }) {
  const [days, setDays] = useState<Days>(() => offeredDays(Date.now(), filters));
  const address = csvAddress(path, days, filters);
  return (
    <Dialog title={`Export ${of} as CSV`} onClose={onClose}>
      <div className="field-halves">
        {(["from", "to"] as const).map((end) => (
          <label key={end} className="export-day">
            {end === "from" ? "First day" : "Last day"}
            <input
              type="date"
              value={days[end]}
              onInput={({ currentTarget }) => setDays({ ...days, [end]: currentTarget.value })}
            />
          </label>
        ))}
      </div>
      {filters.problems && <p>Only problems.</p>}
      {!address && <p role="alert">The last day must not be before the first one.</p>}
      <DialogActions close={null} onClose={onClose}>
        {address && (
          <a className="button button-primary" href={address} download>
            Download
          </a>
        )}
      </DialogActions>
    </Dialog>
  );
}

const DAY = 86_400_000;

/** A range of days in the reader's zone; both are included. */
interface Days {
  from: string;
  to: string;
}

/** The days of the filters; without them, the last 30 days, today included. @param now milliseconds since 1970 */
export function offeredDays(now: number, { from, to }: TimeFilters): Days {
  const last = to === undefined ? now : Date.parse(to) - 1;
  return { from: dayOf(from === undefined ? last - 29 * DAY : Date.parse(from)), to: dayOf(last) };
}

/** The address of an export; null if the days are not valid. @param path of the export, without a query */
export function csvAddress(path: string, { from, to }: Days, { problems }: TimeFilters = {}): string | null {
  const start = startOf(from);
  const end = startOf(to, 1);
  if (start === null || end === null || start >= end) return null;
  return `${path}?${new URLSearchParams({ from: iso(start), to: iso(end), ...(problems && { problems }) })}`;
}

function iso(at: number): string {
  return new Date(at).toISOString();
}
