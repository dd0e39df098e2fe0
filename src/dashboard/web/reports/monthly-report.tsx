import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { formatDuration } from "../../../domain/duration.ts";
import { base } from "../app/base.ts";
import { api, getData, type MonthlyReport } from "../data/api.ts";
import { tagsQuery } from "../data/monitor-lists.ts";
import { queryKeys } from "../data/query-keys.ts";
import { FilterToggle } from "../overview/filter-bar.tsx";
import { countOf, FilterSheet } from "../results/time-filter.tsx";
import { Card, Fact } from "../ui/card.tsx";
import { Failure, SelectFilter, useUrlFilters } from "../ui/filters.tsx";
import { ScrollableTable } from "../ui/list.tsx";
import { formatNumber } from "../ui/numbers.ts";
import { TimeMenu } from "../ui/time-range.tsx";
import { View } from "../ui/view.tsx";

type Figures = MonthlyReport["total"];

/** The uptime by time and the outages of a month (behavior 14.98). It can be printed. */
export function Reports() {
  const [params, setFilter] = useUrlFilters();
  const months = offeredMonths(Date.now());
  const month = months.find((one) => one === params.get("month")) ?? months[0] ?? "";
  const tag = params.get("tag") ?? "";
  const target = targetIn(params.get("target"));
  const order = find(REPORT_ORDERS, params.get("sort")) ?? "created";
  const { data: tags = [] } = useQuery(tagsQuery);
  const report = useQuery({
    queryKey: queryKeys.monthlyReport(month, tag),
    queryFn: () => getData(api.reports.monthly.get({ query: { month, ...(tag && { tag }) } })),
  });
  const title = `Report of ${monthLabel(month)}${tag && `, tag ${tag}`}`;
  const query = new URLSearchParams({ month, ...(tag && { tag }) });
  const aside = (
    <>
      <Link className="button" href="/reports/mails">
        By mail
      </Link>
      <FilterToggle active={countOf([tag, params.get("target") ?? ""])} />
      <a
        className="button"
        href={`${base}/api/v1/outages.csv?${new URLSearchParams({ ...boundsOf(month), ...(tag && { tag }) })}`}
        download
      >
        Outages of the month as CSV
      </a>
      <a className="button" href={`${base}/api/v1/reports/monthly.csv?${query}`} download>
        Table as CSV
      </a>
      <button type="button" className="button-primary" onClick={() => print()}>
        Print
      </button>
    </>
  );
  return (
    <View title={title} aside={aside}>
      <FilterSheet done="Show the report">
        <TimeMenu
          legend="Month"
          label={monthLabel(month)}
          value={month}
          options={months.map((value) => ({ value, label: monthLabel(value) }))}
          onChoose={(value) => setFilter("month", value)}
        />
        <SelectFilter
          label="Tag"
          any="All monitors"
          value={tag}
          options={(tags.includes(tag) || !tag ? tags : [...tags, tag]).map((value) => ({
            value,
            label: value,
          }))}
          onChange={(value) => setFilter("tag", value)}
        />
        <SelectFilter
          label="Order"
          value={order}
          options={REPORT_ORDERS.map((value) => ({ value, label: orderLabels[value] }))}
          onChange={(value) => setFilter("sort", value)}
        />
        <label className="report-target">
          Target in %
          <input
            inputMode="decimal"
            placeholder="99.9"
            defaultValue={target === null ? "" : String(target)}
            onInput={({ currentTarget: { value } }) =>
              setFilter("target", targetIn(value) === null ? "" : value.trim())
            }
          />
        </label>
      </FilterSheet>
      <Failure error={report.error} />
      {report.data && <ReportBody report={report.data} order={order} target={target} />}
      {report.isPending && <div className="skeleton" />}
    </View>
  );
}

/** The orders of the table: as the monitors were created, or the worst first. */
const REPORT_ORDERS = ["created", "uptime", "outages"] as const;
type ReportOrder = (typeof REPORT_ORDERS)[number];

const orderLabels: Record<ReportOrder, string> = {
  created: "In order of creation",
  uptime: "Lowest uptime first",
  outages: "Most outages first",
};

function find<Value extends string>(values: readonly Value[], text: string | null): Value | undefined {
  return values.find((value) => value === text);
}

/** The monitors in an order. A monitor without uptime is last. */
function inReportOrder<Row extends Pick<Figures, "uptime" | "outages">>(
  rows: readonly Row[],
  order: ReportOrder,
): Row[] {
  const uptimeOf = ({ uptime }: Row) => (uptime === null ? 101 : Number.parseFloat(uptime));
  if (order === "uptime") return rows.toSorted((a, b) => uptimeOf(a) - uptimeOf(b));
  return order === "outages" ? rows.toSorted((a, b) => b.outages - a.outages) : [...rows];
}

/** The percentage of a target that a reader has typed, also with a comma; null if it is none. */
export function targetIn(text: string | null): number | null {
  const target = /^\d{1,3}([.,]\d{1,4})?$/.test(text?.trim() ?? "") ? Number(text?.replace(",", ".")) : 0;
  return target > 0 && target <= 100 ? target : null;
}

/** Whether the uptime is below a target. A monitor without uptime misses none. */
export function isBelow(uptime: string | null, target: number | null): boolean {
  return target !== null && uptime !== null && Number.parseFloat(uptime) < target;
}

interface BodyProps {
  report: MonthlyReport;
  order: ReportOrder;
  /** Percent. */
  target: number | null;
}

function ReportBody({ report: { total, monitors }, order, target }: BodyProps) {
  const below = monitors.filter(({ uptime }) => isBelow(uptime, target)).length;
  return (
    <>
      <Card id="report-total" title="All monitors of this report">
        <dl className="facts">
          <Fact name="Uptime">{total.uptime ?? "–"}</Fact>
          {target !== null && (
            <Fact name={`Below ${formatNumber(target)}%`}>
              {formatNumber(below)} of {formatNumber(monitors.length)}
            </Fact>
          )}
          <Fact name="Outages">{formatNumber(total.outages)}</Fact>
          <Fact name="Down">{durationOrDash(total.downMs)}</Fact>
          <Fact name="Mean time to recover">{durationOrDash(total.mttrMs)}</Fact>
          <Fact name="In maintenance">{durationOrDash(total.maintenanceMs)}</Fact>
          <Fact name="Not checked">{durationOrDash(total.unknownMs)}</Fact>
        </dl>
      </Card>
      <Card id="report-monitors" title="By monitor">
        {monitors.length === 0 ? (
          <p className="text-muted">No monitor has this tag.</p>
        ) : (
          <ScrollableTable label="Table of monitors" columns={COLUMNS}>
            {inReportOrder(monitors, order).map(({ id, name, ...figures }) => (
              <tr key={id}>
                <td className="table-long">
                  <Link href={`/monitors/${id}`}>{name}</Link>
                </td>
                <FigureCells figures={figures} target={target} />
              </tr>
            ))}
          </ScrollableTable>
        )}
        <p className="text-hint">
          Uptime is the share of time in which a monitor was not down. Time in maintenance, and time without
          checks, is left out. Months are in UTC.
        </p>
      </Card>
    </>
  );
}

const COLUMNS = [
  "Monitor",
  { number: "Uptime" },
  { number: "Outages" },
  { number: "Down" },
  { number: "Time to recover" },
  { number: "In maintenance" },
  { number: "Not checked" },
];

function FigureCells({ figures, target }: { figures: Figures; target: number | null }) {
  const { uptime, outages, downMs, mttrMs, maintenanceMs, unknownMs } = figures;
  const cells = [
    isBelow(uptime, target) ? (
      <strong className="report-below">
        <span className="visually-hidden">below the target: </span>
        {uptime}
      </strong>
    ) : (
      (uptime ?? "–")
    ),
    formatNumber(outages),
    ...[downMs, mttrMs, maintenanceMs, unknownMs].map(durationOrDash),
  ];
  return cells.map((cell, at) => (
    <td key={at} className="table-number">
      {cell}
    </td>
  ));
}

function durationOrDash(length: number | null): string {
  return length === null || length === 0 ? "–" : formatDuration(length);
}

/* Months of reports, such as `2026-10`; in UTC, like the days of histories. */

const MOST = 13;

/** The present month and those before it, latest first. @param now milliseconds since 1970 */
export function offeredMonths(now: number): string[] {
  const date = new Date(now);
  return Array.from({ length: MOST }, (_, back) =>
    new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() - back)).toISOString().slice(0, 7),
  );
}

/** The start of a month and the start of the next one, ISO 8601. */
export function boundsOf(month: string): { from: string; to: string } {
  const start = new Date(`${month}-01T00:00:00Z`);
  const end = new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1));
  return { from: start.toISOString(), to: end.toISOString() };
}

/** A month in words, such as `October 2026`. */
export function monthLabel(month: string, locale?: string): string {
  const format = new Intl.DateTimeFormat(locale, { year: "numeric", month: "long", timeZone: "UTC" });
  return format.format(new Date(`${month}-01T00:00:00Z`));
}
