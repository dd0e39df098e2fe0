import type { AlertOutcome } from "../../domain/alerts/delivery.ts";
import type { Detail } from "../../domain/checks/observation.ts";
import type { MonitorType } from "../../domain/monitors/monitor.ts";
import type { Status } from "../../domain/monitors/status.ts";
import type { CheckResult, ResultEvent } from "../../domain/results/history.ts";
import { AppError } from "../../errors.ts";
import { parseResultId, resultId } from "../ids.ts";
import { statusOfCode } from "../status-codes.ts";
import type { Page } from "../tx.ts";
import { readMeasured } from "./timings.ts";

/** The columns of a `ResultRow`, of `check_results`. */
export const RESULT_COLUMNS = `pk, monitor_pk AS "monitorPk", status, timings, detail_pk AS "detailPk", created_at AS "createdAt"`;

/** A row of `check_results`. */
export interface ResultRow {
  pk: number;
  monitorPk: number;
  status: number;
  timings: Uint8Array | null;
  detailPk: number | null;
  createdAt: number;
}

/** The results of some monitors with some statuses. */
export interface Selection {
  monitorPks: number[];
  statuses: readonly Status[];
}

/** The results that changed the status of one of some monitors. @property statuses only those with one of them; undefined: all */
export interface ChangeSelection {
  organizationPk: number;
  type: MonitorType | undefined;
  tag: string | undefined;
  statuses: readonly Status[] | undefined;
}

/** A stretch of time: from `from` on, before `to`; milliseconds since 1970. Undefined: without a start, without an end. */
export interface Stretch {
  from?: number | undefined;
  to?: number | undefined;
}

/** @property before only results before this one in the list, by number; undefined for the first page */
export interface Position extends Stretch {
  before: number | undefined;
  limit: number;
}

/** A monitor of which results are listed. */
export interface Source extends MonitorSummary {
  pk: number;
}

export type MonitorSummary = ResultEvent["monitor"];

/** Makes an item of a list from a result. */
export type ItemOf<Item> = (result: CheckResult, monitor: MonitorSummary) => Item;

/** The parts of results that are in other tables, by number. */
export interface ResultParts {
  sources: Source[];
  details: Map<number, Detail>;
  outcomes: Map<number, AlertOutcome>;
}

/** The items of some results. Results of other monitors are left out. */
export function itemsOf<Item>(
  rows: readonly ResultRow[],
  { sources, details, outcomes }: ResultParts,
  itemOf: ItemOf<Item>,
): Item[] {
  const byPk = new Map(sources.map(({ pk, ...monitor }) => [pk, monitor]));
  return rows.flatMap<Item>(({ pk, monitorPk, status, timings, detailPk, createdAt }) => {
    const monitor = byPk.get(monitorPk);
    if (!monitor) return [];
    const { latencyMs, detail } = readMeasured(timings, details.get(detailPk ?? 0));
    const result = {
      id: resultId(pk),
      monitorId: monitor.id,
      status: statusOfCode(status),
      latencyMs,
      detail,
      alertOutcome: outcomes.get(pk) ?? null,
      createdAt,
    };
    return itemOf(result, monitor);
  });
}

/** The cursor of a page. @param pks the numbers of its results, and of one more if another page follows */
export function cursorAfter(pks: number[], limit: number): Page<unknown>["cursor"] {
  const last = pks.length > limit ? pks[limit - 1] : undefined;
  return last === undefined ? null : resultId(last);
}

/**
 * The number of the result before a page.
 *
 * @returns undefined for the first page
 * @throws AppError `invalid`
 */
export function parseCursor(cursor: string | undefined): number | undefined {
  if (cursor === undefined) return undefined;
  const pk = parseResultId(cursor);
  if (pk === null) throw new AppError("invalid", "cursor must be one that an earlier page gave");
  return pk;
}

/** Which results of a monitor are listed: those that match all parts. @property problems whether only results of trouble */
export interface ResultFilter extends Stretch {
  problems?: boolean | undefined;
}

/** Which results of an organization are listed: those that match all parts. */
export interface EventFilter extends ResultFilter {
  type?: MonitorType | undefined;
  status?: Status | undefined;
  /** A present tag of their monitors. */
  tag?: string | undefined;
  /** Whether only those that changed the status of their monitor. */
  changes?: boolean | undefined;
}

/** A result that changed the status of its monitor. @property previousStatus its code */
export interface ChangedResult extends ResultRow {
  previousStatus: number;
}

/** Makes an event of a result that changed the status of its monitor. @param changed the results of the page */
export function changeOf(changed: readonly ChangedResult[]): ItemOf<ResultEvent> {
  const previous = new Map(changed.map(({ pk, previousStatus }) => [resultId(pk), previousStatus]));
  return (result, monitor) => {
    const code = previous.get(result.id);
    return { ...result, monitor, ...(code !== undefined && { previousStatus: statusOfCode(code) }) };
  };
}

/** Which results of a monitor are exported. */
export interface ResultExport extends ResultFilter {
  monitorId: string;
}

export type ExportedResult = Omit<CheckResult, "alertOutcome">;
