import { Type } from "@sinclair/typebox";
import type { MonitorType } from "../../domain/monitors/monitor.ts";
import { type Status, statusesOf } from "../../domain/monitors/status.ts";
import type { HistoryItem } from "../../domain/results/history.ts";

/** A history where many are sent. */
export const CompactHistory = Type.String({
  description:
    "One character for each bucket, oldest first: the place of the worst status in the list of statuses of the " +
    "type, or `-` without results.",
});

export function compactHistory(type: MonitorType, history: HistoryItem[]): string {
  return history.map(({ status }) => letterOf(type, status)).join("");
}

function letterOf(type: MonitorType, status: Status): string {
  const at = (statusesOf[type] as readonly Status[]).indexOf(status);
  return at < 0 ? "-" : String(at);
}
