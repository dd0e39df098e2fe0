import type { MonitorType } from "../../domain/monitors/monitor.ts";
import type { Status } from "../../domain/monitors/status.ts";
import type { ResultEvent } from "../../domain/results/result.ts";
import { resultId } from "../ids.ts";
import { statusOfCode } from "../status-codes.ts";
import type { ItemOf } from "./result-items.ts";

/** Which results of an organization are listed: those that match all parts. */
export interface EventFilter {
  type?: MonitorType | undefined;
  status?: Status | undefined;
  /** Of the present tags of their monitors. */
  tag?: string | undefined;
  /** Whether only those that changed the status of their monitor. */
  changes?: boolean | undefined;
}

/** A result that changed the status of its monitor. @property previousStatus its code */
export interface ChangedResult {
  pk: number;
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
