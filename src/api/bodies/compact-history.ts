import { Type } from "@sinclair/typebox";
import type { MonitorType } from "../../domain/monitors/monitor.ts";
import { type Status, statusesOf } from "../../domain/monitors/status.ts";
import type { HistoryItem } from "../../domain/results/history.ts";

/** A history in a compact form, for responses with many monitors. */
export const CompactHistory = Type.String({
  description:
    "One character for each bucket, oldest first: the index of its most severe status in the list of statuses of the " +
    "type, or `-` without results.",
});

export function compactHistory(type: MonitorType, history: HistoryItem[]): string {
  return history.map(({ status }) => characterOf(type, status)).join("");
}

function characterOf(type: MonitorType, status: Status): string {
  const at = (statusesOf[type] as readonly Status[]).indexOf(status);
  return at < 0 ? "-" : String(at);
}
