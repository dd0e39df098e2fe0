import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { base } from "../app/base.ts";
import { api, getData, type MonthlyReport } from "../data/api.ts";
import { tagsQuery } from "../data/monitor-lists.ts";
import { queryKeys } from "../data/query-keys.ts";
import { locale as ownLocale } from "../languages/locale.ts";
import { fill, texts } from "../languages/texts.ts";
import { FilterToggle } from "../overview/filter-bar.tsx";
import { countOf, FilterSheet } from "../results/time-filter.tsx";
import { Card, Fact } from "../ui/card.tsx";
import { formatDuration } from "../ui/durations.ts";
import { Failure, SelectFilter, useUrlFilters } from "../ui/filters.tsx";
import { ScrollableTable } from "../ui/list.tsx";
import { formatNumber, percentOrDash } from "../ui/numbers.ts";
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
  const { title, titleWithTag, actions, filters } = texts.reports;
  const label = monthLabel(month);
  const query = new URLSearchParams({ month, ...(tag && { tag }) });
  const aside = (
    <>
      <Link className="button" href="/reports/mails">
        {actions.mails}
      </Link>
      <FilterToggle active={countOf([tag, params.get("target") ?? ""])} />
      <a
        className="button"
        href={`${base}/api/v1/outages.csv?${new URLSearchParams({ ...boundsOf(month), ...(tag && { tag }) })}`}
        download
      >
        {actions.outagesCsv}
      </a>
      <a className="button" href={`${base}/api/v1/reports/monthly.csv?${query}`} download>
        {actions.tableCsv}
      </a>
      <button type="button" className="button-primary" onClick={() => print()}>
        {actions.print}
      </button>
    </>
  );
  return (
    <View
      title={tag ? fill(titleWithTag, { month: label, tag }) : fill(title, { month: label })}
      aside={aside}
    >
      <FilterSheet done={filters.done}>
        <TimeMenu
          legend={filters.month}
          label={label}
          value={month}
          options={months.map((value) => ({ value, label: monthLabel(value) }))}
          onChoose={(value) => setFilter("month", value)}
        />
        <SelectFilter
          label={filters.tag}
          any={filters.anyTag}
          value={tag}
          options={(tags.includes(tag) || !tag ? tags : [...tags, tag]).map((value) => ({
            value,
            label: value,
          }))}
          onChange={(value) => setFilter("tag", value)}
        />
        <SelectFilter
          label={filters.order}
          value={order}
          options={REPORT_ORDERS.map((value) => ({ value, label: filters.orders[value] }))}
          onChange={(value) => setFilter("sort", value)}
        />
        <label className="report-target">
          {filters.target}
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
  const words = texts.reports.total;
  const { title, label, none, columns, hint } = texts.reports.table;
  return (
    <>
      <Card id="report-total" title={words.title}>
        <dl className="facts">
          <Fact name={words.uptime}>{percentOrDash(total.uptime)}</Fact>
          {target !== null && (
            <Fact name={fill(words.below, { target: `${formatNumber(target)}%` })}>
              {fill(words.belowValue, { count: below, total: monitors.length })}
            </Fact>
          )}
          <Fact name={words.outages}>{formatNumber(total.outages)}</Fact>
          <Fact name={words.down}>{durationOrDash(total.downMs)}</Fact>
          <Fact name={words.recovery}>{durationOrDash(total.mttrMs)}</Fact>
          <Fact name={words.maintenance}>{durationOrDash(total.maintenanceMs)}</Fact>
          <Fact name={words.notChecked}>{durationOrDash(total.unknownMs)}</Fact>
        </dl>
      </Card>
      <Card id="report-monitors" title={title}>
        {monitors.length === 0 ? (
          <p className="text-muted">{none}</p>
        ) : (
          <ScrollableTable
            label={label}
            columns={[columns.monitor, ...NUMBERS.map((name) => ({ number: columns[name] }))]}
          >
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
        <p className="text-hint">{hint}</p>
      </Card>
    </>
  );
}

const NUMBERS = ["uptime", "outages", "down", "recovery", "maintenance", "notChecked"] as const;

function FigureCells({ figures, target }: { figures: Figures; target: number | null }) {
  const { uptime, outages, downMs, mttrMs, maintenanceMs, unknownMs } = figures;
  const cells = [
    isBelow(uptime, target) ? (
      <strong className="report-below">
        <span className="visually-hidden">{texts.reports.table.below} </span>
        {percentOrDash(uptime)}
      </strong>
    ) : (
      percentOrDash(uptime)
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
export function monthLabel(month: string, locale = ownLocale): string {
  const format = new Intl.DateTimeFormat(locale, { year: "numeric", month: "long", timeZone: "UTC" });
  return format.format(new Date(`${month}-01T00:00:00Z`));
}
